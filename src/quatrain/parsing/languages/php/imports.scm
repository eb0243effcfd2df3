(namespace_use_declaration !body (namespace_use_clause [(name) (qualified_name)] @path !alias)) @import
(namespace_use_declaration !body (namespace_use_clause [(name) (qualified_name)] @path alias: (name) @alias)) @import
(namespace_use_declaration (namespace_name) @module body: (namespace_use_group (namespace_use_clause
  [(name) (qualified_name)] @path !alias))) @import
(namespace_use_declaration (namespace_name) @module body: (namespace_use_group (namespace_use_clause
  [(name) (qualified_name)] @path alias: (name) @alias))) @import

(require_expression [(string (string_content) @module) (encapsed_string (string_content) @module)]) @import @file
(require_once_expression [(string (string_content) @module) (encapsed_string (string_content) @module)]) @import @file
(include_expression [(string (string_content) @module) (encapsed_string (string_content) @module)]) @import @file
(include_once_expression [(string (string_content) @module) (encapsed_string (string_content) @module)]) @import @file
