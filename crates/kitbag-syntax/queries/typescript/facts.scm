
; TypeScript: what JavaScript does not have.

(abstract_class_declaration name: (_) @name (class_heritage)? @bases) @type
(interface_declaration name: (_) @name) @type
(abstract_method_signature name: (_) @name) @function
(required_parameter pattern: (identifier) @name type: (_)? @annotation) @parameter
(optional_parameter pattern: (identifier) @name type: (_)? @annotation) @parameter
(public_field_definition name: (_) @name type: (_)? @annotation value: (_)? @value) @bind
