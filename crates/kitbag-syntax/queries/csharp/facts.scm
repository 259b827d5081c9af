; C#: facts. `facts.rs` lists the words.

(invocation_expression function: [(identifier) (generic_name)] @callee arguments: (_) @arguments) @call
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (_) @callee) arguments: (_) @arguments) @call
(invocation_expression function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (_) @callee)) arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_)? @arguments initializer: (_)? @argument) @call
(attribute name: (_) @callee (attribute_argument_list)? @arguments) @mark
(class_declaration name: (_) @name (base_list)? @bases) @type
(record_declaration name: (_) @name (base_list)? @bases) @type
(interface_declaration name: (_) @name (base_list)? @bases) @type
(struct_declaration name: (_) @name) @type
(method_declaration returns: (_) @annotation name: (_) @name) @function
(constructor_declaration name: (_) @name) @function
(local_function_statement type: (_) @annotation name: (_) @name) @function
(parameter type: (_)? @annotation name: (_) @name) @parameter
[(lambda_expression) (anonymous_method_expression)] @block
(property_declaration type: (_) @annotation name: (_) @name value: (_)? @value) @bind
(field_declaration (variable_declaration type: (_) @annotation (variable_declarator name: (_) @name (_)? @value))) @bind
(local_declaration_statement (variable_declaration type: (_) @annotation (variable_declarator name: (_) @name (_)? @value))) @bind
(assignment_expression left: (_) @name right: (_) @value) @bind
(using_directive (_) @module) @import
(throw_statement (_) @value) @raise
(throw_expression (_) @value) @raise
(catch_clause (catch_declaration type: (_) @annotation)?) @catch
(foreach_statement left: (_) @name right: (_) @value) @loop

[(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @text
(binary_expression operator: "+") @joined
[(initializer_expression) (collection_expression)] @list
(argument name: (identifier) @key (_) @value .) @pair
(attribute_argument name: (identifier) @key (_) @value .) @pair
