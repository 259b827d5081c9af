; Dart. A constructor is named by the last part of its name (`Cart.empty` is `empty`), as it is called. An extension without
; a name is a scope of the type that it extends.

(class_declaration name: (identifier) @name) @definition.class
(class_declaration (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration name: (identifier) @name) @definition.class
(extension_type_declaration name: [(identifier) @name (extension_type_name . (identifier) @name)]) @definition.class
(extension_type_declaration representation: (extension_type_representation name: (identifier) @name @definition.field))
(extension_declaration name: (identifier) @name) @definition.class
(extension_declaration !name class: (type . (type_identifier) @name)) @scope
(enum_declaration name: (identifier) @name) @definition.enum
(enum_entry name: (identifier) @name) @definition.constant
(type_alias (type_identifier) @name) @definition.type

(function_declaration signature: (function_signature name: (identifier) @name)) @definition.function
(external_function_declaration signature: (function_signature name: (identifier) @name)) @definition.function
(local_function_declaration (function_signature name: (identifier) @name) (function_body) @body) @definition.function
(getter_declaration signature: (getter_signature name: (identifier) @name)) @definition.function
(external_getter_declaration signature: (getter_signature name: (identifier) @name)) @definition.function
(setter_declaration signature: (setter_signature name: (identifier) @name)) @definition.function
(external_setter_declaration signature: (setter_signature name: (identifier) @name)) @definition.function
(method_declaration signature: (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature "operator" @name operator: _ @name)
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ])) @definition.method
(member_declaration (declaration [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature "operator" @name operator: _ @name)
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (constant_constructor_signature (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
    (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ])) @definition.method

(top_level_variable_declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @definition.constant
(top_level_variable_declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @definition.variable
(external_variable_declaration (identifier_list (identifier) @name)) @definition.variable
(member_declaration (declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name)))) @definition.constant
(member_declaration (declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name)))) @definition.field
(member_declaration (declaration (identifier_list (identifier) @name))) @definition.field

[(comment) (documentation_comment)] @comment
(annotation) @attach

(superclass type: (type . (type_identifier) @inherit))
(mixins (type . (type_identifier) @inherit))
(interfaces (type . (type_identifier) @inherit))
(mixin_declaration (type . (type_identifier) @inherit))
(mixin_application . (type . (type_identifier) @inherit))

(library_name (dotted_identifier_list) @package)
(library_import (import_specification uri: (_ . (uri (string_literal (_ (_) @import)))))) @span
(library_import (import_specification uri: (uri (string_literal (_ (_) @import))))) @span
(library_import (import_specification uri: (_ . (uri (string_literal (_ (_) @import)))) alias: (identifier) @import.name)) @span
(library_import (import_specification uri: (_ . (uri (string_literal (_ (_) @import)))) (combinator "show" (identifier) @import.name))) @span
(library_export uri: (_ . (uri (string_literal (_ (_) @import))))) @span
(part_directive uri: (uri (string_literal (_ (_) @import)))) @span
(part_of_directive (uri (string_literal (_ (_) @import)))) @span

(call_expression function: [
    (identifier) @reference.call
    (member_expression property: (identifier) @reference.call)
    (null_aware_member_expression property: (identifier) @reference.call)
    (static_member_shorthand (identifier) @reference.call)
    (instantiation_expression . [(identifier) @reference.call (member_expression property: (identifier) @reference.call)])
  ])
(cascade_call_expression property: (identifier) @reference.call)
(new_expression type: (type (type_identifier) @reference.call) constructor: (identifier)? @reference.call)
(const_object_expression type: (type (type_identifier) @reference.call) constructor: (identifier)? @reference.call)
(constructor_invocation type: (type_identifier) @reference.call)
(constructor_tearoff (type_identifier) @reference.call)
((annotation name: (_) @reference.type) (#not-any-of? @reference.type "override" "deprecated"))
((type_identifier) @reference.type
  (#not-any-of? @reference.type "String" "Object" "int" "double" "num" "bool" "dynamic" "Null" "Never"))
