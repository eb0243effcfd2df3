; A lambda bound to a name is a function; other assignments count outside functions only (the extractor drops locals).
(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class

(assignment left: (identifier) @name right: (lambda) @function) @definition.function
(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment left: (pattern_list (identifier) @name)) @definition.variable)
(module [
  (if_statement consequence: (block (assignment left: (identifier) @name) @definition.variable))
  (if_statement alternative: (_ body: (block (assignment left: (identifier) @name) @definition.variable)))
  (try_statement body: (block (assignment left: (identifier) @name) @definition.variable))
  (try_statement (except_clause (block (assignment left: (identifier) @name) @definition.variable)))
])
(class_definition body: (block (assignment left: (identifier) @name) @definition.variable))
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type

(decorated_definition (decorator)+ @decorator definition: (_) @decorated) @outer

(class_definition superclasses: (argument_list [
  (identifier) @base
  (attribute) @base
  (subscript value: [(identifier) (attribute)] @base)
]))

; Left out of signatures; what documents a definition is its string.
(comment) @comment
