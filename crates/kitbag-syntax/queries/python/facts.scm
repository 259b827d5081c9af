; Python: facts. `facts.rs` lists the words.

(call function: (identifier) @callee arguments: (_) @arguments) @call
(call function: (attribute object: (_) @receiver attribute: (_) @callee) arguments: (_) @arguments) @call
(decorator [
  (identifier) @callee
  (attribute object: (_) @receiver attribute: (_) @callee)
  (call function: (identifier) @callee arguments: (_) @arguments)
  (call function: (attribute object: (_) @receiver attribute: (_) @callee) arguments: (_) @arguments)
]) @mark
(class_definition name: (_) @name superclasses: (_)? @bases) @type
(function_definition name: (_) @name return_type: (_)? @annotation) @function
(parameters [
  (typed_parameter . (identifier) @name type: (_) @annotation)
  (typed_default_parameter name: (_) @name type: (_) @annotation value: (_) @value)
] @parameter)
(lambda) @block
(assignment left: (_) @name type: (_)? @annotation right: (_)? @value) @bind
(as_pattern (_) @value alias: (as_pattern_target (identifier) @name)) @bind
(import_from_statement module_name: (_) @module name: (dotted_name) @item) @import
(import_from_statement module_name: (_) @module name: (aliased_import name: (_) @item alias: (_) @name)) @import
(import_from_statement module_name: (_) @module (wildcard_import) @item) @import
(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (_) @module alias: (_) @name)) @import
(raise_statement . (_) @value) @raise
(except_clause . (_)? @annotation) @catch
(for_statement left: (_) @name right: (_) @value) @loop
(if_statement condition: (comparison_operator (identifier) @name (string) @value)) @bind

(string) @text
(concatenated_string) @joined
(binary_operator operator: "+") @joined
[(list) (tuple) (set) (dictionary)] @list
(keyword_argument name: (_) @key value: (_) @value) @pair
(pair key: (_) @key value: (_) @value) @pair
