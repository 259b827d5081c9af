; Go: facts. `facts.rs` lists the words.

(call_expression function: (identifier) @callee arguments: (_) @arguments) @call
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @callee) arguments: (_) @arguments) @call
(composite_literal type: [(type_identifier) (qualified_type)] @callee body: (_) @arguments) @call
(composite_literal type: [(slice_type) (array_type) (map_type)] body: (literal_value) @list)
(function_declaration name: (_) @name result: (_)? @annotation) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @receiver)) name: (_) @name result: (_)? @annotation) @function
(parameter_declaration name: (identifier) @name type: (_) @annotation) @parameter
(func_literal) @block
(short_var_declaration left: (expression_list . (_) @name) right: (expression_list . (_) @value)) @bind
(assignment_statement left: (expression_list . (_) @name) right: (expression_list . (_) @value)) @bind
(var_spec name: (_) @name type: (_)? @annotation value: (expression_list . (_) @value)?) @bind
(const_spec name: (_) @name value: (expression_list . (_) @value)) @bind
(type_spec name: (_) @name type: [(struct_type) (interface_type)]) @type
(field_declaration name: (_) @name type: (_) @annotation tag: (_)? @value) @bind
(import_spec name: (_)? @name path: (_) @module) @import
(for_statement (range_clause left: (_)? @name right: (_) @value)) @loop
((call_expression function: (identifier) @_panic arguments: (argument_list . (_) @value)) @raise (#eq? @_panic "panic"))

[(interpreted_string_literal) (raw_string_literal)] @text
(binary_expression operator: "+") @joined
(keyed_element . (_) @key . (_) @value) @pair
