(using_declaration "namespace" @namespace [(identifier) (qualified_identifier)] @path) @import @using
(using_declaration . "using" . (qualified_identifier) @path) @import @using
(namespace_alias_definition name: (_) @alias (_) @path .) @import @using
