(block . (identifier) @_type . (string_lit (template_literal) @alias)
  (body (attribute . (identifier) @_source (expression (literal_value (string_lit (template_literal) @module)))))
  (#eq? @_type "module") (#eq? @_source "source")) @import
