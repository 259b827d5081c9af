; Haskell. A function is its type signature and its equations, which the table's `clauses` puts together; so names bound without
; arguments are functions too. Instances are scopes of their type. What is local to a function is left out by the outline.

(signature name: [(variable) @name (prefix_id (_) @name)]) @definition.function
(class_declarations (signature names: (binding_list name: [(variable) @name (prefix_id (_) @name)])) @definition.function)
(function name: [(variable) @name (prefix_id (_) @name)] match: (match) @body) @definition.function
(function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function
(function parens: (function_head_parens (infix operator: [(operator) @name (infix_id (variable) @name)])) match: (match) @body) @definition.function
(bind name: [(variable) @name (prefix_id (_) @name)] match: (match) @body) @definition.function
(declarations (bind pattern: (tuple element: (variable) @name)) @definition.constant)
(foreign_import signature: (signature name: (_) @name)) @span
(pattern_synonym (signature synonym: (constructor) @name)) @definition.function
(pattern_synonym (equation synonym: [(constructor) @name (apply function: (constructor) @name) (infix operator: (_) @name) (record (constructor) @name)])) @definition.function

(data_type [name: [(name) @name (prefix_id (_) @name)] (infix operator: (_) @name)] ["=" "where"]? @body) @definition.enum
(newtype name: (_) @name "="? @body) @definition.class
(data_constructor constructor: [(prefix name: (_) @name) (record name: (_) @name) (infix operator: (_) @name)]) @definition.constant
(newtype_constructor name: (_) @name) @definition.constant
(gadt_constructor name: (_) @name) @definition.constant
(gadt_constructor names: (binding_list name: (_) @name)) @definition.constant
(field name: (field_name (variable) @name)) @definition.field
(type_synonym [name: (_) @name (infix operator: (_) @name)]) @definition.type
(type_family name: (_) @name closed_family: (_)? @body) @definition.type
(data_family name: (_) @name) @definition.type
(type_instance name: (_) @name) @definition.type
(class name: (_) @name declarations: (_)? @body) @definition.interface
(instance name: (_) @inherit patterns: (type_patterns [
    (name) @name
    (qualified id: (_) @name)
    (variable) @name
    (list) @name
    (tuple) @name
    (unit) @name
    (parens type: [
      (apply constructor: [(name) @name (qualified id: (_) @name) (apply constructor: [(name) @name (qualified id: (_) @name) (apply constructor: (name) @name)])])
      (function) @name
    ])
  ] .)) @scope

((haddock) @doc . (header))
((haddock) @doc (#match? @doc "^(-- ?|\\{-) ?\\^"))
(haddock) @comment
(comment) @comment
(declarations (pragma) @attach)
(class_declarations (pragma) @attach)
(instance_declarations (pragma) @attach)

(header module: (module) @package)
(export [variable: (variable) @export type: (name) @export operator: (prefix_id (_) @export)])
(module_export module: (_) @export)
(children element: [(variable) (constructor) (name)] @export)
(import module: (module) @import) @span
(import module: (module) @import alias: (module) @import.name) @span
(import module: (module) @import names: (import_list name: (import_name [(variable) (name)] @import.name))) @span

(class context: (context context: [(apply constructor: (name) @inherit) (parens (apply constructor: (name) @inherit)) (tuple (apply constructor: (name) @inherit))]))
(deriving classes: [(name) @inherit (_ (name) @inherit) (_ (qualified id: (name) @inherit))])
(deriving_instance name: (name) @inherit patterns: (type_patterns [(name) @name (parens (apply constructor: (name) @name))] .)) @scope

(apply function: [(variable) @reference.call (qualified id: (variable) @reference.call)])
(qualified id: (variable) @reference.call)
(infix operator: (infix_id (variable) @reference.call))
(infix left_operand: (variable) @reference.call operator: (operator) @_operator
  (#any-of? @_operator "." "$" "<$>" "<$" "=<<" "<=<" ">=>" "$!" ">>>" ">>=" ">>" "<|>" "*>" "<*" "<*>" "&&&" "***"))
(infix operator: (operator) @_operator right_operand: (variable) @reference.call
  (#any-of? @_operator "." "=<<" ">>=" ">>" "<*>" "&" "<&>" ">=>" "<=<" "<|>" "*>" "<*" ">>>" "&&&" "***"))
(match expression: (variable) @reference.call)
(exp . (variable) @reference.call .)
(constructor) @reference.type
(name) @reference.type
