"""The four modalities on a large real project: each question reaches a file that its readers would accept."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

import quatrain
from corpora import pypi
from nonsense import NONSENSE


@pytest.fixture(scope="module")
def django(tmp_path_factory: pytest.TempPathFactory) -> quatrain.Index:
    source = pypi("django==5.2.8", source=True)
    return quatrain.build(source, index_dir=tmp_path_factory.mktemp("django-index"))


@pytest.mark.parametrize(
    ("query", "intent", "confidence", "strategy", "accepted"),
    [
        ("where is QuerySet defined", "find_definition", (0.90, 0.90), "direct", ["django/db/models/query.py"]),
        ("class ModelAdmin", "find_definition", (0.95, 0.95), "direct", ["django/contrib/admin/options.py"]),
        (
            "who calls urlsafe_base64_decode", "find_references", (0.90, 0.90), "direct",
            ["django/contrib/auth/views.py", "tests/utils_tests/test_http.py"],
        ),
        (
            "what breaks if I change BaseHandler", "impact_analysis", (0.90, 0.90), "direct",
            ["django/core/handlers/wsgi.py", "django/core/handlers/asgi.py", "django/test/client.py"],
        ),
        ('find the string "CSRF cookie not set"', "exact_match", (0.85, 0.90), "direct", ["django/middleware/csrf.py"]),
        ("how does authentication work", "understand_code", (0.75, 0.75), "rrf", ["django/contrib/auth/"]),
        ("code similar to a paginator", "find_similar", (0.80, 0.80), "rrf", ["django/core/paginator.py"]),
        ("parse_cookie", "find_definition", (0.60, 0.80), "rrf", ["django/http/cookie.py"]),
    ],
)  # fmt: skip
def test_an_accepted_file_is_among_the_first_three(
    django: quatrain.Index, query: str, intent: str, confidence: tuple[float, float], strategy: str, accepted: list[str]
) -> None:
    answer = django.search(query)
    assert answer.intent == intent and confidence[0] <= answer.confidence <= confidence[1]
    assert answer.fusion_strategy == strategy and answer.status == "ok"
    assert any(hit.path.startswith(tuple(accepted)) for hit in answer.hits[:3]), [hit.path for hit in answer.hits]


def test_ambiguous_callers_are_listed_and_marked(django: quatrain.Index) -> None:
    answer = django.search("who calls get_or_create", limit=100, per_file=10)
    assert answer.hits
    marks = [hit.mark for hit in answer.hits]
    assert "ambiguous" in marks
    first_guess = next(i for i, mark in enumerate(marks) if mark)
    assert all(marks[first_guess:]), "sure edges come before guesses"
    relations = django.callers("get_or_create", limit=500)
    guesses = [r for r in relations.relations if r.status == "ambiguous"]
    assert guesses and all(r.confidence < 0.5 for r in guesses)


def test_callers_stand_at_the_call_site(django: quatrain.Index) -> None:
    answer = django.search("who calls urlsafe_base64_decode")
    for hit in answer.hits:
        text = (Path(answer.index.root) / hit.path).read_text().splitlines()[hit.start_line - 1]
        assert "urlsafe_base64_decode" in text


@pytest.mark.parametrize(
    ("query", "intent", "strategy"),
    [
        ("where is parseConfig defined", "find_definition", "direct_fallback"),
        ("what breaks if I change this function", "impact_analysis", "direct_fallback"),
        ("what depends on this", "impact_analysis", "direct_fallback"),
        ("find the string ECONNREFUSED", "exact_match", "direct_fallback"),
        ("find ECONNREFUSED", "exact_match", "direct_fallback"),
    ],
)
def test_a_direct_miss_falls_through_to_fusion(django: quatrain.Index, query: str, intent: str, strategy: str) -> None:
    answer = django.search(query)
    assert (answer.intent, answer.fusion_strategy) == (intent, strategy)
    if intent == "impact_analysis":
        assert any("names no symbol" in note for note in answer.notes)
    if intent == "exact_match":
        assert answer.status == "no_match" and "semantic" not in answer.modalities


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_has_no_answer(django: quatrain.Index, nonsense: str) -> None:
    answer = django.search(nonsense)
    assert answer.status == "no_match" and not answer.hits


def test_the_index_is_whole(django: quatrain.Index) -> None:
    assert django.check() == []
    status = django.status()
    assert status.counts["files"] > 2_800 and status.languages["python"] > 2_500
    assert all(reason for reason in status.skipped)
    skipped = [row for row in django.files() if not row.indexed]
    assert len(skipped) == sum(status.skipped.values())
    assert os.path.basename(status.root).lower().startswith("django")


def _described(root: Path) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """Return the places of what is decorated with cached_property, and of the classes that extend BaseBackend, by Python's own parser."""
    decorated, extending = set(), set()
    for path in root.rglob("*.py"):
        text = path.read_text("utf-8", "replace")
        if "cached_property" not in text and "BaseBackend" not in text:
            continue
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        place = path.relative_to(root).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if any(
                    ast.unparse(one).split("(")[0].split(".")[-1] == "cached_property" for one in node.decorator_list
                ):
                    decorated.add((place, node.lineno))
            elif isinstance(node, ast.ClassDef) and any(
                ast.unparse(one).split(".")[-1] == "BaseBackend" for one in node.bases
            ):
                extending.add((place, node.lineno))
    return decorated, extending


def test_descriptions_list_exactly_the_definitions_that_fit(django: quatrain.Index) -> None:
    decorated, extending = _described(Path(django.status().root))
    answer = django.search("methods decorated with cached_property", limit=100, per_file=50)
    places = {(hit.path, hit.start_line) for hit in answer.hits}
    assert answer.fusion_strategy == "direct" and len(places) > 50 and places <= decorated
    answer = django.search("decorated with cached_property")  # one of them is a function, no method
    assert answer.notes == (f"{len(decorated)} definitions fit the description",)
    answer = django.search("classes that extend BaseBackend")
    assert {(hit.path, hit.start_line) for hit in answer.hits} == extending


def test_signatures_are_read_from_headers(django: quatrain.Index) -> None:
    answer = django.search("methods that take a queryset", limit=30)
    assert answer.fusion_strategy == "direct" and not answer.hits[0].mark
    for hit in answer.hits:
        lines = (Path(answer.index.root) / hit.path).read_text().splitlines()
        header = " ".join(lines[hit.start_line - 1 : hit.start_line + 8])
        assert re.search(r"\bdef \w+\([^)]*queryset\b" if not hit.mark else r"queryset", header), hit
