; TOML. Tables by the path in their head, keys inside them, and the keys before the first table.

(document (pair . (_) @name) @definition.section)
(table [(bare_key) (quoted_key) (dotted_key)] @name) @definition.section
(table_array_element [(bare_key) (quoted_key) (dotted_key)] @name) @definition.section
(table (pair . (_) @name) @definition.field)
(table_array_element (pair . (_) @name) @definition.field)

(comment) @comment
