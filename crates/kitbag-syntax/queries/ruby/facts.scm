; Ruby: facts. `facts.rs` lists the words.

((call method: (identifier) @_raise arguments: (argument_list . (_) @value)) @raise (#eq? @_raise "raise"))
(call receiver: (_)? @receiver method: (_) @callee arguments: (_)? @arguments block: (_)? @argument) @call
(class name: (_) @name superclass: (_)? @bases) @type
(module name: (_) @name) @type
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
[(block) (do_block) (lambda)] @block
(block_parameters (identifier) @name @parameter)
(assignment left: [(identifier) (constant) (instance_variable) (class_variable)] @name right: (_) @value) @bind
(operator_assignment left: [(identifier) (constant) (instance_variable) (class_variable)] @name right: (_) @value) @bind
(rescue exceptions: (_)? @annotation) @catch

[(string) (simple_symbol) (delimited_symbol) (bare_string) (bare_symbol) (heredoc_body) (regex)] @text
(binary operator: "+") @joined
[(array) (hash) (string_array) (symbol_array)] @list
(pair key: (_) @key value: (_) @value) @pair
