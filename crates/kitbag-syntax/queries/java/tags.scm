; Java. Fields of a record are its components; what an enum constant overrides belongs to the constant.

(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(module_declaration name: (_) @name) @definition.module
(enum_constant name: (identifier) @name) @definition.constant
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name @export) @definition.field))

(modifiers [(annotation) (marker_annotation)] @attach)
[(line_comment) (block_comment)] @comment

(superclass (_) @inherit)
(super_interfaces (type_list (_) @inherit))
(extends_interfaces (type_list (_) @inherit))

(package_declaration [(scoped_identifier) (identifier)] @package)
(import_declaration [(scoped_identifier) (identifier)] @import) @span
(requires_module_directive module: (_) @import) @span

(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: [(type_identifier) @reference.call (generic_type . (_) @reference.call) (scoped_type_identifier) @reference.call])
(method_reference (identifier) @reference.call .)
((marker_annotation name: (_) @reference.type) (#not-eq? @reference.type "Override"))
(annotation name: (_) @reference.type)
((type_identifier) @reference.type (#not-any-of? @reference.type "String" "Object" "Integer" "Long" "Boolean"))

; What is left of a head where the parser lost its way.
(ERROR ["class" "interface" "enum"] @span . (identifier) @name @definition.class)
