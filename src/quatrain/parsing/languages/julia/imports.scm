(using_statement (selected_import . [(identifier) (import_path)] @module [(identifier) (operator) (macro_identifier)] @name)) @import
(using_statement (selected_import . [(identifier) (import_path)] @module (import_alias . (_) @name (_) @alias .))) @import
(import_statement (selected_import . [(identifier) (import_path)] @module [(identifier) (operator) (macro_identifier)] @name)) @import
(import_statement (selected_import . [(identifier) (import_path)] @module (import_alias . (_) @name (_) @alias .))) @import
(using_statement [(identifier) (import_path)] @module) @import @everything
(import_statement [(identifier) (import_path)] @module) @import
(import_statement (import_alias . (_) @module (_) @alias .)) @import
(call_expression . (identifier) @_include (argument_list . (string_literal (content) @module) .)
  (#eq? @_include "include")) @import @file
