; Elixir: facts. `facts.rs` lists the words. Everything is a call in this grammar, so some are told by the word that is called.

((call target: (identifier) @_word (arguments . (alias) @name) (do_block)) @type (#eq? @_word "defmodule"))
((call target: (identifier) @_word (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @function (#any-of? @_word "def" "defp"))
((call target: (identifier) @_word (arguments . (alias) @module (keywords (pair value: (alias) @name))?)) @import (#any-of? @_word "alias" "import" "require"))
((call target: (identifier) @_word (arguments . (dot left: (alias) @module right: (tuple (alias) @item)))) @import (#any-of? @_word "alias" "import" "require"))
((call target: (identifier) @_word (arguments . (_) @value)) @raise (#eq? @_word "raise"))
((call target: (identifier) @_word) @list (#any-of? @_word "defstruct" "defmacro" "defmacrop" "defguard"))
(call target: (identifier) @callee (arguments)? @arguments (do_block)? @argument) @call
(call target: (dot left: (_) @receiver right: (identifier) @callee) (arguments)? @arguments (do_block)? @argument) @call
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments . (_) @value))) @bind
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "spec" "type" "typep" "callback" "opaque"))
[(do_block) (anonymous_function)] @block
(binary_operator left: (identifier) @name operator: "=" right: (_) @value) @bind
(binary_operator left: (identifier) @name operator: "<-" right: (_) @value) @bind
(rescue_block) @catch

[(string) (atom)] @text
((sigil (sigil_name) @_w) @words (#eq? @_w "w"))
(binary_operator operator: ["<>" "in"]) @joined
[(list) (tuple) (keywords)] @list
(pair key: (_) @key value: (_) @value) @pair
