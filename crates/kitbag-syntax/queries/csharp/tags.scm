; C#. A namespace without braces goes on to the end of its file. Parameters of a record are its properties.

(namespace_declaration name: (_) @name @export) @definition.module
(file_scoped_namespace_declaration name: (_) @name @export) @definition.module
(compilation_unit (file_scoped_namespace_declaration name: (_) @name) (_) @span .)
(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name) @definition.method
(destructor_declaration "~" @name name: (identifier) @name) @definition.method
(operator_declaration "operator" @name operator: _ @name) @definition.method
(conversion_operator_declaration "operator" @name type: (_) @name) @definition.method
(indexer_declaration "this" @name [(accessor_list) (arrow_expression_clause)] @body) @definition.method
(property_declaration name: (identifier) @name accessors: (_) @body) @definition.field
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @definition.field
(event_declaration name: (identifier) @name accessors: (_) @body) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration (modifier "static") (modifier "readonly") (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(record_declaration (parameter_list (parameter name: (identifier) @name @export) @definition.field))

(attribute_list) @attach
(comment) @comment
(attribute name: (_) @reference.type)
(base_list [(identifier) (generic_name) (qualified_name) (primary_constructor_base_type)] @inherit)

(using_directive !name [(identifier) (qualified_name)] @import) @span
(using_directive name: (identifier) @import.name [(identifier) (qualified_name) (generic_name)] @import .) @span

(invocation_expression function: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])
(invocation_expression function: (member_access_expression name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])))
(object_creation_expression type: [(identifier) (generic_name) (qualified_name)] @reference.call)
(parameter type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(nullable_type type: (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(generic_name . (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(cast_expression type: (identifier) @reference.type)
(typeof_expression type: (identifier) @reference.type)
(declaration_pattern type: (identifier) @reference.type)
(is_expression right: (identifier) @reference.type)
(catch_declaration type: (identifier) @reference.type)
(type_parameter_constraint type: (identifier) @reference.type)

; What is left of a head where the parser lost its way.
(ERROR ["class" "interface" "struct"] @span . (identifier) @name @definition.class)
