; Python. A name that is assigned anywhere in a function belongs to that function; names of a class are members only.

[(module) (ERROR)] @dynamic
[(function_definition) (lambda)] @scope.function
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope.block
(class_definition) @scope.type

; Parameters.
(parameters (identifier) @bind)
(lambda_parameters (identifier) @bind)
(parameters (typed_parameter . (identifier) @bind type: (type) @type))
(typed_default_parameter name: (identifier) @bind type: (type) @type)
(default_parameter name: (identifier) @bind)
(list_splat_pattern (identifier) @bind)
(dictionary_splat_pattern (identifier) @bind)

(class_definition body: (block (function_definition parameters: (parameters . (identifier) @this))))
(class_definition body: (block (decorated_definition definition: (function_definition parameters: (parameters . (identifier) @this)))))
(class_definition body: (block (decorated_definition (decorator (identifier) @_decorator)
  definition: (function_definition parameters: (parameters . (identifier) @this.type)))) (#eq? @_decorator "classmethod"))
(class_definition body: (block (decorated_definition (decorator (identifier) @_decorator)
  definition: (function_definition parameters: (parameters . (identifier) @this.none)))) (#eq? @_decorator "staticmethod"))
(class_definition body: (block (function_definition name: (identifier) @_name parameters: (parameters . (identifier) @this.type)))
  (#any-of? @_name "__new__" "__init_subclass__" "__class_getitem__"))

; Assignments.
(assignment left: (identifier) @bind right: (_) @value)
(assignment left: (identifier) @bind type: (type) @type)
(named_expression name: (identifier) @bind value: (_) @value)
(pattern_list (identifier) @bind)
(tuple_pattern (identifier) @bind)
(list_pattern (identifier) @bind)
(for_statement left: (identifier) @bind)
(for_in_clause left: (identifier) @bind)
(with_item value: (as_pattern . (_) @value alias: (as_pattern_target (identifier) @bind)) (#set! then ".__enter__()"))
(with_item value: (as_pattern alias: (as_pattern_target [(tuple (identifier) @bind) (list (identifier) @bind)])))
(except_clause (as_pattern . (identifier) @type alias: (as_pattern_target (identifier) @bind)))
(except_clause (as_pattern . [(tuple) (attribute)] alias: (as_pattern_target (identifier) @bind)))
(case_pattern (dotted_name . (identifier) @bind .))
(case_clause (case_pattern (as_pattern (identifier) @bind .)))
(augmented_assignment left: (identifier) @bind)
(global_statement (identifier) @outer.file)
(nonlocal_statement (identifier) @outer)
(assignment left: (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute) right: (_) @value)
(assignment left: (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute) type: (type) @type)
; Attributes that are assigned by patterns: what they get is not known.
[(pattern_list (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (tuple_pattern (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (list_pattern (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (list_splat_pattern (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (for_statement left: (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (for_in_clause left: (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (augmented_assignment left: (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (as_pattern_target (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute))
 (as_pattern_target (tuple (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute)))
 (as_pattern_target (list (attribute object: (identifier) @attribute.of attribute: (identifier) @attribute)))]

; Imports.
(import_statement name: (dotted_name . (identifier) @bind) @module)
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @bind))
(import_from_statement module_name: (_) @module name: (dotted_name) @bind @item)
(import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name) @item alias: (identifier) @bind))
(import_from_statement module_name: (_) @module (wildcard_import) @wildcard)

; Results.
(function_definition return_type: (type) @result)
(return_statement (_) @return)
(yield) @yield
(decorated_definition (decorator [(identifier) @_decorator (attribute attribute: (identifier) @_decorator)])
  definition: (function_definition name: (identifier) @property) (#any-of? @_decorator "property" "cached_property"))
(decorated_definition (decorator (_) @_decorator) definition: (function_definition name: (identifier) @opaque)
  (#not-any-of? @_decorator "property" "cached_property" "functools.cached_property" "staticmethod" "classmethod" "abstractmethod"
   "abc.abstractmethod" "override" "typing.override" "final" "overload" "typing.overload" "t.overload" "cache" "functools.cache"
   "lru_cache" "functools.lru_cache"))

; Expressions.
(attribute object: (_) @of attribute: (identifier) @member) @path.member
(call function: (_) @of) @path.call
((call function: (identifier) @_type) @path.outside
  (#any-of? @_type "dict" "list" "set" "frozenset" "tuple" "str" "bytes" "bytearray" "int" "float" "bool"))
((call function: (identifier) @_super) @path.super (#eq? @_super "super"))
(parenthesized_expression (_) @of) @path.same
(await (_) @of) @path.same
(type (_) @of) @path.same
(type (string (string_content) @of)) @path.same
((type (identifier) @path.this_type) (#eq? @path.this_type "Self"))
(binary_operator left: (_) @of operator: "|" right: (none)) @path.same
(binary_operator left: (none) operator: "|" right: (_) @of) @path.same
(union_type . (type) @of . (type (none)) .) @path.same
(union_type . (type (none)) . (type) @of .) @path.same
(member_type (type) @of (identifier) @member) @path.member
((generic_type (identifier) @_name (type_parameter . (type) @of .)) @path.same (#any-of? @_name "Optional" "ClassVar" "Final" "Annotated"))
((subscript value: (identifier) @_name subscript: (_) @of) @path.same (#eq? @_name "Optional"))
((generic_type (identifier) @of) @path.same
  (#not-any-of? @of "Optional" "ClassVar" "Final" "Annotated" "Union" "Type" "type" "Awaitable" "Coroutine" "Callable" "Self"))
(assignment right: [(string) (concatenated_string) (integer) (float) (list) (dictionary) (set) (tuple) (true) (false)
  (list_comprehension) (dictionary_comprehension) (set_comprehension) (comparison_operator) (not_operator)] @path.outside)
(return_statement [(string) (concatenated_string) (integer) (float) (list) (dictionary) (set) (tuple) (true) (false)
  (list_comprehension) (dictionary_comprehension) (set_comprehension) (comparison_operator) (not_operator)] @path.outside)
(attribute object: [(string) (concatenated_string) (list) (dictionary) (set) (tuple)] @path.outside)
(none) @path.nothing
