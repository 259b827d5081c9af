; Go. A variable has the type that is written or that its first value gives; assigning to it later changes nothing about that.

[(function_declaration) (method_declaration) (func_literal) (method_elem)] @scope.function
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (expression_case) (type_case)
 (default_case) (communication_case)] @scope.block
(type_spec) @scope.type

(type_parameter_declaration name: (identifier) @bind)
(parameter_declaration name: (identifier) @bind type: (_) @type)
(variadic_parameter_declaration name: (identifier) @bind)
(field_declaration name: (field_identifier) @bind type: (_) @type)
(var_spec name: (identifier) @bind type: (_) @type)
(var_spec . name: (identifier) @bind . value: (expression_list . (_) @value .))
(const_spec name: (identifier) @bind)
(short_var_declaration left: (expression_list . (identifier) @bind .) right: (expression_list . (_) @value .))
; One of several results, up to the third.
(short_var_declaration left: (expression_list . (identifier) @bind . (_)) right: (expression_list . (_) @value .) (#set! then "[0]"))
(short_var_declaration left: (expression_list . (_) . (identifier) @bind) right: (expression_list . (_) @value .) (#set! then "[1]"))
(short_var_declaration left: (expression_list . (_) . (_) . (identifier) @bind) right: (expression_list . (_) @value .) (#set! then "[2]"))
(short_var_declaration left: (expression_list . (identifier) @bind . (_) .) right: (expression_list . (_) @value . (_) .))
(short_var_declaration left: (expression_list . (_) . (identifier) @bind .) right: (expression_list . (_) . (_) @value .))
(range_clause left: (expression_list (identifier) @bind))
(receive_statement left: (expression_list (identifier) @bind))
(type_switch_statement alias: (expression_list (identifier) @bind))

(import_spec name: (package_identifier) @bind path: (_) @module)
(import_spec name: (dot) @wildcard path: (_) @module)

; The written results, each of several. One written type may stand for several names.
(function_declaration result: [(type_identifier) (qualified_type) (pointer_type) (generic_type) (slice_type) (map_type) (array_type) (channel_type)
  (function_type) (interface_type) (struct_type)] @result)
(function_declaration result: (parameter_list (parameter_declaration !name type: (_) @result)))
(function_declaration result: (parameter_list (parameter_declaration name: (identifier) type: (_) @result)))
(method_declaration result: [(type_identifier) (qualified_type) (pointer_type) (generic_type) (slice_type) (map_type) (array_type) (channel_type)
  (function_type) (interface_type) (struct_type)] @result)
(method_declaration result: (parameter_list (parameter_declaration !name type: (_) @result)))
(method_declaration result: (parameter_list (parameter_declaration name: (identifier) type: (_) @result)))
(func_literal result: [(type_identifier) (qualified_type) (pointer_type) (generic_type) (slice_type) (map_type) (array_type) (channel_type)
  (function_type) (interface_type) (struct_type)] @result)
(func_literal result: (parameter_list (parameter_declaration !name type: (_) @result)))
(func_literal result: (parameter_list (parameter_declaration name: (identifier) type: (_) @result)))
(method_elem result: [(type_identifier) (qualified_type) (pointer_type) (generic_type) (slice_type) (map_type) (array_type) (channel_type)
  (function_type) (interface_type) (struct_type)] @result)
(method_elem result: (parameter_list (parameter_declaration !name type: (_) @result)))
(method_elem result: (parameter_list (parameter_declaration name: (identifier) type: (_) @result)))

(selector_expression operand: (_) @of field: (field_identifier) @member) @path.member
(qualified_type package: (_) @of name: (_) @member) @path.member
(call_expression function: (_) @of) @path.call
((call_expression function: (identifier) @_name arguments: (argument_list . (_) @of)) @path.instance (#any-of? @_name "new" "make"))
(composite_literal type: (_) @of) @path.instance
(type_assertion_expression type: (_) @of) @path.instance
(type_conversion_expression type: (_) @of) @path.instance
(unary_expression operator: ["&" "*"] operand: (_) @of) @path.same
(parenthesized_expression (_) @of) @path.same
(parenthesized_type (_) @of) @path.same
(pointer_type (_) @of) @path.same
(generic_type type: (_) @of) @path.same
[(interpreted_string_literal) (raw_string_literal) (int_literal) (float_literal) (rune_literal) (true) (false)] @path.outside
(nil) @path.nothing
