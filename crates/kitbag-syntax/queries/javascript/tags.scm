; JavaScript with JSX. Names bound at the top of a module or class are definitions; names inside functions are not. What is put on
; `exports`, on a prototype or on another object is a definition where its value is a function.

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (identifier) @name) @definition.class
; `defineGetter(request, "path", function path() { … })`
(arguments (function_expression name: (identifier) @name) @definition.function)
(method_definition name: (_) @name) @definition.method
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name) @definition.field

; Functions and classes by the name they are bound to, then everything else that is bound, modules that are required aside.
(program [
  (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))
  (variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))
] @definition.function)
(export_statement declaration: (_ (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))) @definition.function
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @definition.class)
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body)))) @definition.class
((program (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value)) @definition.constant)
  (#not-match? @_value "^require\\("))
((program (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value)) @definition.variable)
  (#not-match? @_value "^require\\("))
(program (_ (variable_declarator name: (identifier) @name !value)) @definition.variable)
(export_statement declaration: (_ (variable_declarator name: (identifier) @name))) @definition.constant

; Functions in the object literals that names are bound to.
(variable_declarator value: (object (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))
(variable_declarator value: (object (pair key: (_) value: (object (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))))
(assignment_expression right: (object (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))
(export_statement value: (object (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method))

(export_statement "default" @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
(export_statement "default" @name value: (class body: (_) @body)) @definition.class
(export_statement "default" @name value: [(object) (call_expression)] @body) @definition.constant

; `exports.name = …`, `module.exports = …`, `Type.prototype.name = …`, `object.name = function …`.
((program (expression_statement (assignment_expression
    left: (member_expression object: [(identifier) @_object (member_expression property: (property_identifier) @_object)] property: (property_identifier) @name)
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @definition.function)
  (#eq? @_object "exports"))
((program (expression_statement (assignment_expression
    left: (member_expression object: [(identifier) @_object (member_expression property: (property_identifier) @_object)] property: (property_identifier) @name)
    right: (class body: (_) @body))) @definition.class)
  (#eq? @_object "exports"))
((program (expression_statement (assignment_expression
    left: (member_expression object: [(identifier) @_object (member_expression property: (property_identifier) @_object)] property: (property_identifier) @name)
    right: (_) @_value)) @definition.constant)
  (#eq? @_object "exports") (#not-match? @_value "^require\\("))
((program (expression_statement (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    right: [(function_expression name: (identifier) @name body: (_) @body)])) @definition.function)
  (#eq? @_module "module") (#eq? @_exports "exports"))
((program (expression_statement (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
    right: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)])) @definition.function)
  (#eq? @_module "module") (#eq? @name "exports"))
((program (expression_statement (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    right: (class name: (identifier) @name body: (_) @body))) @definition.class)
  (#eq? @_module "module") (#eq? @_exports "exports"))
((program (expression_statement (assignment_expression
    left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
    right: [(object) (call_expression) (class !name)] @body)) @definition.constant)
  (#eq? @_module "module") (#eq? @name "exports"))
((assignment_expression
    left: (member_expression object: (member_expression object: (_) @container property: (property_identifier) @_prototype) property: (property_identifier) @name)
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @definition.method
  (#eq? @_prototype "prototype"))
((assignment_expression
    left: (member_expression object: [(identifier) (member_expression) (this)] @container property: (property_identifier) @name @export)
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @definition.method
  (#not-match? @container "(prototype|exports)$"))
; Of `a.b = a.c = function …`, the first name.
((assignment_expression left: (member_expression object: (identifier) @container property: (property_identifier) @name @export) @definition.method
    right: (assignment_expression right: (function_expression)))
  (#not-any-of? @container "exports" "module"))
((program (expression_statement (assignment_expression left: (member_expression object: (identifier) @container property: (property_identifier) @name)
    right: [(string) (number) (object) (array) (template_string) (regex) (new_expression) (true) (false) (null)])) @definition.field)
  (#not-any-of? @container "exports" "module") (#not-eq? @name "prototype"))
((assignment_expression left: (member_expression object: (identifier) @name property: (property_identifier) @_prototype) right: (object)) @scope
  (#eq? @_prototype "prototype"))

(export_statement declaration: (_ name: (_) @name)) @span
(decorator) @attach
(comment) @comment

(class_heritage (_) @inherit)

(import_statement source: (string (string_fragment) @import)) @span
(import_statement (import_clause [(identifier) @import.name (namespace_import (identifier) @import.name)]) source: (string (string_fragment) @import)) @span
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name !alias))) source: (string (string_fragment) @import)) @span
(import_statement (import_clause (named_imports (import_specifier alias: (_) @import.name))) source: (string (string_fragment) @import)) @span
(export_statement source: (string (string_fragment) @import)) @span
((call_expression function: [(import) (identifier) @_require] arguments: (arguments . (string (string_fragment) @import)))
  (#eq? @_require "require"))
((program (_ (variable_declarator
    name: [(identifier) @import.name (object_pattern [(shorthand_property_identifier_pattern) @import.name (pair_pattern value: (identifier) @import.name)])]
    value: [
      (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import)))
      (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import))))
      (call_expression function: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import))))
    ])) @span)
  (#eq? @_require "require"))

(export_specifier name: (identifier) @export)
(export_statement value: (identifier) @export)
((assignment_expression
    left: (member_expression property: (property_identifier) @_exports)
    right: [(identifier) @export (object [(shorthand_property_identifier) @export (pair value: (identifier) @export)])])
  (#eq? @_exports "exports"))

(call_expression function: [(identifier) @reference.call (member_expression property: [(property_identifier) (private_property_identifier)] @reference.call)])
(new_expression constructor: [(identifier) @reference.call (member_expression property: (property_identifier) @reference.call)])
(decorator [(identifier) @reference.call (member_expression property: (property_identifier) @reference.call)])
; A component is used by its tag; tags in lower case are the platform's.
([(jsx_opening_element name: (identifier) @reference.call) (jsx_self_closing_element name: (identifier) @reference.call)]
  (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (property_identifier) @reference.call))
(jsx_self_closing_element name: (member_expression property: (property_identifier) @reference.call))

; A module that is passed on under a name: `export * as z from "…"`, or imported whole and listed in an export.
(export_statement (namespace_export (identifier) @name) source: (_)) @definition.module
((program
    (import_statement (import_clause (namespace_import (identifier) @name)) source: (_)) @definition.module
    (export_statement (export_clause (export_specifier name: (identifier) @_passed))))
  (#eq? @name @_passed))
