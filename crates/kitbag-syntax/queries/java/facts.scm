; Java: facts. `facts.rs` lists the words.

(method_invocation object: (_)? @receiver name: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_) @arguments) @call
(annotation name: (_) @callee arguments: (_) @arguments) @mark
(marker_annotation name: (_) @callee) @mark
(class_declaration name: (_) @name superclass: (_)? @bases interfaces: (_)? @bases) @type
(interface_declaration name: (_) @name (extends_interfaces)? @bases) @type
[(enum_declaration name: (_) @name) (record_declaration name: (_) @name)] @type
(method_declaration type: (_) @annotation name: (_) @name) @function
(constructor_declaration name: (_) @name) @function
(formal_parameter type: (_) @annotation name: (_) @name) @parameter
(lambda_expression) @block
(field_declaration type: (_) @annotation declarator: (variable_declarator name: (_) @name value: (_)? @value)) @bind
(local_variable_declaration type: (_) @annotation declarator: (variable_declarator name: (_) @name value: (_)? @value)) @bind
(assignment_expression left: (_) @name right: (_) @value) @bind
(import_declaration (scoped_identifier) @module) @import
(throw_statement (_) @value) @raise
(catch_clause (catch_formal_parameter (catch_type) @annotation)) @catch
(enhanced_for_statement name: (_) @name value: (_) @value) @loop

(string_literal) @text
(binary_expression operator: "+") @joined
[(element_value_array_initializer) (array_initializer)] @list
(element_value_pair key: (_) @key value: (_) @value) @pair
