(call function: (identifier) @_library arguments: (arguments . argument: (argument value: [
    (identifier) @module
    (string content: (_) @module)
  ])) (#any-of? @_library "library" "require" "requireNamespace" "loadNamespace")) @import
(call function: (identifier) @_source arguments: (arguments . argument: (argument value: (string content: (_) @module)))
  (#eq? @_source "source")) @import @file
