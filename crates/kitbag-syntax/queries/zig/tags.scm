; Zig. Types are constants bound to a container; a function that gives a `type` is a generic type, and what it returns holds
; its members. A name bound to an import is that import, unless it is made public.

((function_declaration name: (identifier) @name type: (builtin_type) @_type) @definition.class
  (#eq? @_type "type"))
(function_declaration name: (identifier) @name) @definition.function
(test_declaration "test" @label [(string) (identifier)] @name (block) @body) @definition.function
(test_declaration "test" @name . (block) @body) @definition.function

(variable_declaration "const" . (identifier) @name (struct_declaration "{" @body)) @definition.class
(variable_declaration "const" . (identifier) @name (union_declaration "{" @body)) @definition.class
(variable_declaration "const" . (identifier) @name (opaque_declaration "{" @body)) @definition.class
(variable_declaration "const" . (identifier) @name (enum_declaration "{" @body)) @definition.enum
(variable_declaration "const" . (identifier) @name (error_set_declaration "{" @body)) @definition.enum
(variable_declaration "const" . (identifier) @name (binary_expression left: (error_set_declaration "{" @body))) @definition.enum

([
  (source_file (variable_declaration "const" . (identifier) @name "=" . (_) @_value) @definition.constant)
  (struct_declaration (variable_declaration "const" . (identifier) @name "=" . (_) @_value) @definition.constant)
  (union_declaration (variable_declaration "const" . (identifier) @name "=" . (_) @_value) @definition.constant)
  (enum_declaration (variable_declaration "const" . (identifier) @name "=" . (_) @_value) @definition.constant)
  (opaque_declaration (variable_declaration "const" . (identifier) @name "=" . (_) @_value) @definition.constant)
] (#not-match? @_value "^@(import|This)\\b"))
((source_file (variable_declaration "pub" "const" . (identifier) @name "=" . (_) @_value) @definition.constant)
  (#match? @_value "^@import\\b"))
(source_file (variable_declaration "const" . (identifier) @name . ";") @definition.constant)
(source_file (variable_declaration "var" . (identifier) @name) @definition.variable)
(struct_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)

(source_file (container_field name: (identifier) @name) @definition.field)
(struct_declaration (container_field name: (identifier) @name) @definition.field)
(union_declaration (container_field name: (identifier) @name) @definition.field)
(opaque_declaration (container_field name: (identifier) @name) @definition.field)
((enum_declaration (container_field name: (identifier) @name) @definition.constant) (#not-eq? @name "_"))
(error_set_declaration (identifier) @name @definition.constant)

((comment) @doc (#match? @doc "^//!"))
(comment) @comment

((builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import)))
  (#any-of? @_import "@import" "@embedFile" "@cInclude"))
((variable_declaration "const" . (identifier) @import.name
    (builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import)))) @span
  (#eq? @_import "@import"))
((variable_declaration "const" . (identifier) @import.name
    (field_expression object: (builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import))))) @span
  (#eq? @_import "@import"))
(using_namespace_declaration [(identifier) (field_expression)] @inherit)

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression member: (identifier) @reference.call))
(parameter type: [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(function_declaration type: [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(variable_declaration type: [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(container_field type: [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(pointer_type [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(slice_type [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(nullable_type [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(error_union_type error: (identifier) @reference.type)
(error_union_type ok: [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
(struct_initializer . [(identifier) @reference.type (field_expression member: (identifier) @reference.type)])
