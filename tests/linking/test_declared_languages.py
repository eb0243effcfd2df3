"""Calls in languages that declare their types: packages, imports, receivers, inheritance, members defined elsewhere."""

from __future__ import annotations

import pytest
from linked_sources import calls, uses

GO = {
    "go.mod": "",
    "shop/cart.go": """package shop

import "example.com/app/tax"

type Item struct{ price tax.Money }

type Cart struct {
	Base
	items []*Item
	byName map[string]*Item
	log Logger
}

type Logger interface{ Print(s string) }

type Base struct{}

func (b *Base) Reset() {}

func (i *Item) Price() tax.Money { return i.price }

func NewCart() (*Cart, error) { return &Cart{}, nil }

func (c *Cart) Total() tax.Money {
	c.Reset()
	for _, item := range c.items {
		item.Price().Add(1)
	}
	c.byName["x"].Price()
	c.log.Print("done")
	return tax.Zero()
}
""",
    "shop/more.go": """package shop

func use() {
	cart, err := NewCart()
	if err != nil {
		return
	}
	cart.Total()
	var any interface{} = cart
	if again, ok := any.(*Cart); ok {
		again.Reset()
	}
	func(total func()) { total() }(nil)
}
""",
    "tax/money.go": """package tax

type Money struct{}

func Zero() Money { return Money{} }

func (m Money) Add(n int) Money { return m }
""",
    "other/cart.go": "package other\n\nfunc NewCart() {}\n",
}


def test_go_methods_of_receivers_fields_and_results() -> None:
    assert calls(GO, "shop/cart.go", "Reset") == {("shop/cart.go:Base.Reset", "T3", "resolved")}
    assert calls(GO, "shop/cart.go", "Price") == {("shop/cart.go:Item.Price", "T3", "resolved")}
    assert calls(GO, "shop/cart.go", "Add") == {("tax/money.go:Money.Add", "T3", "resolved")}
    assert calls(GO, "shop/cart.go", "Print") == {("shop/cart.go:Logger.Print", "T3", "resolved")}
    assert calls(GO, "shop/cart.go", "Zero") == {("tax/money.go:Zero", "T1", "resolved")}


def test_go_packages_are_folders() -> None:
    assert calls(GO, "shop/more.go", "NewCart") == {("shop/cart.go:NewCart", "T1", "resolved")}
    assert calls(GO, "shop/more.go", "Total") == {("shop/cart.go:Cart.Total", "T3", "resolved")}
    assert calls(GO, "shop/more.go", "Reset") == {("shop/cart.go:Base.Reset", "T3", "resolved")}


def test_go_a_parameter_hides_a_function() -> None:
    sources = {"a.go": "package a\n\nfunc total() {}\n\nfunc run(total func()) { total() }\n"}
    assert not any(callee for callee, _, _ in calls(sources, "a.go", "total"))


JAVA = {
    "src/com/shop/Cart.java": """package com.shop;

import com.tax.Money;
import static com.tax.Money.zero;
import java.util.*;

public class Cart extends Base<Item> implements Closeable {
  private final Map<String, Item> items = new HashMap<>();
  private final List<Item> list = new ArrayList<>();
  private Money price;

  Cart(Money price) { super(price); this.price = price; }

  Money total(int n) {
    reset();
    for (Item item : list) { item.price(); }
    items.get("x").price();
    var made = new Item();
    made.price().add(1).add(2);
    list.stream().filter(i -> i.isCheap()).count();
    Money price = price(price);
    if (made instanceof Special special) { special.only(); }
    return zero();
  }

  Money total() { return total(1); }
  Money price(Money m) { return m; }
  void unknown(Object o) { o.total(1, 2, 3); Integer.parseInt("1"); }
}
""",
    "src/com/shop/Item.java": """package com.shop;

import com.tax.Money;

class Item {
  Money price() { return null; }
  boolean isCheap() { return true; }
}

class Special extends Item { void only() {} Money price() { return null; } }

abstract class Base<T> { Base(Money m) {} void reset() {} }
""",
    "src/com/tax/Money.java": """package com.tax;

public class Money {
  public static Money zero() { return new Money(); }
  public Money add(int n) { return this; }
  static int parseInt(String s) { return 0; }
}
""",
}


@pytest.mark.parametrize(
    ("name", "callee", "tier"),
    [
        ("reset", "src/com/shop/Item.java:com.shop.Base.reset", "T1"),
        ("isCheap", "src/com/shop/Item.java:com.shop.Item.isCheap", "T3"),
        ("add", "src/com/tax/Money.java:com.tax.Money.add", "T3"),
        ("only", "src/com/shop/Item.java:com.shop.Special.only", "T3"),
        ("zero", "src/com/tax/Money.java:com.tax.Money.zero", "T1"),
        ("Item", "src/com/shop/Item.java:com.shop.Item", "T1"),
        ("super", "src/com/shop/Item.java:com.shop.Base", "T2"),
    ],
)
def test_java(name: str, callee: str, tier: str) -> None:
    local = callee.replace("com.shop.", "").replace("com.tax.", "")
    assert calls(JAVA, "src/com/shop/Cart.java", name) == {(local, tier, "resolved")}


def test_java_overloads_are_told_apart_by_their_arguments() -> None:
    cart = [u for u in uses(JAVA) if u.kind == "call" and u.name == "total" and u.callee]
    assert {(u.line, u.caller.rsplit(".", 1)[-1]) for u in cart} == {(26, "total")}
    assert len(cart) == 1


def test_java_a_variable_does_not_hide_a_method() -> None:
    found = calls(JAVA, "src/com/shop/Cart.java", "price")
    assert ("src/com/shop/Cart.java:Cart.price", "T0", "resolved") in found
    assert ("src/com/shop/Item.java:Item.price", "T3", "resolved") in found


def test_java_a_library_class_is_not_an_own_method() -> None:
    assert {status for _, _, status in calls(JAVA, "src/com/shop/Cart.java", "parseInt")} == {"external"}


def test_java_overriding_methods_may_be_dispatched_to() -> None:
    found = {(u.caller, u.callee) for u in uses(JAVA) if u.kind == "override"}
    assert ("src/com/shop/Item.java:Item.price", "src/com/shop/Item.java:Special.price") in found


CSHARP = {
    "Shop/Cart.cs": """using System.Collections.Generic;
using Tax;

namespace Shop
{
    public partial class Cart : Base
    {
        private readonly List<Item> _items = new();
        public Money Price { get; set; }
        public Cart(Money price) : base(price) { Price = price; this.Init(); }
        public Money Total()
        {
            Reset();
            foreach (var item in _items) item.Cost().Add(1);
            Item made = new Item();
            made?.Cost();
            if (made is Special s) s.Only();
            Helper();
            return Price.Add(2);
        }
    }
}
""",
    "Shop/Cart.Part.cs": "namespace Shop { public partial class Cart { void Helper() {} void Init() {} } }\n",
    "Shop/Item.cs": """using Tax;
namespace Shop {
    public class Item { public Money Cost() => null; }
    public class Special : Item { public void Only() {} }
    public class Base { public Base(Money m) {} protected void Reset() {} }
}
""",
    "Tax/Money.cs": "namespace Tax;\n\npublic class Money { public Money Add(int n) => this; }\n",
}


@pytest.mark.parametrize(
    ("name", "callee"),
    [
        ("Reset", "Shop/Item.cs:Shop.Base.Reset"),
        ("Cost", "Shop/Item.cs:Shop.Item.Cost"),
        ("Add", "Tax/Money.cs:Tax.Money.Add"),
        ("Only", "Shop/Item.cs:Shop.Special.Only"),
        ("Helper", "Shop/Cart.Part.cs:Shop.Cart.Helper"),
        ("Init", "Shop/Cart.Part.cs:Shop.Cart.Init"),
        ("Item", "Shop/Item.cs:Shop.Item"),
        ("base", "Shop/Item.cs:Shop.Base"),
    ],
)
def test_csharp(name: str, callee: str) -> None:
    found = calls(CSHARP, "Shop/Cart.cs", name)
    assert {(c.replace("Money.cs:Money", "Money.cs:Tax.Money"), s) for c, _, s in found} == {(callee, "resolved")}


RUST = {
    "Cargo.toml": "",
    "src/lib.rs": """mod tax;
mod shop;
use crate::tax::{Money, zero};
use shop::cart as basket;

pub fn run() {
    let cart = basket::Cart::new(zero());
    cart.total().add(1);
    let again = basket::make().unwrap();
    again.reset();
    local(&again);
}

fn local(cart: &basket::Cart) { cart.log(); }
""",
    "src/tax.rs": """pub struct Money { pub n: u32 }
impl Money { pub fn add(&self, n: u32) -> Money { Money { n } } }
pub fn zero() -> Money { Money { n: 0 } }
""",
    "src/shop/mod.rs": "pub mod cart;\n",
    "src/shop/cart.rs": """use super::super::tax::Money;

pub trait Log { fn log(&self) { self.line(); } fn line(&self); }

pub struct Cart { items: Vec<Item>, price: Option<Box<Money>> }

pub struct Item { pub price: Money }

pub enum Either { Left(Item), Right { item: Item } }

impl Item { fn cost(&self) -> &Money { &self.price } }

impl Cart {
    pub fn new(price: Money) -> Self { Self { items: vec![], price: None } }
    pub fn total(&self) -> Money {
        for item in self.items.iter() { item.cost().add(1); }
        if let Some(price) = &self.price { price.add(2); }
        self.items.iter().map(|i| i.cost()).count();
        Self::helper();
        println!("{}", self.line());
        Money { n: 1 }
    }
    pub fn reset(&self) {}
    fn helper() {}
}

impl Log for Cart { fn line(&self) {} }

pub fn make() -> Result<Cart, String> { Err(String::new()) }

fn either(e: Either) { match e { Either::Left(l) => { l.cost(); } Either::Right { item } => { item.cost(); } } }
""",
}


@pytest.mark.parametrize(
    ("path", "name", "callee"),
    [
        ("src/lib.rs", "new", "src/shop/cart.rs:Cart.new"),
        ("src/lib.rs", "total", "src/shop/cart.rs:Cart.total"),
        ("src/lib.rs", "add", "src/tax.rs:Money.add"),
        ("src/lib.rs", "zero", "src/tax.rs:zero"),
        ("src/lib.rs", "make", "src/shop/cart.rs:make"),
        ("src/lib.rs", "reset", "src/shop/cart.rs:Cart.reset"),
        ("src/lib.rs", "log", "src/shop/cart.rs:Log.log"),
        ("src/lib.rs", "local", "src/lib.rs:local"),
        ("src/shop/cart.rs", "cost", "src/shop/cart.rs:Item.cost"),
        ("src/shop/cart.rs", "add", "src/tax.rs:Money.add"),
        ("src/shop/cart.rs", "helper", "src/shop/cart.rs:Cart.helper"),
    ],
)
def test_rust(path: str, name: str, callee: str) -> None:
    assert {(c, s) for c, _, s in calls(RUST, path, name)} == {(callee, "resolved")}


PHP = {
    "src/Cart.php": """<?php
namespace Shop;

use Tax\\Money;
use function Tax\\zero;

class Cart extends Base implements Closeable
{
    use Logs;

    private ?Item $item;

    public function __construct(private Money $price) { parent::__construct(); $this->item = new Item(); }

    public function total(Item $other, $total): Money
    {
        $this->reset();
        $this->log('x');
        $this->item->cost()->add(1);
        $this->price->add(2);
        $other->cost();
        self::make()->total($other);
        foreach ($this->item as $x) { $x->unknown(); }
        $total();
        return zero();
    }

    public static function make(): static { return new static(zero()); }
}
""",
    "src/Item.php": """<?php
namespace Shop;
use Tax\\Money;
class Item { public function cost(): Money { return new Money(); } }
abstract class Base { public function __construct() {} protected function reset() {} }
trait Logs { private function log(string $s) {} }
interface Closeable {}
function total() {}
""",
    "src/Money.php": """<?php
namespace Tax;
class Money { public function add(int $n): Money { return $this; } }
function zero(): Money { return new Money(); }
""",
}


@pytest.mark.parametrize(
    ("name", "callee"),
    [
        ("reset", "src/Item.php:Base.reset"),
        ("log", "src/Item.php:Logs.log"),
        ("cost", "src/Item.php:Item.cost"),
        ("add", "src/Money.php:Money.add"),
        ("make", "src/Cart.php:Cart.make"),
        ("zero", "src/Money.php:zero"),
        ("Item", "src/Item.php:Item"),
        ("__construct", "src/Item.php:Base.__construct"),
    ],
)
def test_php(name: str, callee: str) -> None:
    assert {(c, s) for c, _, s in calls(PHP, "src/Cart.php", name)} == {(callee, "resolved")}


def test_php_a_variable_is_no_function() -> None:
    found = calls(PHP, "src/Cart.php", "total")
    assert ("src/Item.php:total", "T1", "resolved") not in found
    assert ("src/Cart.php:Cart.total", "T3", "resolved") in found


RUBY = {
    "lib/shop/cart.rb": """require 'shop/item'

module Shop
  class Cart < Base
    include Logs

    def initialize(price)
      @item = Item.new
      super()
      reset
    end

    def total(other)
      log 'x'
      @item.cost
      self.helper
      Item.cheap.cost
      made = Shop::Item.new
      made.cost
      log = 1
      log
    end

    def helper; end
  end
end
""",
    "lib/shop/item.rb": """module Shop
  class Base
    def initialize; end
    def reset; end
  end

  module Logs
    def log(s); end
  end

  class Item
    def self.cheap; new; end
    def cost; end
  end
end
""",
}


@pytest.mark.parametrize(
    ("name", "callee", "lines"),
    [
        ("reset", "lib/shop/item.rb:Shop.Base.reset", {10}),
        ("log", "lib/shop/item.rb:Shop.Logs.log", {14}),
        ("cost", "lib/shop/item.rb:Shop.Item.cost", {15, 17, 19}),
        ("helper", "lib/shop/cart.rb:Shop.Cart.helper", {16}),
        ("super", "lib/shop/item.rb:Shop.Base.initialize", {9}),
        ("Item", "lib/shop/item.rb:Shop.Item", {8, 18}),
    ],
)
def test_ruby(name: str, callee: str, lines: set[int]) -> None:
    found = [u for u in uses(RUBY) if u.kind == "call" and u.path.endswith("cart.rb") and u.name == name]
    assert {(u.callee, u.status) for u in found} == {(callee, "resolved")}
    assert {u.line for u in found} == lines


CPP = {
    "shop/cart.h": """#pragma once
#include "item.h"
#include <vector>
#include <memory>

namespace shop {

class Cart : public Base {
 public:
  explicit Cart(Money price);
  Money total() const;
  static Cart* make();

 private:
  std::vector<Item> items_;
  std::unique_ptr<Item> item_;
  Money price_;
};

int count(const Cart& cart);

}  // namespace shop
""",
    "shop/item.h": """#pragma once

namespace shop {
struct Money { Money add(int n) const { return *this; } };
struct Item { Money cost() const; };
class Base { protected: void reset() const; };
inline int twice(int n) { return 2 * n; }
}  // namespace shop
""",
    "shop/cart.cc": """#include "cart.h"

namespace shop {

static void local() {}

Cart::Cart(Money price) : price_(price) { local(); }

Money Cart::total() const {
  reset();
  for (const auto& item : items_) { item.cost().add(1); }
  item_->cost();
  price_.add(2);
  Cart* other = Cart::make();
  other->total();
  twice(count(*other));
  return price_;
}

Cart* Cart::make() { return new Cart(Money()); }

int count(const Cart& cart) { cart.total(); return 1; }

}  // namespace shop
""",
    "other/local.cc": "static void local() {}\nvoid far() { local(); }\n",
}


@pytest.mark.parametrize(
    ("name", "callee"),
    [
        ("reset", "shop/item.h:shop.Base.reset"),
        ("cost", "shop/item.h:shop.Item.cost"),
        ("add", "shop/item.h:shop.Money.add"),
        ("make", "shop/cart.cc:shop.Cart.make"),
        ("total", "shop/cart.cc:shop.Cart.total"),
        ("twice", "shop/item.h:shop.twice"),
        ("count", "shop/cart.cc:shop.count"),
        ("local", "shop/cart.cc:shop.local"),
    ],
)
def test_cpp(name: str, callee: str) -> None:
    assert {(c, s) for c, _, s in calls(CPP, "shop/cart.cc", name)} == {(callee, "resolved")}


C = {
    "include/uv.h": "int uv_start(void);\nint uv_poll(int n);\n",
    "src/core.c": '#include "uv.h"\n\nstatic int check(int n) { return n; }\n\nint uv_start(void) { return uv_poll(check(1)); }\n',
    "src/unix/poll.c": '#include "uv.h"\nstatic int check(int n) { return -n; }\nint uv_poll(int n) { return check(n); }\n',
    "src/win/poll.c": '#include "uv.h"\nint uv_poll(int n) { return n; }\n',
}


def test_c_a_header_announces_and_another_file_defines() -> None:
    found = calls(C, "src/core.c", "uv_poll")
    assert {c for c, _, _ in found} == {"src/unix/poll.c:uv_poll", "src/win/poll.c:uv_poll"}
    assert calls(C, "src/core.c", "check") == {("src/core.c:check", "T0", "resolved")}
    assert calls(C, "src/unix/poll.c", "check") == {("src/unix/poll.c:check", "T0", "resolved")}


def test_c_several_platforms_without_a_header_are_ambiguous() -> None:
    sources = {path: text.replace('#include "uv.h"\n', "") for path, text in C.items() if path != "include/uv.h"}
    found = calls(sources, "src/core.c", "uv_poll")
    assert {(t, s) for _, t, s in found} == {("T5", "ambiguous")} and len(found) == 2


def test_languages_do_not_meet() -> None:
    sources = {
        "a.go": "package a\n\nfunc Shared() {}\n",
        "b.py": "def f():\n    Shared()\n",
        "c.rb": "def g\n  Shared()\nend\n",
        "D.java": "class D { void h() { Shared(); } }\n",
        "e.c": "void k(void) { Shared(); }\n",
    }
    assert not [u for u in uses(sources) if u.name == "Shared" and u.callee]


def java_calls(source: str, name: str) -> set[tuple[str, int]]:
    found = [u for u in uses({"A.java": source}) if u.kind == "call" and u.name == name]
    return {(u.callee.rpartition(":")[2] if u.status == "resolved" else u.status, u.line) for u in found}


def test_java_overloads_are_told_apart_by_types_and_found_above() -> None:
    source = (
        "class P {\n  void put(Object o, int n) {}\n}\n"
        "class Q extends P {\n  void put(String s) {}\n  void put(int n) {}\n  void many(long n) {}\n  void many(boolean b) {}\n"
        "  void f(String s, int n) {\n    put(s);\n    put(s, n);\n    many(n);\n  }\n}\n"
    )
    files = {"A.java": source}
    lines = {s.line: s.callee for s in uses(files) if s.kind == "call" and s.status == "resolved"}
    assert lines[11] == "A.java:P.put", "the class itself has none that takes two"
    assert len([u for u in uses(files) if u.kind == "call" and u.name == "put" and u.line == 10]) == 1
    assert len([u for u in uses(files) if u.kind == "call" and u.name == "many"]) == 1


def test_java_each_call_chooses_among_overloads_by_its_own_arguments() -> None:
    source = (
        "class Q {\n  void put(Object o) {}\n  void put(String s) {}\n  void put(int n) {}\n"
        "  void pair(Object o, String s) {}\n  void pair(String s, String t) {}\n}\n"
        "class R {\n  void f(Q q, String s, int n, Object o) {\n"
        "    q.put(s);\n    q.put(n);\n    q.put(o);\n    q.pair(s, s);\n    q.pair(o, s);\n  }\n}\n"
    )
    found = [u for u in uses({"A.java": source}) if u.kind == "call" and u.name in ("put", "pair")]
    assert {u.status for u in found} == {"resolved"}
    assert sorted((u.line, u.callee_line) for u in found) == [(10, 3), (11, 4), (12, 2), (13, 6), (14, 5)]


def test_java_super_means_no_interface() -> None:
    source = (
        "interface I {}\nclass B {}\nclass C implements I {\n  C() { super(); }\n}\n"
        "class D extends B implements I {\n  D() { super(); }\n}\n"
    )
    assert java_calls(source, "super") == {("external", 4), ("B", 7)}


def test_java_an_unnamed_class_sees_what_it_inherits() -> None:
    source = (
        "class Base {\n  int next() { return 1; }\n}\nclass Holder {\n  int next() { return 2; }\n"
        "  Base make() {\n    return new Base() {\n      int twice() { return next(); }\n    };\n  }\n}\n"
    )
    assert java_calls(source, "next") == {("Base.next", 8)}


def test_java_elements_of_an_annotation_are_called() -> None:
    source = (
        "@interface Since {\n  double value();\n}\nclass F {\n  double f(Since since) { return since.value(); }\n}\n"
    )
    assert java_calls(source, "value") == {("Since.value", 5)}


def test_c_a_function_of_the_library_is_not_the_one_that_replaces_it_elsewhere() -> None:
    sources = {
        "win/snprintf.c": "int snprintf(char *s, int n) { return n; }\n",
        "win/own.c": "int own_helper(int n) { return n; }\n",
        "unix/a.c": "#include <stdio.h>\nint f(char *s) { return snprintf(s, 1) + own_helper(2); }\n",
    }
    assert calls(sources, "unix/a.c", "snprintf") == {("win/snprintf.c:snprintf", "T5", "ambiguous")}
    assert calls(sources, "unix/a.c", "own_helper") == {("win/own.c:own_helper", "T1", "resolved")}
    declared = sources | {
        "unix/a.c": '#include "own.h"\n' + sources["unix/a.c"],
        "unix/own.h": "int snprintf(char *, int);\n",
    }
    assert calls(declared, "unix/a.c", "snprintf") == {("win/snprintf.c:snprintf", "T5", "ambiguous")}


SYSTEMS = {
    "include/own.h": "#ifndef OWN_H\n#define OWN_H\nint now(void);\nint lock(int);\nint pick(void);\n#endif\n",
    "src/common.c": '#include "own.h"\nint f(void) { return now() + pick(); }\n',
    "src/unix/time.c": '#include "own.h"\nint now(void) { return lock(1); }\n',
    "src/unix/lock.c": '#include "own.h"\nint lock(int n) { return n; }\n',
    "src/win/time.c": '#include "own.h"\nint now(void) { return lock(2); }\nint pick(void) { return 1; }\n',
    "src/win/lock.c": '#include "own.h"\nint lock(int n) { return n; }\n',
    "tools/run.c": '#include "own.h"\n#ifdef ALONE\nint pick(void) { return 2; }\n#endif\nint main(void) { return pick(); }\n',
    "tools/more.c": '#include "own.h"\nint g(void) { return pick(); }\n',
}


def test_c_functions_of_several_systems_are_a_choice_but_to_their_own_folder() -> None:
    both = {(f"src/{s}/time.c:now", "T5", "ambiguous") for s in ("unix", "win")}
    assert calls(SYSTEMS, "src/common.c", "now") == both
    for system in ("unix", "win"):
        path = f"src/{system}/time.c"
        assert calls(SYSTEMS, path, "lock") == {(f"src/{system}/lock.c:lock", "T1", "resolved")}


@pytest.mark.parametrize("path", ["tools/run.c", "tools/more.c", "src/common.c"])
def test_c_a_function_that_some_builds_compile_is_a_choice(path: str) -> None:
    choice = {("tools/run.c:pick", "T5", "ambiguous"), ("src/win/time.c:pick", "T5", "ambiguous")}
    assert calls(SYSTEMS, path, "pick") == choice


def test_c_alternatives_in_one_file_and_the_guard_of_a_header_are_no_choice() -> None:
    sources = {
        "a.c": '#include "b.h"\n#ifdef FAST\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n'
        "int g(void) { return f() + h(); }\n",
        "b.h": "#ifndef B_H\n#define B_H\nint h(void) { return 0; }\n#endif\n",
        "c/d.c": "int f(void) { return 3; }\nint h(void) { return 4; }\n",
    }
    assert {(c, s) for c, _, s in calls(sources, "a.c", "f")} == {("a.c:f", "resolved")}
    assert {(c, s) for c, _, s in calls(sources, "a.c", "h")} == {("b.h:h", "resolved")}


def test_c_of_several_files_that_may_be_included_one_is() -> None:
    poll = "static int add(int n) { return n; }\n"
    sources = {
        "ae.c": '#ifdef EPOLL\n#include "ae_epoll.c"\n#else\n#include "ae_kqueue.c"\n#endif\nint f(void) { return add(1); }\n',
        "ae_epoll.c": poll,
        "ae_kqueue.c": poll,
    }
    assert {s for _, _, s in calls(sources, "ae.c", "add")} == {"ambiguous"}


def test_cpp_a_method_of_several_systems_is_a_choice_and_an_overload_is_not() -> None:
    sources = {
        "file.hpp": "struct A {};\nstruct B {};\nclass File {\n public:\n  int open(A a);\n  int size(A a);\n  int size(B b);\n};\n",
        "posix/file.cc": '#include "../file.hpp"\nint File::open(A a) { return 0; }\nint File::size(A a) { return 0; }\n',
        "win/file.cc": '#include "../file.hpp"\nint File::open(A a) { return 0; }\n',
        "size.cc": '#include "file.hpp"\nint File::size(B b) { return 0; }\n',
        "main.cc": '#include "file.hpp"\nint f(File g, A a) { return g.open(a) + g.size(a); }\n',
    }
    assert calls(sources, "main.cc", "open") == {
        ("posix/file.cc:File.open", "T5", "ambiguous"),
        ("win/file.cc:File.open", "T5", "ambiguous"),
    }
    assert {s for _, _, s in calls(sources, "main.cc", "size")} == {"resolved"}


def test_cpp_a_method_defined_away_from_its_class_goes_before_the_one_it_overrides() -> None:
    sources = {
        "a.hpp": "class Base {\n public:\n  int run() { return 0; }\n};\nclass Below : public Base {\n public:\n  int run();\n};\n",
        "a.cc": '#include "a.hpp"\nint Below::run() { return 1; }\n',
        "main.cc": '#include "a.hpp"\nint f(Below b) { return b.run(); }\n',
    }
    assert calls(sources, "main.cc", "run") == {("a.cc:Below.run", "T3", "resolved")}


RUBY_KINDS = {
    "lib/shelf.rb": """class Shelf
  include Helpers
  module Helpers
    def label; code; end
  end

  class Raw
    include Helpers
    def code; end
  end

  class << self
    def parse(s); new(s); end
    def build; parse('x'); end
  end

  def parse; end
  def code; end

  def again
    parse
    self.class.new('y')
    self.class.parse('z')
    label
  end
end

class Kiosk
  def ask
    Shelf.parse('s')
    shelf = Shelf.new
    shelf.parse
    kind = Shelf
    kind.new
  end
end
""",
}


@pytest.mark.parametrize(
    ("line", "name", "callees"),
    [
        (14, "parse", {"Shelf.parse 13"}),  # in ``class << self`` the class is meant
        (13, "new", {"Shelf 1"}),
        (21, "parse", {"Shelf.parse 17"}),
        (22, "new", {"Shelf 1"}),
        (23, "parse", {"Shelf.parse 13"}),
        (24, "label", {"Shelf.Helpers.label 4"}),  # the module is declared in the class that includes it
        (30, "parse", {"Shelf.parse 13"}),
        (32, "parse", {"Shelf.parse 17"}),
        (34, "new", {"Shelf 1"}),
    ],
)
def test_ruby_classes_and_their_instances(line: int, name: str, callees: set[str]) -> None:
    found = [u for u in uses(RUBY_KINDS) if u.kind == "call" and (u.line, u.name) == (line, name)]
    assert {u.status for u in found} == {"resolved"}
    assert {f"{u.callee.rpartition(':')[2]} {u.callee_line}" for u in found} == callees


def test_ruby_mixin_asks_its_includers() -> None:
    found = [u for u in uses(RUBY_KINDS) if u.kind == "call" and u.line == 4 and u.name == "code"]
    assert {(u.callee.rpartition(":")[2], u.status, u.tier) for u in found} == {
        ("Shelf.code", "ambiguous", "T5"),
        ("Shelf.Raw.code", "ambiguous", "T5"),
    }
