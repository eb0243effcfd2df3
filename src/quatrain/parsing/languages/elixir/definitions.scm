(call target: (identifier) @_kind (arguments . (alias) @name) (#eq? @_kind "defmodule")) @definition.module
(call target: (identifier) @_kind (arguments . (alias) @name) (#eq? @_kind "defprotocol")) @definition.interface
(call target: (identifier) @_kind (arguments . (alias) (keywords (pair value: (alias) @name))) (#eq? @_kind "defimpl")) @definition.impl
(call target: (identifier) @_kind (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: (call target: (identifier) @name) operator: "when")
    (binary_operator left: (identifier) @name operator: "when")
  ]) (#any-of? @_kind "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @definition.function
; Operators: def left + right, def -value.
(call target: (identifier) @_kind (arguments . [
    (binary_operator operator: _ @name)
    (unary_operator operator: _ @name)
    (binary_operator left: (binary_operator operator: _ @name) operator: "when")
  ]) (#any-of? @_kind "def" "defp" "defguard" "defguardp") (#not-eq? @name "when")) @definition.function
(call target: (identifier) @_kind (arguments . [
    (binary_operator operator: _ @name)
    (unary_operator operator: _ @name)
    (binary_operator left: (binary_operator operator: _ @name) operator: "when")
  ]) (#any-of? @_kind "defmacro" "defmacrop") (#not-eq? @name "when")) @definition.macro
(call target: (identifier) @_kind (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ]) (#any-of? @_kind "defmacro" "defmacrop")) @definition.macro
(unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . (binary_operator
    left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))
  (#any-of? @_kind "type" "typep" "opaque")) @definition.type
(unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . (binary_operator
    left: (call target: (identifier) @name) operator: "::")))
  (#any-of? @_kind "callback" "macrocallback")) @definition.prototype
(call target: (identifier) @_kind (arguments . (keywords (pair key: (keyword) @name)))
  (#eq? @_kind "defstruct")) @definition.field
(call target: (identifier) @_kind (arguments . (list (atom) @name)) (#any-of? @_kind "defstruct" "defexception")) @definition.field
(do_block (unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @definition.constant
  (#not-match? @name "^(doc|moduledoc|typedoc|spec|typep?|opaque|(macro)?callback|impl|behaviour|derive|deprecated|since|enforce_keys|compile|dialyzer|external_resource|(before|after)_compile|on_load|optional_callbacks|shortdoc|recursive|requirements|preferred_cli_env|tag|moduletag|describetag)$"))

(unary_operator operator: "@" operand: (call target: (identifier) @_kind (arguments . (alias) @base))
  (#eq? @_kind "behaviour"))
(call target: (identifier) @_kind (arguments . (alias) @base (keywords)) (#eq? @_kind "defimpl"))
