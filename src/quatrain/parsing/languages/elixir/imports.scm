(call target: (identifier) @_kind (arguments) (#any-of? @_kind "alias" "import" "use" "require")) @import @tree
