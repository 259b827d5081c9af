; Elixir. Everything is a call in this grammar, so kinds are told by the word that is called. A `@spec` is the first clause of
; its function; `defimpl` is a scope of the type it is for. Few patterns: each is dear to compile.

((call target: (identifier) @_word (arguments . [(alias) (dot) (atom)] @name.path) (do_block) @body) @definition.module
  (#eq? @_word "defmodule"))
((call target: (identifier) @_word (arguments . (alias) @name.path) (do_block) @body) @definition.interface
  (#eq? @_word "defprotocol"))
((call target: (identifier) @_word (arguments . (alias) @inherit (keywords (pair value: (_) @name))) (do_block)) @scope
  (#eq? @_word "defimpl"))
((call target: (identifier) @_word (arguments . [(alias) @name @inherit (string) @name] .) (do_block)) @scope
  (#any-of? @_word "defimpl" "describe"))

((call target: (identifier) @_word
  (arguments . [
    (identifier) @name
    (call target: [(identifier) (call)] @name)
    (binary_operator left: [(identifier) @name (call target: [(identifier) (call)] @name)] operator: "when")
    (binary_operator operator: _ @name)
    (string) @name
  ] (keywords)? @body) (do_block)? @body) @definition.function
  (#any-of? @_word "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp" "test" "property") (#not-eq? @name "when"))
((call target: (identifier) @_word
  (arguments . [
    (identifier) @name
    (call target: [(identifier) (call)] @name)
    (binary_operator left: [(identifier) @name (call target: [(identifier) (call)] @name)] operator: "when")
    (binary_operator operator: _ @name)
  ] (keywords)? @body) (do_block)? @body) @definition.macro
  (#any-of? @_word "defmacro" "defmacrop") (#not-eq? @name "when"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments (binary_operator left: [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
  ])))) @definition.function
  (#any-of? @_word "spec" "callback" "macrocallback"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word
  (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @definition.type
  (#any-of? @_word "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @name)) @definition.constant
  (#not-any-of? @name "moduledoc" "doc" "typedoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "optional_callbacks"
    "behaviour" "impl" "derive" "enforce_keys" "deprecated" "dialyzer" "since" "compile" "external_resource" "on_load"
    "before_compile" "after_compile" "on_definition" "fallback_to_any" "tag" "moduletag" "describetag" "decorate"))

((call target: (identifier) @_word (arguments . [
    (list [(atom) @name.sigil @definition.field (keywords (pair key: (keyword) @name) @definition.field)])
    (keywords (pair key: (keyword) @name) @definition.field)
  ]))
  (#any-of? @_word "defstruct" "defexception"))
; The fields of Ecto schemas and their like.
((call target: (identifier) @_word (arguments . (atom) @name.sigil)) @definition.field
  (#any-of? @_word "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one" "embeds_many"))

((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments [(string) (sigil)] @doc)))
  (#eq? @_word "moduledoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments [(string) (sigil)]? @comment))) @attach
  (#any-of? @_word "doc" "typedoc" "impl" "derive" "enforce_keys" "deprecated" "dialyzer" "since" "tag" "decorate"))
(comment) @comment

((unary_operator operator: "@" operand: (call target: (identifier) @_word (arguments [
    (alias) @inherit
    (list [(alias) @inherit (tuple . (alias) @inherit)])
    (tuple . (alias) @inherit)
  ])))
  (#any-of? @_word "behaviour" "derive"))

((call target: (identifier) @_word (arguments . [(alias) (dot)] @import (keywords (pair value: (alias) @import.name))?)) @span
  (#any-of? @_word "alias" "import" "require" "use"))

((call target: (identifier) @reference.call)
  (#not-any-of? @reference.call "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp" "defmodule"
    "defprotocol" "defimpl" "defstruct" "defexception" "defoverridable" "alias" "import" "require" "use" "if" "unless" "case"
    "cond" "with" "for" "fn" "quote" "unquote" "unquote_splicing" "try" "receive" "raise" "reraise" "throw" "super" "test"
    "describe" "field" "belongs_to" "has_many" "has_one" "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback"
    "macrocallback" "impl" "derive" "behaviour" "enforce_keys" "optional_callbacks" "fallback_to_any"
    "tag" "moduletag" "describetag" "compile" "dialyzer" "deprecated" "since" "on_load" "before_compile" "external_resource"))
(call target: (dot right: (identifier) @reference.call) (arguments))
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call operator: "/"))
(alias) @reference.type
