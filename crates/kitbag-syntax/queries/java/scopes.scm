; Java. A bare name may be a member of the types around it; every variable is declared with its type or by `var`.

[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression)] @scope.function
[(block) (constructor_body) (for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement)
 (switch_block_statement_group) (switch_rule)] @scope.block
[(class_declaration) (record_declaration) (interface_declaration) (enum_declaration) (annotation_type_declaration)] @scope.type
(object_creation_expression (class_body) @scope.type)
(enum_constant body: (class_body) @scope.type)

(type_parameter . (type_identifier) @bind)
(formal_parameter type: (_) @type name: (identifier) @bind)
(spread_parameter (variable_declarator name: (identifier) @bind))
(catch_formal_parameter (catch_type . (_) @type .) name: (identifier) @bind)
(catch_formal_parameter name: (identifier) @bind)
(resource type: (_) @type name: (identifier) @bind)
(enhanced_for_statement type: (_) @type name: (identifier) @bind)
(instanceof_expression right: (_) @type name: (identifier) @bind)
(type_pattern (_) @type (identifier) @bind)
(inferred_parameters (identifier) @bind)
(lambda_expression parameters: (identifier) @bind)
((local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind))
  (#not-eq? @type "var"))
((local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind value: (_) @value))
  (#eq? @_type "var"))
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind))

(import_declaration (scoped_identifier) @module (asterisk) @wildcard)

(method_declaration type: (_) @result)

(field_access object: (_) @of field: (identifier) @member) @path.member
(method_invocation object: (_)? @of name: (identifier) @member) @path.method
(method_reference . (_) @of (identifier) @member .) @path.member
(scoped_type_identifier . (_) @of (type_identifier) @member .) @path.member
(scoped_identifier scope: (_) @of name: (identifier) @member) @path.member
(object_creation_expression type: (_) @of) @path.instance
(cast_expression type: (_) @of) @path.instance
(parenthesized_expression (_) @of) @path.same
(generic_type . (_) @of) @path.same
(annotated_type (_) @of .) @path.same
(this) @path.this
(super) @path.super
(method_invocation object: [(string_literal) (class_literal)] @path.outside)
(variable_declarator value: [(string_literal) (decimal_integer_literal) (true) (false)] @path.outside)
