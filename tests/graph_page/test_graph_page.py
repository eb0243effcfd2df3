"""The picture of callers and callees: what it holds, that it is harmless, and that a browser draws it."""

from __future__ import annotations

import hashlib
import html.parser
import json
import re
import shutil
import subprocess
import time
import urllib.request
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import quatrain
from quatrain.cli import main
from quatrain.errors import BadQuery, SymbolNotFound
from quatrain.graph_page import neighbourhood, page

HOSTILE = "</script><script>document.title='broken'</script><img src=http://a.example/x onerror=alert(1)>"


def view_of(root: Path) -> Any:
    return quatrain.build(root, embedder="none", workers=1).view


def write(root: Path, **files: str) -> Path:
    root.mkdir()
    for name, text in files.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    return root


def named(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["name"]: node for node in data["nodes"]}


def pairs(data: dict[str, Any]) -> set[tuple[str, str]]:
    return {(data["nodes"][edge["from"]]["name"], data["nodes"][edge["to"]]["name"]) for edge in data["edges"]}


class Elements(html.parser.HTMLParser):
    """The elements of a page as a browser splits them: (tag, attributes, text of a script or style)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes), ""))

    def handle_data(self, text: str) -> None:
        if self.cdata_elem is not None:  # inside a script or style
            tag, attributes, before = self.found[-1]
            self.found[-1] = tag, attributes, before + text


# --- what it holds ------------------------------------------------------------------------------------------------------------


def test_callers_are_left_and_callees_right(project: Path) -> None:
    data = neighbourhood(view_of(project), "shop.cart.Cart.total_price", depth=1)
    levels = {name: node["level"] for name, node in named(data).items()}
    assert levels == {
        "shop.cart.Cart.total_price": 0,
        "shop.cart.Cart.checkout": -1,
        "test_cart.test_total_price": -1,
        "shop.money.add_tax": 1,
    }
    nodes = named(data)
    assert nodes["shop.money.add_tax"]["tier"] == "T1"
    assert nodes["shop.cart.Cart.checkout"]["tier"] == "T2"
    assert nodes["test_cart.test_total_price"]["tier"] == "T3"
    assert [name for name, node in nodes.items() if node["test"]] == ["test_cart.test_total_price"]
    assert (nodes["shop.money.add_tax"]["path"], nodes["shop.money.add_tax"]["line"]) == ("shop/money.py", 6)
    assert (nodes["shop.money.add_tax"]["callers"], nodes["shop.money.add_tax"]["callees"]) == (1, 0)
    assert pairs(data) == {
        ("shop.cart.Cart.checkout", "shop.cart.Cart.total_price"),
        ("test_cart.test_total_price", "shop.cart.Cart.total_price"),
        ("shop.cart.Cart.total_price", "shop.money.add_tax"),
    }


def test_an_edge_has_its_site(project: Path) -> None:
    data = neighbourhood(view_of(project), "add_tax", depth=1)
    (edge,) = data["edges"]
    assert (edge["tier"], edge["status"], edge["count"]) == ("T1", "resolved", 1)
    (site,) = edge["sites"]
    assert (site["path"], site["line"]) == ("shop/cart.py", 14)
    assert site["text"] == "return add_tax(sum(item.price for item in self.items))"
    assert (site["caller"], site["callee"]) == ("shop.cart.Cart.total_price", "shop.money.add_tax")


def test_depth_counts_steps(project: Path) -> None:
    view = view_of(project)
    for depth, furthest in ((1, -1), (2, -2), (5, -2)):
        nodes = named(neighbourhood(view, "add_tax", depth=depth))
        assert min(node["level"] for node in nodes.values()) == furthest
    assert nodes["shop.cart.Cart.checkout"]["level"] == -2
    both = nodes["shop.cart.Cart.checkout"]["confidence"]
    assert both < nodes["shop.cart.Cart.total_price"]["confidence"] < 1  # a product along the way


def test_members_stand_for_their_class(project: Path) -> None:
    data = neighbourhood(view_of(project), "shop.cart.Cart", depth=2)
    nodes = named(data)
    assert set(nodes) == {"shop.cart.Cart", "shop.money.add_tax", "test_cart.test_total_price"}
    (edge,) = [edge for edge in data["edges"] if edge["to"] == 0]
    assert {site["callee"] for site in edge["sites"]} == {"shop.cart.Cart", "shop.cart.Cart.total_price"}
    assert all(edge["from"] != edge["to"] for edge in data["edges"])


def test_all_definitions_of_a_name_are_in_the_middle(project: Path) -> None:
    data = neighbourhood(view_of(project), "total_price", depth=1)
    centres = [node["path"] for node in data["nodes"] if node["level"] == 0]
    assert sorted(centres) == ["shop/cart.py", "vendor/cart.py"]
    assert {node["path"] for node in data["nodes"] if node["level"] == 1} == {"shop/money.py"}


def test_overrides_may_dispatch(tmp_path: Path) -> None:
    root = write(
        tmp_path / "shapes",
        shapes=(
            "class Shape:\n    def area(self):\n        return 0\n\n\n"
            "class Square(Shape):\n    def area(self):\n        return 1\n\n\n"
            "def show(shape: Shape):\n    return shape.area()\n"
        ),
    )
    data = neighbourhood(view_of(root), "shapes.Shape.area", depth=1, min_confidence=0)
    nodes = named(data)
    assert nodes["shapes.show"]["level"] == -1 and nodes["shapes.show"]["status"] == "resolved"
    assert nodes["shapes.Square.area"]["level"] == 1 and nodes["shapes.Square.area"]["status"] == "may_dispatch"


def test_a_circle_is_drawn_once_and_ends(tmp_path: Path) -> None:
    root = write(tmp_path / "ring", ring="def a():\n    b()\n\n\ndef b():\n    c()\n\n\ndef c():\n    a()\n    c()\n")
    data = neighbourhood(view_of(root), "ring.a", depth=9)
    assert {name: node["level"] for name, node in named(data).items()} == {"ring.a": 0, "ring.b": 1, "ring.c": -1}
    assert pairs(data) == {("ring.a", "ring.b"), ("ring.b", "ring.c"), ("ring.c", "ring.a")}


def test_what_does_not_fit_is_counted_and_both_sides_get_room(tmp_path: Path) -> None:
    callers = "".join(f"def caller_{i:02}():\n    hub()\n\n\n" for i in range(30))
    callees = "".join(f"def callee_{i:02}():\n    pass\n\n\n" for i in range(30))
    hub = "def hub():\n" + "".join(f"    callee_{i:02}()\n" for i in range(30)) + "\n\n"
    view = view_of(write(tmp_path / "busy", busy=callers + callees + hub))
    levels = [node["level"] for node in neighbourhood(view, "busy.hub", depth=1, limit=21)["nodes"]]
    assert (levels.count(-1), levels.count(0), levels.count(1)) == (10, 1, 10)
    assert neighbourhood(view, "busy.hub", depth=1, limit=21)["cut"] == {"-1": 20, "1": 20}
    whole = neighbourhood(view, "busy.hub", depth=1)
    assert len(whole["nodes"]) == 61 and whole["cut"] == {}
    one_sided = neighbourhood(view, "busy.callee_00", depth=2, limit=21)  # no callees, so callers may take all
    assert [node["level"] for node in one_sided["nodes"]].count(-2) == 19 and one_sided["cut"] == {"-2": 11}


def test_edges_that_are_too_unsure_are_left_out_and_counted(project: Path) -> None:
    view = view_of(project)
    sure = neighbourhood(view, "shop.cart.Cart.total_price", depth=1, min_confidence=0.985)
    assert set(named(sure)) == {"shop.cart.Cart.total_price", "shop.money.add_tax"}
    everything = neighbourhood(view, "shop.cart.Cart.total_price", depth=1, min_confidence=0)
    assert min(edge["confidence"] for edge in everything["edges"]) < 0.985
    with pytest.raises(BadQuery):
        neighbourhood(view, "add_tax", min_confidence=1.5)
    with pytest.raises(BadQuery):
        neighbourhood(view, "add_tax", depth=0)
    with pytest.raises(SymbolNotFound):
        neighbourhood(view, "no_such_name")


# --- that it is harmless ------------------------------------------------------------------------------------------------------


def hostile_page(data: dict[str, Any]) -> str:
    data["symbol"] = HOSTILE
    for node in data["nodes"]:
        node["name"] = f"x{node['id']}.{HOSTILE}"
        node["path"] = node["signature"] = node["docstring"] = HOSTILE + "<!--<script>\u2028\ud800"
    for edge in data["edges"]:
        for site in edge["sites"]:
            site["text"] = site["path"] = HOSTILE + "<!--<script>"
    return page(data)


def test_names_cannot_end_the_data(project: Path) -> None:
    data = neighbourhood(view_of(project), "shop.cart.Cart.total_price")
    text = hostile_page(data)
    text.encode("utf-8")
    found = Elements(text).found
    scripts = [(attributes, body) for tag, attributes, body in found if tag == "script"]
    assert len(scripts) == 3 and not [tag for tag, _, _ in found if tag == "img"]
    assert json.loads(scripts[0][1]) == data
    assert HOSTILE not in text


def test_the_page_can_load_nothing(project: Path) -> None:
    text = page(neighbourhood(view_of(project), "add_tax"))
    found = Elements(text).found
    for tag, attributes, body in found:
        assert not {"src", "href", "srcset", "action", "style"} & set(attributes), tag
        assert not any(name.startswith("on") for name in attributes), tag
        if tag == "style":
            assert "url(" not in body and "@import" not in body
    (policy,) = [
        a["content"] or "" for t, a, _ in found if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'" and rules["base-uri"] == "'none'" and rules["form-action"] == "'none'"
    assert set(rules) == {"default-src", "script-src", "style-src", "base-uri", "form-action"}
    bodies = [body for tag, attributes, body in found if tag == "script" and "type" not in attributes]
    hashes = {f"'sha256-{b64encode(hashlib.sha256(body.encode()).digest()).decode()}'" for body in bodies}
    assert set(rules["script-src"].split()) == hashes and len(hashes) == 2
    assert "sourceMappingURL" not in text


def test_the_page_is_the_same_every_time(project: Path) -> None:
    view = view_of(project)
    assert page(neighbourhood(view, "add_tax")) == page(neighbourhood(view, "add_tax"))


# --- the command --------------------------------------------------------------------------------------------------------------


def test_the_command_writes_the_page(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "picture.html"
    words = ["graph", "add_tax", str(project), "--embedder", "none", "--depth", "1", "--html"]
    assert main([*words, str(target)]) == 0
    assert "2 definitions, 1 edges" in capsys.readouterr().out
    data = json.loads(Elements(target.read_text("utf-8")).found[-3][2])
    assert (data["symbol"], data["depth"], len(data["nodes"])) == ("add_tax", 1, 2)
    assert main([*words, str(tmp_path / "no" / "such" / "folder.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["graph", "nothing_here", str(project), "--html", str(target)]) == 2
    assert main(["graph", "add_tax", str(project)]) == 2


# --- in a browser -------------------------------------------------------------------------------------------------------------

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--virtual-time-budget=5000", "--window-size=1400,900",
)  # fmt: skip


def opened(text: str, folder: Path) -> dict[str, str | None]:
    """Return what the page says about itself after Chromium has drawn it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("there is no Chromium here")
    target = folder / "picture.html"
    target.write_text(text, encoding="utf-8", newline="\n")
    ran = subprocess.run(
        [chromium, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", target.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    found = Elements(ran.stdout).found
    root = next(attributes for tag, attributes, _ in found if tag == "html")
    root["canvas"] = str([tag for tag, _, _ in found].count("canvas"))
    root["images"] = str([tag for tag, _, _ in found].count("img"))
    root["details"] = " ".join(
        re.sub(r"<[^>]*>", "", ran.stdout.partition('<section id="details"')[2].partition("</section>")[0]).split()
    )
    root["title"] = ran.stdout.partition("<title>")[2].partition("</title>")[0]
    return root


def test_a_browser_draws_it(project: Path, tmp_path: Path) -> None:
    data = neighbourhood(view_of(project), "shop.cart.Cart.total_price")
    root = opened(page(data), tmp_path)
    assert (root["data-state"], root.get("data-error"), root.get("data-violations")) == ("drawn", None, None)
    assert (root["data-nodes"], root["data-edges"], root["data-requests"], root["canvas"]) == ("4", "3", "0", "1")
    assert root["data-centre"] == "shop.cart.Cart.total_price"
    assert "Callers (2)" in (root["details"] or "") and "shop/cart.py:14" in (root["details"] or "")


class Driven:
    """A page in a Chromium that takes clicks, spoken to over WebDriver."""

    def __init__(self, text: str, folder: Path) -> None:
        driver = shutil.which("chromedriver")
        if driver is None:
            pytest.skip("there is no chromedriver here")
        target = folder / "picture.html"
        target.write_text(text, encoding="utf-8", newline="\n")
        self.base = ""
        self.process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        try:
            port = next(m[1] for line in self.process.stdout if (m := re.search(r"successfully on port (\d+)", line)))
            self.base = f"http://127.0.0.1:{port}/session"
            flags = [flag for flag in FLAGS if "virtual-time" not in flag] + [f"--user-data-dir={folder / 'profile'}"]
            wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": flags}}}}
            self.base += "/" + self.call("POST", "", wanted)["sessionId"]
            self.call("POST", "/url", {"url": target.as_uri()})
        except BaseException:
            self.close()
            raise

    def call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script: str) -> Any:
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def change(self, control: str, value: str) -> None:
        self.run(
            f"const e = document.querySelector('{control}'); if (e.type === 'checkbox') e.checked = {value};"
            f"else e.value = {value}; for (const n of ['input', 'change']) e.dispatchEvent(new Event(n, {{bubbles: true}}))"
        )

    def click(self, x: float, y: float) -> None:
        steps: list[dict[str, Any]] = [{"type": "pointerMove", "x": round(x), "y": round(y)}]
        steps += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self.call("POST", "/actions", {"actions": [mouse]})

    def says(self, **expected: str) -> None:
        """Wait until the page says this about itself."""
        for _ in range(200):
            said = self.run("return {...document.documentElement.dataset}")
            if expected.items() <= said.items() and said["state"] == "drawn":
                return
            time.sleep(0.05)
        raise AssertionError(f"the page says {said}, not {expected}")

    def close(self) -> None:
        try:
            if self.base.count("/") > 3:
                self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.communicate()


def test_a_reader_can_click_search_and_filter(project: Path, tmp_path: Path) -> None:
    data = neighbourhood(view_of(project), "add_tax", depth=2)
    text = page(data)
    browser = Driven(text, tmp_path)
    try:
        browser.says(nodes="4", edges="3", centre="shop.money.add_tax")
        browser.change("#depth", "1")
        browser.says(nodes="2", edges="1")
        browser.change("#depth", "2")
        browser.change("#tests", "false")
        browser.says(nodes="3", edges="2")
        browser.change("#tests", "true")
        browser.change("#confidence", "0.985")
        browser.says(nodes="2", edges="1")
        browser.change("#confidence", "0.3")
        browser.change("[data-tier=T1]", "false")
        browser.says(nodes="1", edges="0")
        browser.change("[data-tier=T1]", "true")
        browser.says(nodes="4", edges="3")

        browser.change("#search", "'checkout'")
        browser.run("document.querySelector('#found button').click()")
        browser.says(chosen="shop.cart.Cart.checkout")
        browser.run("document.getElementById('centre').click()")
        browser.says(centre="shop.cart.Cart.checkout", nodes="3")  # what it calls, in two steps
        # Alone in its column, the centre of the picture is in the middle of its row: one step from the left of three.
        frame = browser.run("return document.querySelector('#picture').getBoundingClientRect()")
        browser.click(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
        browser.says(chosen="shop.cart.Cart.total_price")
        assert "Callers (2)" in browser.run("return document.getElementById('details').textContent")
        browser.click(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] - 5)
        browser.says(chosen="")
        browser.run("document.getElementById('home').click()")
        browser.says(centre="shop.money.add_tax", nodes="4")
    finally:
        browser.close()


def test_a_browser_shows_hostile_names_as_text(project: Path, tmp_path: Path) -> None:
    root = opened(hostile_page(neighbourhood(view_of(project), "shop.cart.Cart.total_price")), tmp_path)
    assert (root["data-state"], root.get("data-error"), root.get("data-violations")) == ("drawn", None, None)
    assert (root["images"], root["data-requests"]) == ("0", "0")
    assert root["title"] != "broken" and "&lt;/script&gt;" in (root["title"] or "")
    assert "onerror" in (root["details"] or "")


def test_a_browser_reports_what_went_wrong(project: Path, tmp_path: Path) -> None:
    data = neighbourhood(view_of(project), "add_tax")
    data["edges"][0]["to"] = 99
    root = opened(page(data), tmp_path)
    assert root["data-state"] == "failed" and root["data-error"]
