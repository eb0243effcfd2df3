"""The real thing: every verb against a real index of a small project, and the bad input of a bad day."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import quatrain
from quatrain.cli import main

SHOP = {
    "shop/__init__.py": "",
    "shop/cart.py": '''"""The shopping cart."""

from shop.money import add_tax


class Cart:
    """Holds what a customer wants to buy."""

    def total_price(self):
        """Return the sum of all prices, tax included."""
        return add_tax(sum(self.prices))
''',
    "shop/money.py": '''"""Arithmetic with money."""


def add_tax(amount):
    """Add value added tax to an amount."""
    if amount < 0:
        raise ValueError("E_NEGATIVE: nobody pays less than nothing")
    return amount * 1.2
''',
    "README.md": "# Shop\n\nA cart with taxes.\n",
    "logo.png": "not really",
    "deploy.key": "secret",
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop") / "code"
    for name, text in SHOP.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert main(["index", str(root), "--index-dir", str(root.parent / "index")]) == 0
    return root


@pytest.fixture
def run(shop: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str, index_dir: Path | None = None) -> tuple[int, str, str]:
        where = ["--index-dir", str(index_dir or shop.parent / "index")]
        code = main([words[0], *where, *words[1:]])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("search", "where is add_tax defined"), "shop/money.py:4: function shop.money.add_tax"),
        (("search", '"E_NEGATIVE"'), "shop/money.py:"),
        (("search", "who calls add_tax"), "shop/cart.py:11:"),
        (("search", "how is tax added to a price"), "shop/"),
        (("search", "cart with taxes", "--content", "docs"), "README.md:1:"),
        (("symbol", "Cart"), "shop/cart.py:6: class shop.cart.Cart"),
        (("callers", "add_tax"), "shop/cart.py:11: shop.cart.Cart.total_price  call"),
        (("callees", "Cart.total_price"), "shop/cart.py:11:"),
        (("refs", "add_tax"), "shop/cart.py:"),
        (("impact", "add_tax"), "shop/cart.py:11:"),
        (("impact", "shop/money.py"), "shop/cart.py:"),
        (("path", "Cart.total_price", "shop/money.py"), "shop/cart.py:11: shop.money.add_tax  call"),
        (("hubs",), "shop/"),
        (("grep", "E_NEGATIVE"), 'shop/money.py:7:        raise ValueError("E_NEGATIVE: nobody'),
        (("grep", "-E", r"def \w+_tax"), "shop/money.py:4:def add_tax(amount):"),
    ],
)
def test_the_first_line_of_every_verb(run: Run, shop: Path, words: tuple[str, ...], first: str) -> None:
    code, out, err = run(*words, str(shop))
    assert code == 0, err
    assert out.startswith(f"{shop}/{first}"), out


@pytest.mark.parametrize(
    "words",
    [
        ("search", "who calls add_tax"),
        ("symbol", "Cart"),
        ("callers", "add_tax"),
        ("grep", "tax"),
        ("status",),
        ("similar", "shop/money.py:4"),
    ],
)
def test_json_equals_the_library(run: Run, shop: Path, words: tuple[str, ...]) -> None:
    code, out, _ = run(*words, str(shop), "--json")
    document = json.loads(out)
    index = quatrain.open(shop, index_dir=shop.parent / "index", refresh=False)
    ask = {
        "search": lambda: index.search(words[1]),
        "symbol": lambda: index.find_symbol(words[1]),
        "callers": lambda: index.callers(words[1]),
        "grep": lambda: index.grep(words[1]),
        "status": index.status,
        "similar": lambda: index.similar("shop/money.py", 4),
    }[words[0]]
    expected = json.loads(json.dumps(ask().to_dict()))
    for answer in (document, expected):
        answer.pop("timings_us", None)
    assert document == expected
    assert code in (0, 1)


def test_a_search_without_an_index_builds_it(run: Run, shop: Path, tmp_path: Path) -> None:
    code, out, _ = run("search", "where is add_tax defined", str(shop), index_dir=tmp_path / "new")
    assert (code, out.startswith(f"{shop}/shop/money.py:4:")) == (0, True)
    code, out, err = run("search", "add_tax", str(shop), "--no-refresh", index_dir=tmp_path / "none")
    assert (code, out) == (2, "")
    assert "run `quatrain index`" in err


def test_a_changed_file_is_found_at_once(run: Run, shop: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(shop, tmp_path / "copy")
    index = tmp_path / "index"
    run("index", str(copy), index_dir=index)
    (copy / "shop/new.py").write_text("def refund(amount):\n    return -amount\n")
    code, out, _ = run("symbol", "refund", str(copy), index_dir=index)
    assert (code, out.splitlines()[0]) == (0, f"{copy}/shop/new.py:1: function shop.new.refund")
    (copy / "shop/new.py").unlink()
    assert run("symbol", "refund", str(copy), index_dir=index)[0] == 1


def test_the_impact_of_an_edit(run: Run, shop: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(shop, tmp_path / "copy")
    code, out, err = run("impact", str(copy), "--diff", index_dir=tmp_path / "index")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no git work tree" in err
    git = ["git", "-C", str(copy), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    assert run("impact", str(copy), "--diff", index_dir=tmp_path / "index")[:2] == (1, "")
    money = copy / "shop/money.py"
    money.write_text(money.read_text().replace("E_NEGATIVE", "E_BELOW_ZERO"))
    code, out, _ = run("impact", str(copy), "--diff", index_dir=tmp_path / "index")
    assert code == 0
    assert out.startswith(f"{copy}/shop/cart.py:11: shop.cart.Cart.total_price  call")
    code, out, err = run("impact", "--diff", "no-such-branch", str(copy), index_dir=tmp_path / "index")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_what_is_left_out_is_listed(run: Run, shop: Path) -> None:
    _, out, _ = run("status", "--skipped", str(shop))
    assert out == f"{shop}/deploy.key: secret-looking name\n{shop}/logo.png: binary\n"


def test_nothing_found_is_one(run: Run, shop: Path) -> None:
    assert run("grep", "no such thing", str(shop))[:2] == (1, "")
    assert run("symbol", "no_such_thing", str(shop))[:2] == (1, "")
    assert run("search", '"no such thing"', "--modalities", "text", str(shop))[:2] == (1, "")


@pytest.mark.parametrize(
    "words",
    [
        ("search", ""),
        ("search", "   "),
        ("search", "x" * 100_000),
        ("search", "a\0b"),
        ("search", "tax", "--modalities", "smell"),
        ("search", "tax", "--lang", "klingon"),
        ("search", "tax lang:klingon"),
        ("search", "tax", "--weights", "smell=1"),
        ("grep", ""),
        ("grep", "-E", "(unclosed"),
        ("grep", "tax", "--cursor", "not a cursor"),
        ("similar", "shop/nowhere.py:1"),
        ("similar", "shop/cart.py:9999"),
        ("similar", "../../../etc/passwd:1"),
        ("similar", "/etc/passwd:1"),
        ("symbol", ""),
        ("symbol", "a\0b"),
        ("callers", "no_such_thing"),
        ("impact", "no_such_thing"),
        ("impact", "shop/nothing.py"),
        ("path", "Cart", "no_such_thing"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_bad_input_is_one_line_and_two(run: Run, shop: Path, words: tuple[str, ...]) -> None:
    code, out, err = run(*words, str(shop))
    assert (code, out) == (2, "")
    assert err.startswith("quatrain")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert "set QUATRAIN_DEBUG=1" not in err, "foreseen, so typed"


def test_roots_that_are_none(run: Run, shop: Path, tmp_path: Path) -> None:
    for root in (tmp_path / "nowhere", shop / "README.md"):
        code, out, err = run("search", "x", str(root), index_dir=tmp_path / "i")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "set QUATRAIN_DEBUG=1" not in err
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/a.png").write_text("x")
    code, _, err = run("index", str(tmp_path / "pictures"), index_dir=tmp_path / "j")
    assert code == 2
    assert "1 binary" in err


def test_a_damaged_index_is_reported(run: Run, shop: Path, tmp_path: Path) -> None:
    index = shutil.copytree(shop.parent / "index", tmp_path / "index")
    segment = max((p for p in index.iterdir() if p.is_file()), key=lambda p: p.stat().st_size)
    segment.chmod(0o600)
    raw = bytearray(segment.read_bytes())
    for position in range(0, len(raw), 97):
        raw[position] ^= 0xFF
    segment.write_bytes(raw)
    code, _, err = run("check", str(shop), index_dir=index)
    assert code == 2
    assert "Traceback" not in err
    code, out, _ = run("symbol", "Cart", str(shop), index_dir=index)
    assert (code, out.startswith(f"{shop}/shop/cart.py:6")) == (0, True), "made anew from the source"


def test_as_a_process_in_the_current_folder(shop: Path) -> None:
    source = str(Path(quatrain.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-m", "quatrain", "symbol", "Cart", "--index-dir", shop.parent / "index"],
        cwd=shop,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("shop/cart.py:6: class shop.cart.Cart\n")
