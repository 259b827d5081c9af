; PHP: facts. `facts.rs` lists the words.

(function_call_expression function: [(name) (qualified_name)] @callee arguments: (_) @arguments) @call
(member_call_expression object: (_) @receiver name: (_) @callee arguments: (_) @arguments) @call
(nullsafe_member_call_expression object: (_) @receiver name: (_) @callee arguments: (_) @arguments) @call
(scoped_call_expression scope: (_) @receiver name: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression [(name) (qualified_name)] @callee (arguments)? @arguments) @call
(attribute [(name) (qualified_name)] @callee parameters: (_)? @arguments) @mark
(class_declaration name: (_) @name (base_clause)? @bases (class_interface_clause)? @bases) @type
[(interface_declaration name: (_) @name) (trait_declaration name: (_) @name) (enum_declaration name: (_) @name)] @type
(function_definition name: (_) @name return_type: (_)? @annotation) @function
(method_declaration name: (_) @name return_type: (_)? @annotation) @function
(simple_parameter type: (_)? @annotation name: (_) @sigil) @parameter
(property_promotion_parameter type: (_)? @annotation name: (_) @sigil) @parameter
[(anonymous_function) (arrow_function)] @block
(assignment_expression left: (_) @name right: (_) @value) @bind
(property_declaration type: (_)? @annotation (property_element name: (_) @sigil default_value: (_)? @value)) @bind
(const_element . (name) @name . (_) @value) @bind
(namespace_use_clause . [(name) (qualified_name)] @module alias: (_)? @name) @import
(throw_expression (_) @value) @raise
(catch_clause type: (_) @annotation) @catch
(foreach_statement . (_) @value . (_) @name) @loop
((require_expression (_) @argument) @call (#set! name "require"))
((require_once_expression (_) @argument) @call (#set! name "require"))
((include_expression (_) @argument) @call (#set! name "require"))

[(string) (encapsed_string) (heredoc) (nowdoc)] @text
(binary_expression operator: ".") @joined
(array_creation_expression) @list
(array_element_initializer . (_) @key . (_) @value .) @pair
(argument name: (_) @key (_) @value .) @pair
