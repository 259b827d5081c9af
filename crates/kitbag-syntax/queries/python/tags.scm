; Python. Docstrings are documentation inside what they document; constants are assignments at the top of a module or class.

((module) @_file (#set! nesting "indents"))

(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(module (expression_statement (assignment left: (identifier) @name)) @definition.constant)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.field))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type

(decorated_definition definition: (_ name: (identifier) @name)) @span
(decorator) @attach
(comment) @comment

(module . (expression_statement (string) @doc))
(module . (comment)+ . (expression_statement (string) @doc))
(class_definition body: (block . (expression_statement (string) @doc)))
(function_definition body: (block . (expression_statement (string) @doc)))

(class_definition superclasses: (argument_list (identifier) @inherit))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))

(import_statement name: (dotted_name) @import) @span
(import_statement name: (aliased_import name: (dotted_name) @import alias: (identifier) @import.name)) @span
(import_from_statement module_name: (_) @import name: (dotted_name) @import.name) @span
(import_from_statement module_name: (_) @import name: (aliased_import alias: (identifier) @import.name)) @span
(import_from_statement module_name: (_) @import (wildcard_import)) @span
(future_import_statement "__future__" @import) @span

(call function: (identifier) @reference.call)
(call function: (attribute attribute: (identifier) @reference.call))
(type (identifier) @reference.type)
(type (generic_type (identifier) @reference.type))
(type (attribute attribute: (identifier) @reference.type))
(decorator (identifier) @reference.call)
(decorator (attribute attribute: (identifier) @reference.call))
