; TypeScript and TSX. A variable has the type that is written or that its first value gives; assigning to it later changes nothing about that.

[(function_declaration) (function_expression) (generator_function) (generator_function_declaration)] @scope.object
(object (method_definition) @scope.object)
[(arrow_function) (method_definition) (function_signature) (method_signature) (abstract_method_signature) (call_signature) (construct_signature) (function_type)
 (constructor_type)] @scope.function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_case) (switch_default)] @scope.block
[(class_declaration) (abstract_class_declaration) (class) (interface_declaration) (type_alias_declaration) (object_type) (object)] @scope.type

(type_parameter name: (type_identifier) @bind)
(infer_type (type_identifier) @bind)
(mapped_type_clause name: (type_identifier) @bind)
(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @bind !type value: (_) @value)
(required_parameter pattern: (identifier) @bind !type !value)
(optional_parameter pattern: (identifier) @bind type: (type_annotation (_) @type))
(optional_parameter pattern: (identifier) @bind !type)
(rest_pattern (identifier) @bind)
(arrow_function parameter: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(for_in_statement left: (identifier) @bind)
(variable_declarator name: (identifier) @bind type: (type_annotation (_) @type))
(variable_declarator name: (identifier) @bind !type value: (_) @value)
(variable_declarator name: (identifier) @bind !type !value)
(object_pattern (shorthand_property_identifier_pattern) @bind)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind)
(pair_pattern value: (identifier) @bind)
(array_pattern (identifier) @bind)
(assignment_pattern left: (identifier) @bind)
(function_expression name: (identifier) @bind)
(class name: (type_identifier) @bind)

; Members of types.
(public_field_definition name: (property_identifier) @bind type: (type_annotation (_) @type))
(public_field_definition name: (property_identifier) @bind !type value: (_) @value)
(property_signature name: (property_identifier) @bind type: (type_annotation (_) @type))
(method_definition "get" name: (property_identifier) @property)
(assignment_expression left: (member_expression object: (this) @attribute.of property: (property_identifier) @attribute) right: (_) @value)
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @attribute type: (type_annotation (_) @type))

(import_statement (import_clause (identifier) @bind) source: (string (string_fragment) @module) (#set! then "default"))
(import_statement (import_clause (namespace_import (identifier) @bind)) source: (string (string_fragment) @module))
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @bind @item !alias))) source: (string (string_fragment) @module))
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @item alias: (identifier) @bind))) source: (string (string_fragment) @module))
(import_require_clause (identifier) @bind source: (string (string_fragment) @module))
(export_statement (export_clause (export_specifier name: (identifier) @bind @item !alias)) source: (string (string_fragment) @module))
(export_statement (export_clause (export_specifier name: (identifier) @item alias: (identifier) @bind)) source: (string (string_fragment) @module))
(export_statement (namespace_export (identifier) @bind) source: (string (string_fragment) @module))
(export_statement "default" @alias value: (identifier) @item)
(export_statement "default" @alias declaration: (_ name: (_) @item))
(export_statement !source (export_clause (export_specifier name: (identifier) @item alias: (identifier) @alias)))
(export_statement "*" @wildcard source: (string (string_fragment) @module))

(function_declaration return_type: (type_annotation (_) @result))
(function_expression return_type: (type_annotation (_) @result))
(arrow_function return_type: (type_annotation (_) @result))
(method_definition return_type: (type_annotation (_) @result))
(function_signature return_type: (type_annotation (_) @result))
(method_signature return_type: (type_annotation (_) @result))
(abstract_method_signature return_type: (type_annotation (_) @result))
(return_statement (_) @return)
(arrow_function !return_type body: (expression) @return)
(yield_expression) @yield

(member_expression object: (_) @of property: (_) @member) @path.member
(nested_type_identifier module: (_) @of name: (_) @member) @path.member
(nested_identifier object: (_) @of property: (_) @member) @path.member
(call_expression function: (_) @of) @path.call
(new_expression constructor: (_) @of) @path.instance
(as_expression (_) . (_) @of .) @path.instance
(satisfies_expression . (_) @of) @path.same
(parenthesized_expression (_) @of) @path.same
(non_null_expression (_) @of) @path.same
(await_expression (_) @of) @path.same
(parenthesized_type (_) @of) @path.same
(readonly_type (_) @of) @path.same
(generic_type name: (_) @of) @path.same
((generic_type name: (type_identifier) @_name type_arguments: (type_arguments . (_) @of .)) @path.same (#any-of? @_name "Promise" "Readonly"))
(union_type (_) @of (literal_type [(undefined) (null)])) @path.same
(this) @path.this
(this_type) @path.this_type
(super) @path.super
[(string) (template_string) (number) (regex) (true) (false) (array) (predefined_type) (array_type) (tuple_type)] @path.outside
[(null) (undefined)] @path.nothing
