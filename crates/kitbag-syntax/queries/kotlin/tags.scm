; Kotlin. An extension belongs to the type it extends. What an unnamed companion holds is the class's own.

((source_file) @_file (#set! nesting "annotations"))

(class_declaration "interface" name: (identifier) @name (class_body)? @body) @definition.interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration name: (identifier) @name (class_body)? @body) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.class
(companion_object name: (identifier) @name (class_body)? @body) @definition.class
(enum_entry (identifier) @name (class_body)? @body) @definition.constant
(type_alias type: (identifier) @name) @definition.type
(function_declaration [(user_type) (nullable_type) (parenthesized_type)] @container . name: (identifier) @name (function_body)? @body) @definition.method
(function_declaration name: (identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block)? @body) @definition.method
; The grammar takes `annotation class X` and `open class X {` behind two annotations for `a infix b`.
((infix_expression (_) @span . (identifier) @_class . (identifier) @name @definition.class) (#eq? @_class "class"))
((infix_expression . (infix_expression (identifier) @_class .) @span . (identifier) @name @definition.class) (#eq? @_class "class"))
((infix_expression (_) . (identifier) @_class . (call_expression . (identifier) @name (annotated_lambda) @body)) @definition.class (#eq? @_class "class"))
(class_parameter ["val" "var"] . (identifier) @name) @definition.field

; Properties: of files, then of types; what is inside functions, initialisers and lambdas is local.
(source_file (property_declaration (variable_declaration (identifier) @name) [(lambda_literal) (anonymous_function)] @body) @definition.function)
(source_file (property_declaration [(user_type) (nullable_type) (parenthesized_type)] @container . (variable_declaration (identifier) @name) [(getter) (property_delegate)] @body) @definition.field)
(source_file (property_declaration "val" (variable_declaration (identifier) @name)) @definition.constant)
(source_file (property_declaration "var" (variable_declaration (identifier) @name)) @definition.variable)
(source_file (property_declaration (multi_variable_declaration (variable_declaration (identifier) @name))) @definition.constant)
(class_body (property_declaration (variable_declaration (identifier) @name) [(lambda_literal) (anonymous_function)] @body) @definition.method)
(class_body (property_declaration (modifiers (property_modifier "const")) (variable_declaration (identifier) @name)) @definition.constant)
(class_body (property_declaration [(user_type) (nullable_type) (parenthesized_type)] @container . (variable_declaration (identifier) @name)) @definition.field)
(class_body (property_declaration (variable_declaration (identifier) @name) . [(getter) (setter)]? @body) @definition.field)
(enum_class_body (property_declaration (variable_declaration (identifier) @name)) @definition.field)

(modifiers (annotation) @attach)
(annotated_expression (annotation) @attach)
[(line_comment) (block_comment)] @comment

(delegation_specifier [(user_type) @inherit (constructor_invocation (user_type) @inherit) (explicit_delegation (user_type) @inherit)])

(package_header (qualified_identifier) @package)
(import (qualified_identifier) @import) @span
(import (qualified_identifier) @import (identifier) @import.name) @span

(call_expression . (identifier) @reference.call)
(call_expression . (navigation_expression (identifier) @reference.call .))
(infix_expression (_) . (identifier) @reference.call . (_))
(callable_reference (identifier) @reference.call .)
((user_type (identifier) @reference.type) (#not-any-of? @reference.type "String" "Int" "Boolean" "Unit" "Long" "Any"))

; What is left of a head where the parser lost its way.
(ERROR ["class" "interface" "object"] @span . (identifier) @name @definition.class)
(ERROR (property_declaration (variable_declaration (identifier) @name)) @definition.field)
