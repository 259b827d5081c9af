; C++, before the patterns of C. What is defined outside of its class is a method of that class: `T Foo::bar()`.

; A constructor's head ends before its initialisers.
(function_definition declarator: (function_declarator declarator: (identifier) @name) (field_initializer_list) @body) @definition.function
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name)) (field_initializer_list) @body) @definition.method
(function_definition declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)) @definition.function
(function_definition declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @definition.function
(function_definition declarator: (_ (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name)))) @definition.function
(function_definition declarator: [(function_declarator declarator: (template_function name: (_) @name)) (_ (function_declarator declarator: (template_function name: (_) @name)))]) @definition.function
(function_definition declarator: (operator_cast "operator" @name type: (_) @name)) @definition.function

(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name) (destructor_name) (template_function)] @name))) @definition.method
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name) (destructor_name)] @name)))) @definition.method
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (qualified_identifier scope: (_) name: (qualified_identifier scope: (_) @container name: (_) @name))))) @definition.method
(function_definition declarator: (_ (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name) (template_function)] @name)))) @definition.method
(function_definition declarator: (_ (function_declarator declarator: (qualified_identifier scope: (_) @container name: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name)] @name))))) @definition.method
(function_definition declarator: (_ (_ (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (operator_name)] @name))))) @definition.method
(function_definition declarator: (qualified_identifier scope: (_) @container name: (operator_cast "operator" @name type: (_) @name))) @definition.method
; A lambda by the name it is bound to.
(declaration declarator: (init_declarator declarator: (identifier) @name value: (lambda_expression body: (_) @body))) @definition.function

(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @definition.method
(field_declaration declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @definition.method
(field_declaration declarator: (_ (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name)))) @definition.method
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(declaration declarator: (function_declarator declarator: [(destructor_name) (operator_name)] @name)) @definition.function
(declaration declarator: (_ (function_declarator declarator: (operator_name) @name))) @definition.function
(declaration declarator: (operator_cast "operator" @name type: (_) @name)) @definition.function
(declaration declarator: (init_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator declarator: (qualified_identifier scope: (_) @container name: (qualified_identifier scope: (_) @container name: (identifier) @name)))) @definition.variable
(declaration declarator: (reference_declarator (identifier) @name)) @definition.variable

(class_specifier name: [(type_identifier) @name (template_type name: (_) @name)] body: (_)) @definition.class
(struct_specifier name: (template_type name: (_) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier scope: (_) @container name: [(type_identifier) @name (template_type name: (_) @name)]) body: (_)) @definition.class
(struct_specifier name: (qualified_identifier scope: (_) @container name: [(type_identifier) @name (template_type name: (_) @name)]) body: (_)) @definition.class
; `class EXPORT Foo { … }`: the grammar takes the macro for the name, and the class for a function.
(function_definition type: [(class_specifier !body) (struct_specifier !body)] . declarator: (identifier) @name) @definition.class
(function_definition type: [(class_specifier !body) (struct_specifier !body)] (ERROR . (identifier) @name) declarator: (identifier) @inherit) @definition.class
; `BEGIN_NAMESPACE namespace foo { … }`: likewise.
((function_definition type: (type_identifier) (ERROR) @_error . declarator: (identifier) @name) @definition.module (#eq? @_error "namespace"))
((function_definition type: (type_identifier) declarator: (identifier) @_word . (ERROR . (identifier) @name)) @definition.module (#eq? @_word "namespace"))
(namespace_definition name: (_) @name) @definition.module
(namespace_alias_definition name: (_) @name) @definition.module
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.interface
(type_definition type: [(qualified_identifier) (template_type) (decltype)] declarator: (type_identifier) @name) @definition.type

(template_declaration [(function_definition) (declaration) (field_declaration) (class_specifier) (struct_specifier) (union_specifier) (alias_declaration) (concept_definition)] @wrapped) @span
(template_declaration (template_declaration [(function_definition) (declaration) (class_specifier) (struct_specifier)] @wrapped)) @span
(template_declaration (friend_declaration [(function_definition) (declaration)] @wrapped)) @span
(friend_declaration [(function_definition) (declaration)] @wrapped) @span
(linkage_specification body: [(function_definition) (declaration)] @wrapped) @span
(attribute_declaration) @attach

; Classes begin private; a namespace without a name is private throughout.
(field_declaration_list (access_specifier ["private" "protected"]) @private)
(field_declaration_list (access_specifier "public") @public)
(class_specifier body: (field_declaration_list . "{" @private))
(struct_specifier body: (field_declaration_list . "{" @public))
(namespace_definition !name body: (declaration_list . "{" @private "}" @public .))

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @inherit)
(call_expression function: (qualified_identifier) @reference.call)
(call_expression function: (template_function name: (_) @reference.call))
(call_expression function: (field_expression field: (template_method name: (_) @reference.call)))
(new_expression type: [(type_identifier) (qualified_identifier) (template_type)] @reference.call)
(ERROR "class" @span . (_) @name @definition.class . "{")
