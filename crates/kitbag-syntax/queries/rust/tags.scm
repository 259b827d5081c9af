; Rust. A type's name is its identity: `impl` blocks are scopes named after their type.

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.class
(union_item name: (type_identifier) @name) @definition.class
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
(trait_item name: (type_identifier) @name) @definition.interface
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(mod_item name: (identifier) @name body: (_)) @definition.module
(macro_definition name: (identifier) @name (macro_rule) @body) @definition.macro
(field_declaration name: (field_identifier) @name) @definition.field

(impl_item type: (_) @name) @scope
(impl_item trait: (_) @inherit)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @inherit))

(line_comment !doc) @comment
(line_comment outer: (_)) @comment
(line_comment inner: (_)) @doc
(block_comment !inner) @comment
(block_comment inner: (_)) @doc
(attribute_item) @attach

(use_declaration argument: (_) @import) @span
(mod_item name: (identifier) @import !body) @span
(extern_crate_declaration name: (identifier) @import) @span

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(call_expression function: (scoped_identifier name: (identifier) @reference.call))
(generic_function function: (identifier) @reference.call)
(generic_function function: (scoped_identifier name: (identifier) @reference.call))
(generic_function function: (field_expression field: (field_identifier) @reference.call))
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier name: (identifier) @reference.call))
((type_identifier) @reference.type (#not-eq? @reference.type "Self"))
