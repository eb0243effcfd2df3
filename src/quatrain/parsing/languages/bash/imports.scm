(command name: (command_name (word) @_source) argument: (_) @module (#any-of? @_source "source" ".")) @import
