(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition) @function) @definition.function
(binary_operator lhs: (extract_operator lhs: (_) @owner rhs: (identifier) @name) operator: ["<-" "=" "<<-"]
  rhs: (function_definition) @function) @definition.function
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (call function: (identifier) @_class)
  (#any-of? @_class "R6Class" "setRefClass" "new_class")) @definition.class)
(program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @definition.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @definition.variable)
(call function: (identifier) @_class arguments: (arguments . argument: (argument value: (string content: (_) @name)))
  (#any-of? @_class "setClass" "setRefClass")) @definition.class
(call function: (identifier) @_generic arguments: (arguments . argument: (argument value: (string content: (_) @name)))
  (#any-of? @_generic "setGeneric" "setMethod")) @definition.function
(call function: (identifier) @_list arguments: (arguments argument: (argument name: (identifier) @name
  value: (function_definition) @function) @definition.method) (#eq? @_list "list"))

(comment) @comment
