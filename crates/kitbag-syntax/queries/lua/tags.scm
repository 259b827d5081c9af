; Lua. Tables are the only containers: the table a function is put in is its qualifier. Names bound at the top of a file are
; definitions, modules that are required aside.

(function_declaration name: [(identifier) @name (dot_index_expression table: (_) @container field: (identifier) @name)]) @definition.function
(function_declaration name: (method_index_expression table: (_) @container method: (identifier) @name)) @definition.method

(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression table: (_) @container field: (identifier) @name)
    (bracket_index_expression table: (_) @container field: (string) @name)
  ])
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(chunk (assignment_statement
  (variable_list name: [
    (identifier) @name
    (dot_index_expression table: (_) @container field: (identifier) @name)
  ])) @definition.variable)
((chunk (variable_declaration (assignment_statement
    (variable_list name: (identifier) @name) (expression_list . value: (_) @_value))) @definition.variable)
  (#not-match? @_value "^require\\b"))
(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.variable)
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition)))) @span

(field name: [(identifier) (string)] @name value: (function_definition body: (_)? @body)) @definition.method

(comment) @comment

((function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import))) @span
  (#any-of? @_require "require" "dofile" "loadfile"))
((variable_declaration (assignment_statement
    (variable_list . name: (identifier) @import.name)
    (expression_list . value: [
      (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import)))
      (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import))))
      (function_call name: (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import)))))
    ]))) @span
  (#eq? @_require "require"))

((function_call name: (identifier) @_setmetatable
    arguments: (arguments (table_constructor (field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @inherit))))
  (#eq? @_setmetatable "setmetatable") (#eq? @_index "__index"))

((function_call name: (identifier) @reference.call)
  (#not-any-of? @reference.call "require" "pairs" "ipairs" "type" "tostring" "tonumber" "setmetatable" "getmetatable" "select" "unpack"
    "assert" "error" "pcall" "xpcall" "next" "rawget" "rawset" "print"))
(function_call name: [
    (dot_index_expression field: (identifier) @reference.call)
    (method_index_expression method: (identifier) @reference.call)
  ])
