; CSS. Rules are labelled by their selectors, at-rules by their keyword with what stands before the block; custom properties
; are variables, and `var()` uses them.

(rule_set (selectors) @name (block) @body) @definition.section
((media_statement (block)) @name @definition.section (#set! until "{"))
((supports_statement (block)) @name @definition.section (#set! until "{"))
((scope_statement (block)) @name @definition.section (#set! until "{"))
((at_rule (block)) @name @definition.section (#set! until "{"))
(keyframes_statement [(at_keyword) "@keyframes"] @label (keyframes_name) @name) @definition.section
((declaration (property_name) @name) @definition.variable (#match? @name "^--"))

(comment) @comment
(js_comment) @comment

(import_statement (string_value (string_content) @import)) @span
(import_statement (call_expression (arguments [(string_value (string_content) @import) (plain_value) @import]))) @span

((call_expression (function_name) @_var (arguments . (plain_value) @reference.type)) (#eq? @_var "var"))
