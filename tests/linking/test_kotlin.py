"""Calls in Kotlin: packages, declared receivers, extensions, lambdas with a receiver, smart casts, companions."""

from __future__ import annotations

from linked_sources import calls, uses

SOURCES = {
    "src/shop/Cart.kt": """package com.shop

import com.tax.Money
import com.tax.zero as nothing
import com.text.*

class Cart(private val store: Store, name: String) : Base<Item>(name), Listener {
    private val items = mutableListOf<Item>()
    private val byName = HashMap<String, Item>()
    private lateinit var late: Store.Shelf
    val lazily by lazy { Item(1) }

    init {
        store.open()
    }

    constructor(n: Int) : this(Store(), "cart") {
        reset()
    }

    val size: Int
        get() = items.first().weight()

    override fun onChange(changed: Any, item: Item?): Money {
        late.dust()
        lazily.weight()
        items.forEach { it.price() }
        items.map { i -> i.price() }.forEach { m -> m.plus(1) }
        byName["x"]?.price()?.plus(2)
        for (each in items) {
            each.weight()
        }
        item?.let { found -> found.price() }
        item.apply { rename("x") }
        with(store) { shut() }
        if (changed is Special && changed.only()) {
            changed.again()
        }
        when (changed) {
            is Special -> changed.third()
            else -> reset()
        }
        val cast = changed as Special
        cast.fourth()
        val made = create()
        made.total()
        val listener = object : Listener { override fun onChange(changed: Any, item: Item?) = helped() }
        store.each { shelf -> shelf.dust() }
        store.build { inside() }
        "x".shout()
        this@Cart.reset()
        super.reset()
        return nothing()
    }

    fun helped(): Money = Money()
    fun total(): Int = 1
    fun total(n: Int, m: Int = 2): Int = total()

    companion object {
        fun create(): Cart = Cart(1)
    }
}

fun helped() {}

fun use(reset: () -> Unit, price: Int) {
    reset()
    Cart.create().total(1)
    price.shout()
}
""",
    "src/shop/Item.kt": """package com.shop

import com.tax.Money

open class Item(val n: Int) {
    fun price(): Money = Money()
    fun weight() = n
    fun rename(name: String) {}
}

class Special : Item(2) {
    fun only() = true
    fun again() {}
    fun third() {}
    fun fourth() {}
}

open class Base<T>(name: String) { open fun reset() {} }

interface Listener { fun onChange(changed: Any, item: Item?): Money }

class Builder { fun inside() {} }

class Store {
    fun open() {}
    fun shut() {}
    fun each(action: (Shelf) -> Unit) {}
    fun build(block: Builder.() -> Unit) {}
    class Shelf { fun dust() {} }
}
""",
    "src/tax/Money.kt": """package com.tax

class Money { fun plus(n: Int): Money = this }

fun zero(): Money = Money()
""",
    "src/text/Words.kt": """package com.text

fun String.shout(): String = this
""",
    "other/Money.kt": "package other\n\nclass Money { fun plus(n: Int) {} }\n\nfun zero() {}\n",
}


def callees(name: str, path: str = "src/shop/Cart.kt") -> set[tuple[str, str]]:
    return {(callee.rpartition(":")[2], tier) for callee, tier, _ in calls(SOURCES, path, name)}


def test_receivers_of_declared_types() -> None:
    assert callees("open") == {("Store.open", "T3")}
    assert callees("dust") == {("Store.Shelf.dust", "T3")}
    assert callees("price") == {("Item.price", "T3")}
    assert callees("weight") == {("Item.weight", "T3")}
    assert callees("plus") == {("Money.plus", "T3")}


def test_imports_reach_functions_of_packages() -> None:
    assert calls(SOURCES, "src/shop/Cart.kt", "nothing") == {("src/tax/Money.kt:zero", "T1", "resolved")}


def test_members_of_supertypes() -> None:
    assert ("Base.reset", "T2") in callees("reset")
    overrides = {
        (u.caller.rpartition(":")[2], u.callee.rpartition(":")[2]) for u in uses(SOURCES) if u.kind == "override"
    }
    assert ("Cart.onChange", "Listener.onChange") in {(a, b) for a, b in overrides} | {(b, a) for a, b in overrides}
    inherited = {u.callee.rpartition(":")[2] for u in uses(SOURCES) if u.kind == "inherit" and u.callee}
    assert {"Base", "Listener", "Item"} <= inherited


def test_scope_functions_give_their_lambda_the_object() -> None:
    assert {c for c, _ in callees("rename")} == {"Item.rename"}
    assert {c for c, _ in callees("shut")} == {"Store.shut"}


def test_a_declared_function_type_gives_its_lambda_a_receiver() -> None:
    assert {c for c, _ in callees("inside")} == {"Builder.inside"}


def test_smart_casts() -> None:
    for name in ("only", "again", "third", "fourth"):
        assert callees(name) == {(f"Special.{name}", "T3")}, name


def test_extensions_belong_to_the_type_they_extend() -> None:
    sources = {
        **SOURCES,
        "src/shop/More.kt": "package com.shop\n\nfun Item.twice() {}\n\nfun f(i: Item) { i.twice() }\n",
    }
    assert {c for c, _, _ in calls(sources, "src/shop/More.kt", "twice")} == {"src/shop/More.kt:Item.twice"}
    shouted = calls(SOURCES, "src/shop/Cart.kt", "shout")
    assert ("src/text/Words.kt:String.shout", "T3", "resolved") in shouted


def in_use(name: str) -> set[tuple[str, str]]:
    """Return (callee, status) of the calls of a name in the function ``use``."""
    caller = "src/shop/Cart.kt:use"
    return {(u.callee, u.status) for u in uses(SOURCES) if u.kind == "call" and u.name == name and u.caller == caller}


def test_an_extension_of_another_type_is_not_meant() -> None:
    assert in_use("shout") == {("", "external")}, "a number is no text"


def test_companion_members_and_overloads() -> None:
    assert {c for c, _ in callees("create")} == {"Cart.create"}
    sources = {"a.kt": SOURCES["src/shop/Cart.kt"]}
    totals = [u for u in uses(sources) if u.kind == "call" and u.name == "total"]
    lines = {u.line: u.callee for u in totals}
    assert len(totals) == len(lines), "the number of arguments tells overloads apart"


def test_a_parameter_that_holds_a_function_hides_one() -> None:
    assert in_use("reset") == {("", "unresolved")}
    helped = [u for u in uses(SOURCES) if u.kind == "call" and u.name == "helped"]
    assert {u.callee.rpartition(":")[2] for u in helped} == {"Cart.helped"}


def test_only_a_variable_that_holds_a_function_hides_one() -> None:
    source = "fun count() {}\n\nfun use(count: Int) {\n    count()\n}\n"
    assert calls({"a.kt": source}, "a.kt", "count") == {("a.kt:count", "T0", "resolved")}
    source = source.replace("Int", "() -> Unit")
    assert not any(callee for callee, _, _ in calls({"a.kt": source}, "a.kt", "count"))


def test_an_unnamed_object_sees_what_it_inherits() -> None:
    source = (
        "open class Base {\n    fun next() {}\n}\n\nclass Other {\n    fun next() {}\n"
        "    fun make() = object : Base() {\n        fun twice() { next() }\n    }\n}\n"
    )
    assert {c for c, _, _ in calls({"a.kt": source}, "a.kt", "next")} == {"a.kt:Base.next"}


def test_sites_of_accessors_and_delegates_belong_to_the_property() -> None:
    callers = {u.caller.rpartition(":")[2] for u in uses(SOURCES) if u.kind == "call" and u.name in ("weight", "Item")}
    assert {"Cart.size", "Cart.lazily"} <= callers


EXTENSIONS = {
    "lib/text.kt": """package lib

import java.io.File
import java.net.URL

fun File.show(): String = ""
fun URL.show(): String = ""

fun guard(block: () -> Unit) {}
fun Scope.guard(block: () -> Unit) {}

fun use(file: File, thing: elsewhere.Thing) {
    file.show()
    thing.show()
    guard { }
}
""",
}


def test_extensions_of_types_from_outside_are_told_apart_by_the_receiver() -> None:
    found = [u for u in uses(EXTENSIONS) if u.kind == "call" and u.name in ("show", "guard")]
    assert {(u.line, u.callee_line, u.status) for u in found} == {
        (13, 6, "resolved"),
        (14, 6, "ambiguous"),  # a thing from elsewhere may be either
        (14, 7, "ambiguous"),
        (15, 9, "resolved"),  # no receiver is written, so no extension is meant
    }
