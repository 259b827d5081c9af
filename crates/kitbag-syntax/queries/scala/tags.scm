; Scala, 2 and 3. An extension is a scope named after the type it extends; a given without a name is known by its type.

(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.interface
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(package_object name: (_) @name) @definition.module
(package_clause name: (_) @name body: (_)) @definition.module
(type_definition name: (_) @name) @definition.type
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(given_definition name: (_) @name) @definition.constant
(given_definition !name return_type: (_) @name) @definition.constant
(extension_definition parameters: (parameters . (parameter type: (_) @name))) @scope

; Values: of files and objects, then of classes and traits; what is inside a block is local.
(template_body (val_definition pattern: (identifier) @name value: (lambda_expression) @body) @definition.method)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @definition.constant))
(package_object body: (template_body (val_definition pattern: (identifier) @name) @definition.constant))
(compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)
(compilation_unit (var_definition pattern: (identifier) @name) @definition.variable)
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(template_body (val_definition pattern: [(identifiers (identifier) @name) (tuple_pattern (identifier) @name) (typed_pattern pattern: (identifier) @name)]) @definition.field)
(template_body (var_definition pattern: (identifiers (identifier) @name)) @definition.field)
(template_body (val_declaration name: (identifier) @name) @definition.field)
(template_body (var_declaration name: (identifier) @name) @definition.field)
(enum_body (val_definition pattern: (identifier) @name) @definition.field)
(with_template_body (val_definition pattern: (identifier) @name) @definition.field)
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))
(class_parameter ["val" "var"] name: (_) @name) @definition.field

(annotation) @attach
[(comment) (block_comment)] @comment

(extends_clause [(type_identifier) (generic_type) (stable_type_identifier) (compound_type) (applied_constructor_type)] @inherit)
(derives_clause type: (_) @inherit)

(package_clause name: (_) @package !body)
(import_declaration . (_) @import .) @span
(import_declaration . (_) @import (_) @import .) @span
(export_declaration . (_) @import (_) @import .) @span

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (identifier) @reference.call))
(generic_function function: (identifier) @reference.call)
(generic_function function: (field_expression field: (identifier) @reference.call))
(infix_expression operator: (identifier) @reference.call)
(instance_expression [(type_identifier) @reference.call (generic_type type: (type_identifier) @reference.call)])
((type_identifier) @reference.type (#not-any-of? @reference.type "String" "Int" "Boolean" "Unit" "Long" "Double" "Any"))
