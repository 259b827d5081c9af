; Shell. Variables are definitions at the top of a script, also inside its `{ }`; a test of bats is only its first
; line in this grammar, so it goes on to the next.

((program) @_file (#set! nesting "ranges"))

(function_definition name: (word) @name.path) @definition.function
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @definition.constant)
((program (declaration_command (word) @_flags (variable_assignment name: (variable_name) @name)) @definition.constant)
  (#match? @_flags "^-[a-zA-Z]*r"))
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)
(program (declaration_command ["declare" "typeset"] (variable_name) @name) @definition.variable)
(program (variable_assignment name: (variable_name) @name "=") @definition.variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name "=") @definition.variable))
(program (compound_statement (variable_assignment name: (variable_name) @name "=") @definition.variable))
((command name: (command_name) @_alias argument: [(concatenation . (word) @name) (word) @name]) @definition.function
  (#eq? @_alias "alias") (#match? @name "^[^-=][^=]*=") (#set! until "="))
((command name: (command_name) @_test argument: (string) @name) @heading.1
  (#eq? @_test "@test"))

((comment) @comment (#not-match? @comment "^#!"))

((command name: (command_name (word) @_source) . argument: (_) @import) @span
  (#any-of? @_source "source" "."))

((command name: (command_name (word) @reference.call))
  (#match? @reference.call "^[A-Za-z_]")
  (#not-any-of? @reference.call
    "alias" "break" "cd" "command" "continue" "echo" "eval" "exec" "exit" "false" "printf" "read" "return" "run" "set"
    "shift" "shopt" "source" "test" "trap" "true" "unalias"))
((command name: (command_name (word) @_runs) . argument: (word) @reference.call)
  (#any-of? @_runs "command" "exec" "run" "sudo" "trap")
  (#match? @reference.call "^[A-Za-z_]"))
