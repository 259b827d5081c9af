; Ruby. Definitions that are calls (`attr_reader`, `define_method`, `Struct.new`) are told by the method's name. A bare `private`
; holds for what follows it; `class << self` is a scope of the class itself. Few patterns on calls: each is dear to compile.

((program) @_file (#set! nesting "heredocs"))

(class name: [(constant) @name (scope_resolution scope: (_)? @container name: (_) @name)]) @definition.class
(module name: [(constant) @name (scope_resolution scope: (_)? @container name: (_) @name)]) @definition.module
(singleton_class value: (_) @name) @scope
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.function
(alias name: (_) @name) @definition.function

((assignment left: (constant) @name right: (call receiver: (constant) @_type method: (identifier) @_new block: (_)? @body)) @definition.class
  (#any-of? @_type "Struct" "Class" "Data" "Module") (#any-of? @_new "new" "define"))
(assignment left: [(constant) @name (scope_resolution name: (constant) @name) (left_assignment_list (constant) @name)]) @definition.constant
(program (assignment left: (global_variable) @name) @definition.variable)
(body_statement (assignment left: (class_variable) @name) @definition.field)
((assignment right: (call receiver: (constant) @_type method: (identifier) @_new
    arguments: (argument_list [(simple_symbol) @name.sigil @definition.field (constant) @inherit])))
  (#any-of? @_type "Struct" "Data" "Class") (#any-of? @_new "new" "define"))

((call !receiver method: (identifier) @_word arguments: (argument_list (simple_symbol) @name.sigil)) @definition.field
  (#any-of? @_word "attr_reader" "attr_writer" "attr_accessor" "attr" "cattr_accessor" "cattr_reader" "mattr_accessor" "mattr_reader"
    "class_attribute" "thread_mattr_accessor" "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "delegate"
    "def_delegators" "let" "let!" "subject")
  (#not-match? @name.sigil "^:@"))
((call !receiver method: (identifier) @_word arguments: (argument_list . [(simple_symbol) @name.sigil (string) @name]) block: (_)? @body) @definition.function
  (#any-of? @_word "define_method" "define_singleton_method" "alias_method" "scope" "test" "it" "specify" "task"))
((call method: (identifier) @_word arguments: (argument_list . [(string) @name (constant) @name (scope_resolution) @name (simple_symbol) @name.sigil]) block: (_)) @scope
  (#any-of? @_word "describe" "context" "feature" "shared_examples" "shared_context" "namespace"))
((call !receiver method: (identifier) @_word arguments: (argument_list (_ name: (_) @name))) @span
  (#any-of? @_word "private" "protected" "public" "private_class_method" "module_function" "memoize" "helper_method"))

((body_statement (identifier) @private) (#any-of? @private "private" "protected"))
((body_statement (identifier) @public) (#any-of? @public "public" "module_function"))

(comment) @comment

(superclass [(constant) @inherit (scope_resolution) @inherit (call receiver: (constant) @inherit)])
((call !receiver method: (identifier) @_word arguments: (argument_list [(constant) @inherit (scope_resolution) @inherit (string (string_content) @import)])) @span
  (#any-of? @_word "include" "extend" "prepend" "require" "require_relative" "load" "autoload"))

((call method: [(identifier) (constant)] @reference.call)
  (#not-any-of? @reference.call "new" "require" "require_relative" "load" "autoload" "include" "extend" "prepend" "attr_reader" "attr_writer"
    "attr_accessor" "private" "protected" "public" "module_function" "define_method" "alias_method" "raise" "puts" "lambda" "proc"
    "describe" "context" "it" "test" "let"))
((call receiver: [(constant) @reference.call (scope_resolution name: (constant) @reference.call)] method: (identifier) @_new)
  (#eq? @_new "new"))
(constant) @reference.type
