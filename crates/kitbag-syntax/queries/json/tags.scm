; JSON. Keys of the first two levels, and of the third where they hold objects: `scripts.build`, `jobs.test.steps`.

(document (object (pair key: (string (string_content) @name)) @definition.section))
(document (object (pair value: (object (pair key: (string (string_content) @name) value: (object)) @definition.section))))
(document (object (pair value: (object (pair key: (string (string_content) @name)) @definition.field))))
(document (object (pair value: (object (pair value:
  (object (pair key: (string (string_content) @name) value: (object)) @definition.section))))))
; What a dialect breaks.
(document (ERROR (pair key: (string (string_content) @name)) @definition.section))

(comment) @comment

((document (object (pair key: (string (string_content) @_key) value: (string (string_content) @import))))
  (#eq? @_key "extends"))
((pair key: (string (string_content) @_key) value: (string (string_content) @reference.type))
  (#eq? @_key "$ref"))
