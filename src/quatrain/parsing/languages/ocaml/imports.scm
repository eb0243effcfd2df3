(open_module module: (_) @module) @import
(include_module module: (_) @module) @import
(module_binding (module_name) @alias body: (module_path) @module) @import
