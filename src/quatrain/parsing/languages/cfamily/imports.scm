(preproc_include path: (string_literal) @module) @import @quoted
(preproc_include path: (system_lib_string) @module) @import
