; JavaScript with JSX. A variable that is declared once with a value is what the value is; parameters are unknown.

[(program) (ERROR)] @dynamic
[(function_declaration) (function_expression) (generator_function) (generator_function_declaration)] @scope.object
(object (method_definition) @scope.object)
[(arrow_function) (method_definition)] @scope.function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_case) (switch_default)] @scope.block
[(class_declaration) (class) (object)] @scope.type

(formal_parameters (identifier) @bind)
(formal_parameters (assignment_pattern left: (identifier) @bind))
(rest_pattern (identifier) @bind)
(arrow_function parameter: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(for_in_statement left: (identifier) @bind)
(variable_declarator name: (identifier) @bind value: (_) @value)
(variable_declarator name: (identifier) @bind !value)
; A variable that is assigned again may be anything by then.
(assignment_expression left: (identifier) @assign)
(augmented_assignment_expression left: (identifier) @assign)
(update_expression argument: (identifier) @assign)
(assignment_expression left: (array_pattern (identifier) @assign))
(assignment_expression left: (object_pattern (shorthand_property_identifier_pattern) @assign))
(assignment_expression left: (object_pattern (pair_pattern value: (identifier) @assign)))
(for_in_statement !kind left: (identifier) @assign)
(object_pattern (shorthand_property_identifier_pattern) @bind)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind)
(pair_pattern value: (identifier) @bind)
(array_pattern (identifier) @bind)
(assignment_pattern left: (identifier) @bind)
(function_expression name: (identifier) @bind)
(class name: (identifier) @bind)

(field_definition property: (property_identifier) @bind value: (_) @value)
(method_definition "get" name: (property_identifier) @property)
(assignment_expression left: (member_expression object: (this) @attribute.of property: (property_identifier) @attribute) right: (_) @value)

(import_statement (import_clause (identifier) @bind) source: (string (string_fragment) @module) (#set! then "default"))
(import_statement (import_clause (namespace_import (identifier) @bind)) source: (string (string_fragment) @module))
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @bind @item !alias))) source: (string (string_fragment) @module))
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @item alias: (identifier) @bind))) source: (string (string_fragment) @module))
(export_statement (export_clause (export_specifier name: (identifier) @bind @item !alias)) source: (string (string_fragment) @module))
(export_statement (export_clause (export_specifier name: (identifier) @item alias: (identifier) @bind)) source: (string (string_fragment) @module))
(export_statement (namespace_export (identifier) @bind) source: (string (string_fragment) @module))
(export_statement "default" @alias value: (identifier) @item)
(export_statement "default" @alias declaration: (_ name: (_) @item))
(export_statement !source (export_clause (export_specifier name: (identifier) @item alias: (identifier) @alias)))
(export_statement "*" @wildcard source: (string (string_fragment) @module))
((variable_declarator name: (identifier) @bind
    value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @module))))
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind @item)
    value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @module))))
  (#eq? @_require "require"))

(return_statement (_) @return)
(arrow_function body: (expression) @return)
(yield_expression) @yield

(member_expression object: (_) @of property: (_) @member) @path.member
(call_expression function: (_) @of) @path.call
(new_expression constructor: (_) @of) @path.instance
(parenthesized_expression (_) @of) @path.same
(await_expression (_) @of) @path.same
(this) @path.this
(super) @path.super
[(string) (template_string) (number) (regex) (true) (false) (array)] @path.outside
[(null) (undefined)] @path.nothing
