; Swift. Extensions are scopes of their type. Few patterns, because this grammar makes each of them dear to compile.

(class_declaration declaration_kind: ["class" "struct" "actor"] name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @name) @scope
(protocol_declaration name: (type_identifier) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.constant
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
; A name is what comes first after `func`. Naming its kinds here would treble the time to compile; operators that are tokens
; of the grammar are no nodes with a name, so what comes first is then not the name but a parameter, and the second pattern has it.
((function_declaration "func" . (_) @name) @definition.function (#not-match? @name "[:(\\s]|^<.*\\w"))
((function_declaration name: _ @name) @definition.function (#match? @name "^[-+*/%=<>!&|^~]+$"))
((protocol_function_declaration "func" . (_) @name) @definition.function (#not-match? @name "[:(\\s]|^<.*\\w"))
((protocol_function_declaration name: _ @name) @definition.function (#match? @name "^[-+*/%=<>!&|^~]+$"))
(init_declaration name: "init" @name) @definition.function
(deinit_declaration "deinit" @name) @definition.function
(subscript_declaration "subscript" @name (computed_property) @body) @definition.function
(macro_declaration (simple_identifier) @name definition: (_)? @body) @definition.macro
(operator_declaration (custom_operator) @name) @definition.constant
(precedence_group_declaration . (simple_identifier) @name) @definition.constant
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @definition.constant)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @definition.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_)? @body) @definition.field)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field

(comment) @comment
(multiline_comment) @comment
(attribute) @attach

(inheritance_specifier inherits_from: (_) @inherit)
(import_declaration (identifier) @import) @span

(call_expression . [
    (simple_identifier) @reference.call
    (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
    (prefix_expression target: (simple_identifier) @reference.call)
  ] (call_suffix [(value_arguments "(") (lambda_literal)]))
(constructor_expression constructed_type: (user_type (type_identifier) @reference.call))
(macro_invocation (simple_identifier) @reference.call)
(type_identifier) @reference.type
