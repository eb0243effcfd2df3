(class name: (constant) @name) @definition.class
(class name: (scope_resolution) @qualified) @definition.class
(module name: (constant) @name) @definition.module
(module name: (scope_resolution) @qualified) @definition.module
(method name: (_) @name) @definition.method
(singleton_method object: (self) name: (_) @name) @definition.method
(singleton_method object: (_) @owner name: (_) @name) @definition.method
(alias name: (_) @name) @definition.alias
(call !receiver method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @name)
  (#eq? @_alias "alias_method")) @definition.alias
(call !receiver method: (identifier) @_define arguments: (argument_list . [(simple_symbol) (string)] @name)
  (#any-of? @_define "define_method" "define_singleton_method" "scope")) @definition.method
(call !receiver method: (identifier) @_attribute arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_attribute "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor"
   "class_attribute")) @definition.property
(assignment left: (constant) @name right: (call receiver: (constant) @_maker method: (identifier) @_new)
  (#any-of? @_maker "Struct" "Class" "Data") (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name right: (call receiver: (constant) @_maker method: (identifier) @_new)
  (#eq? @_maker "Module") (#eq? @_new "new")) @definition.module
(assignment left: (constant) @name) @definition.constant

(class superclass: (superclass [(constant) (scope_resolution)] @base))
(call !receiver method: (identifier) @_mixin arguments: (argument_list [(constant) (scope_resolution)] @base)
  (#any-of? @_mixin "include" "extend" "prepend"))

; Alone it holds for what follows, with names or definitions after it for those.
((identifier) @access (#any-of? @access "private" "protected" "public"))
(call !receiver method: (identifier) @access arguments: (argument_list [
  (simple_symbol) @named
  (method name: (_) @named)
  (singleton_method name: (_) @named)
  (call arguments: (argument_list (simple_symbol) @named))
  (constant) @named
])
  (#any-of? @access "private" "protected" "public" "private_class_method" "public_class_method" "private_constant"))

(singleton_class body: (_) @reset)

(comment) @comment
