; TypeScript and TSX. Names bound at the top of a module, namespace or class are definitions; names inside functions are not.

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module

(method_definition name: (_) @name) @definition.method
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(public_field_definition name: (_) @name) @definition.field
(interface_body (property_signature name: (_) @name) @definition.field)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @definition.field))
(enum_assignment name: (_) @name) @definition.constant
(enum_body name: (property_identifier) @name @definition.constant)

; Arrow functions and function expressions by the name they are bound to, then everything else that is bound.
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @definition.function)
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @definition.function)
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable)
(internal_module body: (statement_block (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
; Functions in the object literal that a constant is.
(variable_declarator value: (object (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))
(export_statement "default" @name value: (arrow_function body: (_) @body)) @definition.function
(export_statement "default" @name value: (class body: (_) @body)) @definition.class
(export_statement "default" @name value: [(object) (call_expression)] @body) @definition.constant
(assignment_expression left: (member_expression object: (_) @container property: (property_identifier) @name) right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method

(export_statement declaration: (_ name: (_) @name)) @span
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @span
(ambient_declaration (_ name: (_) @name)) @span
(decorator) @attach
(comment) @comment

(class_heritage (extends_clause value: (_) @inherit))
(implements_clause (type_identifier) @inherit)
(implements_clause (generic_type name: (_) @inherit))
(extends_type_clause type: (_) @inherit)

(import_statement source: (string (string_fragment) @import)) @span
(import_statement (import_clause (identifier) @import.name) source: (string (string_fragment) @import)) @span
(import_statement (import_clause (namespace_import (identifier) @import.name)) source: (string (string_fragment) @import)) @span
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name !alias))) source: (string (string_fragment) @import)) @span
(import_statement (import_clause (named_imports (import_specifier alias: (_) @import.name))) source: (string (string_fragment) @import)) @span
(export_statement source: (string (string_fragment) @import)) @span
(import_require_clause (identifier) @import.name source: (string (string_fragment) @import))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import)))
(export_specifier name: (identifier) @export)
(export_statement value: (identifier) @export)

(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression property: [(property_identifier) (private_property_identifier)] @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression property: (property_identifier) @reference.call))
(type_identifier) @reference.type

; A module that is passed on under a name: `export * as z from "…"`, or imported whole and listed in an export.
(export_statement (namespace_export (identifier) @name) source: (_)) @definition.module
((program
    (import_statement (import_clause (namespace_import (identifier) @name)) source: (_)) @definition.module
    (export_statement (export_clause (export_specifier name: (identifier) @_passed))))
  (#eq? @name @_passed))
