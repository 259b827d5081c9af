; Go. A method belongs to the type of its receiver. Specs of a group are definitions of their own; alone, with the keyword.

(function_declaration name: (identifier) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @container)) name: (field_identifier) @name) @definition.method
(method_elem name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.class
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name) @definition.field

(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant) (#not-eq? @name "_"))
(source_file (var_declaration (var_spec name: (identifier) @name value: (expression_list (func_literal body: (_) @body))) @definition.function))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name value: (expression_list (func_literal body: (_) @body))) @definition.function)))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable) (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)) (#not-eq? @name "_"))
(type_declaration . [(type_spec) (type_alias)] @wrapped .) @span
(const_declaration . (const_spec) @wrapped .) @span
(var_declaration . (var_spec) @wrapped .) @span

; Embedded types lend their methods.
(field_declaration !name type: [(type_identifier) (qualified_type) (generic_type)] @inherit)
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @inherit .))

(comment) @comment
(package_clause (package_identifier) @package)
(import_declaration (import_spec !name path: (_) @import)) @span
(import_declaration (import_spec name: (_) @import.name path: (_) @import)) @span
(import_declaration (import_spec_list (import_spec !name path: (_) @import))) @span
(import_declaration (import_spec_list (import_spec name: (_) @import.name path: (_) @import))) @span

(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression field: (field_identifier) @reference.call))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(call_expression function: (type_instantiation_expression . (type_identifier) @reference.call))
((type_identifier) @reference.type
  (#not-any-of? @reference.type "string" "error" "int" "bool" "byte" "any" "int64" "float64" "int32" "uint64" "uint32" "uint8" "uint" "rune" "uint16" "int8" "int16" "float32" "uintptr" "comparable"))
