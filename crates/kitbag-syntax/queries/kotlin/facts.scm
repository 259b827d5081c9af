; Kotlin: facts. `facts.rs` lists the words.

(call_expression . (call_expression . [(identifier) @callee (navigation_expression (_) @receiver . (identifier) @callee .)] (value_arguments) @arguments) (annotated_lambda (lambda_literal) @argument)) @call
(call_expression . (identifier) @callee (value_arguments)? @arguments (annotated_lambda (lambda_literal) @argument)?) @call
(call_expression . (navigation_expression (_) @receiver . (identifier) @callee .) (value_arguments)? @arguments (annotated_lambda (lambda_literal) @argument)?) @call
(annotation [(user_type) @callee (constructor_invocation (user_type) @callee (value_arguments) @arguments)]) @mark
(class_declaration name: (_) @name (delegation_specifiers)? @bases) @type
(object_declaration name: (_) @name (delegation_specifiers)? @bases) @type
(function_declaration (user_type) @receiver . name: (_) @name) @function
(function_declaration name: (_) @name) @function
(parameter (identifier) @name . (_) @annotation) @parameter
(class_parameter (identifier) @name . (_) @annotation) @parameter
[(lambda_literal) (anonymous_function)] @block
(lambda_parameters (variable_declaration . (identifier) @name) @parameter)
(property_declaration (variable_declaration . (identifier) @name) "=" . (_) @value) @bind
(property_declaration (variable_declaration . (identifier) @name . (_) @annotation)) @bind
(import (qualified_identifier) @module (identifier)? @name) @import
(throw_expression (_) @value) @raise
(catch_block (identifier) . (_) @annotation) @catch
(for_statement (variable_declaration) @name . (_) @value) @loop

[(string_literal) (multiline_string_literal)] @text
(collection_literal) @list
(value_argument . (identifier) @key . (_) @value .) @pair
