; JavaScript, and with typescript/facts.scm TypeScript: facts. `facts.rs` lists the words.

(call_expression function: (identifier) @callee arguments: (arguments) @arguments) @call
(call_expression function: (member_expression object: (_) @receiver property: (_) @callee) arguments: (arguments) @arguments) @call
(call_expression function: [(identifier) @callee (member_expression object: (_) @receiver property: (_) @callee)] arguments: (template_string) @argument) @call
(new_expression constructor: [(identifier) @callee (member_expression object: (_) @receiver property: (_) @callee)] arguments: (_)? @arguments) @call
(decorator [
  (identifier) @callee
  (call_expression function: (identifier) @callee arguments: (_) @arguments)
  (call_expression function: (member_expression object: (_) @receiver property: (_) @callee) arguments: (_) @arguments)
]) @mark
(class_declaration name: (_) @name (class_heritage)? @bases) @type
(class name: (_) @name (class_heritage)? @bases) @type
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name) @function
[(arrow_function) (function_expression)] @block
(arrow_function parameter: (identifier) @name @parameter)
(variable_declarator name: (_) @name value: (_)? @value) @bind
(assignment_expression left: [(identifier) (member_expression)] @name right: (_) @value) @bind
(import_statement (import_clause (identifier) @name) source: (_) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @item alias: (_)? @name))) source: (_) @module) @import
(import_statement (import_clause (namespace_import (identifier) @name)) source: (_) @module) @import
((export_statement value: (_) @value) @bind (#set! name "default"))
(export_statement (export_clause (export_specifier name: (_) @item alias: (_)? @name)) source: (_) @module) @import
(export_statement (export_clause (export_specifier name: (_) @value alias: (_) @name)) !source) @bind
(export_statement (export_clause (export_specifier name: (_) @name @value !alias)) !source) @bind
((export_statement "*" source: (_) @module) @import (#set! name "*"))
(export_statement (namespace_export (_) @name) source: (_) @module) @import
(throw_statement (_) @value) @raise
(catch_clause) @catch
(for_in_statement left: (_) @name right: (_) @value) @loop

[(string) (template_string)] @text
(binary_expression operator: "+") @joined
[(array) (object)] @list
(pair key: (_) @key value: (_) @value) @pair
