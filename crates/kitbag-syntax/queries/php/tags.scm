; PHP. A namespace without braces is the file's package; one with braces holds what is in it.

(namespace_definition name: (namespace_name) @package !body)
(namespace_definition name: (namespace_name) @name.path body: (_)) @definition.module
(function_definition name: (name) @name) @definition.function
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.class
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.constant
(method_declaration name: (name) @name) @definition.method
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name)) (property_hook_list)? @body) @definition.field
(method_declaration parameters: (formal_parameters (property_promotion_parameter name: (variable_name (name) @name)) @definition.field))
((function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))) @definition.constant
  (#eq? @_define "define"))
(program (expression_statement (assignment_expression left: (variable_name (name) @name) right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])) @definition.function)
(program (expression_statement (assignment_expression left: (variable_name (name) @name))) @definition.variable)

(attribute_list) @attach
(comment) @comment

(base_clause [(name) (qualified_name)] @inherit)
(class_interface_clause [(name) (qualified_name)] @inherit)
(use_declaration [(name) (qualified_name)] @inherit)

(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @import alias: (name)? @import.name)) @span
(namespace_use_declaration (namespace_use_group)) @import
([
    (require_expression [(string (_) @import) (_ (string (_) @import) .)])
    (require_once_expression [(string (_) @import) (_ (string (_) @import) .)])
    (include_expression [(string (_) @import) (_ (string (_) @import) .)])
    (include_once_expression [(string (_) @import) (_ (string (_) @import) .)])
  ] @span)

(function_call_expression function: [(name) (qualified_name)] @reference.call)
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
((object_creation_expression [(name) (qualified_name)] @reference.call)
  (#not-any-of? @reference.call "static" "self" "parent"))
(attribute [(name) (qualified_name)] @reference.call)
((named_type [(name) (qualified_name)] @reference.type)
  (#not-any-of? @reference.type "self" "static" "parent"))
(scoped_call_expression scope: [(name) (qualified_name)] @reference.type)
(class_constant_access_expression . [(name) (qualified_name)] @reference.type)
(scoped_property_access_expression scope: [(name) (qualified_name)] @reference.type)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @reference.type)
