; SQL. What is created is a definition; every other statement is a scope, labelled by its verb and object, so that
; statements tile the file without posing as symbols. Dialects break this grammar often: what it cannot read still has its
; first keyword, and the name is read off the line.

((program) @_file (#set! nesting "dollar quotes"))

(create_table (keyword_create) @label (keyword_table) @label . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference schema: (_)? @container name: (_) @name) (column_definitions)? @body) @definition.class
(create_view (keyword_create) @label (keyword_view) @label . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference schema: (_)? @container name: (_) @name) (create_query)? @body) @definition.class
(create_materialized_view (keyword_create) @label (keyword_materialized) @label (keyword_view) @label
  . (keyword_if)? . (keyword_not)? . (keyword_exists)? .
  (object_reference schema: (_)? @container name: (_) @name) (create_query)? @body) @definition.class
(create_function (keyword_create) @label (keyword_function) @label .
  (object_reference schema: (_)? @container name: (_) @name) (function_body)? @body) @definition.function
(create_trigger (keyword_create) @label (keyword_trigger) @label .
  (object_reference schema: (_)? @container name: (_) @name)) @definition.function
(create_type (keyword_create) @label (keyword_type) @label . (object_reference schema: (_)? @container name: (_) @name))
  @definition.type
(create_index (keyword_create) @label (keyword_index) @label column: (identifier) @name) @definition.constant
(create_sequence (keyword_create) @label (keyword_sequence) @label (object_reference name: (_) @name)) @definition.variable
(create_schema (keyword_create) @label (keyword_schema) @label (identifier) @name) @definition.module
(create_database (keyword_create) @label (keyword_database) @label . (identifier) @name) @definition.module
(create_extension (keyword_create) @label (keyword_extension) @label (identifier) @import) @span
(create_role (keyword_create) @label . (_) @label . (identifier) @name) @scope
(create_table (column_definitions (column_definition name: (_) @name) @definition.field))
(add_column (column_definition name: (_) @name) @definition.field)
(create_type (enum_elements enum_element: (literal) @name @definition.constant))

((ERROR (keyword_create) @lead) @definition.function . (block)? @span
  (#set! words "procedure proc function trigger"))
((ERROR (keyword_create) @lead) @definition.class . (block)? @span
  (#set! words "table view"))
((ERROR (keyword_create) @lead) @definition.constant
  (#set! words "index policy"))

(program (statement (select (keyword_select) @label) (from (keyword_from) . (relation (object_reference) @name))) @scope)
(program (statement (set_operation . (select (keyword_select) @label) . (from (keyword_from) . (relation (object_reference) @name)))) @scope)
(transaction (statement (select (keyword_select) @label) (from (keyword_from) . (relation (object_reference) @name))) @scope)
(transaction (statement (set_operation . (select (keyword_select) @label) . (from (keyword_from) . (relation (object_reference) @name)))) @scope)
(ERROR (statement (select (keyword_select) @label) (from (keyword_from) . (relation (object_reference) @name))) @scope)
(ERROR (statement (set_operation . (select (keyword_select) @label) . (from (keyword_from) . (relation (object_reference) @name)))) @scope)
(statement (insert . (_) @label . (keyword_into)? @label . (object_reference) @name)) @scope
(statement (update (keyword_update) @label . (relation (object_reference) @name))) @scope
(statement (delete (keyword_delete) @label) (from (keyword_from) @label . (object_reference) @name)) @scope
(statement (_ . (keyword_alter) @label . (_) @label . (keyword_if)? . (keyword_exists)? . (keyword_only)? .
  [(object_reference) (identifier)] @name)) @scope
(statement (_ . (keyword_drop) @label . (_) @label . (keyword_if)? . (keyword_exists)? .
  [(object_reference) (identifier)] @name)) @scope
(statement (comment_statement (keyword_comment) @label (keyword_on) @label . (_) @label . (object_reference) @name)) @scope
(statement . (keyword_truncate) @label . (keyword_table)? @label . (object_reference) @name) @scope
(statement . (keyword_merge) @label . (keyword_into)? @label . (object_reference) @name) @scope

(comment) @comment
(marginalia) @comment

(relation (object_reference) @reference.type)
(from (object_reference) @reference.type)
(insert (object_reference) @reference.type)
(column_definition (object_reference) @reference.type)
(constraint (object_reference) @reference.type)
(alter_table (object_reference) @reference.type)
(create_index (object_reference) @reference.type)
(create_trigger (keyword_on) . (object_reference) @reference.type)
(create_trigger [(keyword_function) (keyword_procedure)] . (object_reference) @reference.call)
(invocation (object_reference) @reference.call)
