((call target: (identifier) @call) (#not-match? @call "^(def.*|doc|moduledoc|typedoc|spec|typep?|opaque|impl|if|unless|case|cond|with|for|fn|quote|unquote|receive|try)$"))
(call target: (dot left: (_) @receiver right: (identifier) @call))
(binary_operator operator: "|>" right: (identifier) @call)
; &name/1
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @use))
(unary_operator operator: "@" operand: (identifier) @use)
(alias) @type
