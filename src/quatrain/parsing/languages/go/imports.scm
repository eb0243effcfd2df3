(import_spec !name path: (_) @module) @import
(import_spec name: (_) @alias path: (_) @module) @import
