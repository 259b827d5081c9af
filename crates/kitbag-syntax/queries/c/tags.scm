; C, and what C++ has from it. Declarators nest around the name (`char **f(int)`), so the patterns go down some levels.

((function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
  (#not-any-of? @name "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
(function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @definition.function
(function_definition declarator: (_ (_ (function_declarator declarator: (identifier) @name)))) @definition.function
; One that returns a function pointer.
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (_ (function_declarator declarator: (identifier) @name))))) @definition.function
; Functions made by macros: `TEST(Suite, name) { … }`, `TEST_IMPL(name) { … }`.
((function_definition declarator: (function_declarator declarator: (identifier) @_macro parameters: (parameter_list . (_) @container . (_) @name .))) @definition.function
  (#any-of? @_macro "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
(function_definition declarator: (parenthesized_declarator (identifier) @name)) @definition.function

; Prototypes, before the variables, whose wider patterns catch them too. Both are dropped inside functions.
(declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(declaration declarator: (_ (function_declarator declarator: (identifier) @name))) @definition.function
(declaration declarator: (_ (_ (function_declarator declarator: (identifier) @name)))) @definition.function
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (_ (function_declarator declarator: (identifier) @name))))) @definition.function
(declaration (type_qualifier ["const" "constexpr"]) declarator: (init_declarator declarator: (identifier) @name)) @definition.constant
(declaration declarator: (identifier) @name) @definition.variable
(declaration declarator: (_ declarator: (identifier) @name)) @definition.variable
(declaration declarator: (_ declarator: (_ declarator: (identifier) @name))) @definition.variable
(declaration declarator: (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))) @definition.variable

; A struct and the name that its typedef gives it stand beside each other, and are one where the names are equal.
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition type: [(struct_specifier) (union_specifier) (enum_specifier)] @wrapped) @span
(type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] declarator: (type_identifier) @name) @definition.class
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.enum
((type_definition type: [(struct_specifier name: (_) @_tag body: (_)) (union_specifier name: (_) @_tag body: (_))] declarator: (type_identifier) @name) @definition.class
  (#not-eq? @_tag @name))
((type_definition type: (enum_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name) @definition.enum
  (#not-eq? @_tag @name))
(type_definition type: [(struct_specifier !body) (union_specifier !body) (enum_specifier !body)] declarator: (type_identifier) @name) @definition.type
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier)] declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (_ declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))) @definition.type
(type_definition declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name))))) @definition.type
(enumerator name: (identifier) @name) @definition.constant
(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (_ declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (_ declarator: (_ declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))) @definition.field
(field_declaration declarator: (_ declarator: (function_declarator declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name))))) @definition.field

; An empty macro is a switch, unless it guards a header.
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.constant
((preproc_def name: (identifier) @name !value) @definition.macro (#not-match? @name "_(H|HH|HPP|HXX|INCLUDED?)_*$"))

(function_definition . (attribute_specifier) @attach)
(comment) @comment
(preproc_include path: (_) @import) @span

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(type_identifier) @reference.type

; What is left of a head where the parser lost its way.
(ERROR ["struct" "union"] @span . [(type_identifier) (identifier)] @name @definition.class . "{")
(ERROR (function_declarator declarator: (identifier) @name) @definition.function)
