(block . (identifier) @_type . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)
  (#any-of? @_type "resource" "data")) @definition.struct
(block . (identifier) @_type . (string_lit (template_literal) @name) (#any-of? @_type "module" "provider")) @definition.module
(block . (identifier) @_type . (string_lit (template_literal) @name) (#any-of? @_type "variable" "output")) @definition.variable
(block . (identifier) @_type (body (attribute . (identifier) @name) @definition.variable) (#eq? @_type "locals"))

(comment) @comment
