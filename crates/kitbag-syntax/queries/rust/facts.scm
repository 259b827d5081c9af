; Rust: facts. `facts.rs` lists the words.

(call_expression function: (identifier) @callee arguments: (_) @arguments) @call
(call_expression function: (scoped_identifier path: (_) @receiver name: (_) @callee) arguments: (_) @arguments) @call
(call_expression function: (field_expression value: (_) @receiver field: (_) @callee) arguments: (_) @arguments) @call
(call_expression function: (generic_function function: [
  (identifier) @callee
  (scoped_identifier path: (_) @receiver name: (_) @callee)
  (field_expression value: (_) @receiver field: (_) @callee)
] type_arguments: (_) @annotation) arguments: (_) @arguments) @call
(macro_invocation macro: [(identifier) @callee (scoped_identifier path: (_) @receiver name: (_) @callee)] (token_tree) @arguments) @call
(struct_expression name: (_) @callee body: (_) @arguments) @call
(attribute_item (attribute [(identifier) @callee (scoped_identifier path: (_) @receiver name: (_) @callee)] arguments: (token_tree)? @arguments value: (_)? @argument)) @mark
[(struct_item name: (_) @name) (enum_item name: (_) @name) (trait_item name: (_) @name) (mod_item name: (_) @name)] @type
(impl_item trait: (_)? @bases type: (_) @name) @type
(function_item name: (_) @name return_type: (_)? @annotation) @function
(parameter pattern: (_) @name type: (_) @annotation) @parameter
(closure_expression) @block
(let_declaration pattern: (_) @name type: (_)? @annotation value: (_)? @value) @bind
(const_item name: (_) @name type: (_) @annotation value: (_)? @value) @bind
(static_item name: (_) @name type: (_) @annotation value: (_)? @value) @bind
(field_declaration name: (_) @name type: (_) @annotation) @bind
(enum_variant name: (_) @name body: (_)? @annotation) @bind
(use_declaration argument: (_) @module) @import
(for_expression pattern: (_) @name value: (_) @value) @loop

[(string_literal) (raw_string_literal)] @text
[(array_expression) (tuple_expression)] @list
(field_initializer field: (_) @key value: (_) @value) @pair
