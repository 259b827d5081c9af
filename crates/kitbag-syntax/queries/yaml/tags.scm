; YAML. Keys of the first two levels, and of the third where they hold mappings: `jobs.build`, `services.web.environment`.
; Named items of lists are sections too: steps, tasks, containers. A resource of Kubernetes is the holder of its keys.

((stream) @_file (#set! nesting "columns"))

((document (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_kind value: (flow_node) @label) .
    (block_mapping_pair key: (flow_node) @_metadata value: (block_node (block_mapping .
      (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name))))))) @definition.section
  (#eq? @_kind "kind") (#eq? @_metadata "metadata") (#eq? @_name "name"))

(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @definition.section)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name value: (block_node)) @definition.section))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (_) @name) @definition.field))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair value: (block_node (block_mapping
    (block_mapping_pair key: (_) @name value: (block_node (block_mapping))) @definition.section)))))))))
((block_sequence_item (block_node (block_mapping .
    (block_mapping_pair key: (flow_node) @_name value: (flow_node) @name)))) @definition.section
  (#eq? @_name "name"))
(anchor (anchor_name) @name) @definition.constant

(comment) @comment

((block_mapping_pair key: (flow_node) @_uses value: (flow_node) @import) (#eq? @_uses "uses"))
((block_mapping_pair key: (flow_node) @_ref value: (flow_node) @reference.type) (#eq? @_ref "$ref"))
(alias (alias_name) @reference.type)
