(import_header (identifier) @path (wildcard_import)? @star (import_alias (_) @alias)?) @import
