"""Expressions that are searched only where a cue occurs match nothing without one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain.query import plan
from quatrain.query.patterns import LazyPattern

CUED = {name: value for name, value in vars(plan).items() if isinstance(value, LazyPattern) and value.cues} | {
    kind: pattern for kind, pattern in plan._RELATIONS
}


def test_the_expressions_of_a_plan_are_among_them() -> None:
    assert CUED.keys() >= {"_TESTS", "_QUOTED", "_TICKED", "import", "inherit", "override", "decorator"}


@pytest.mark.parametrize("name", CUED)
@settings(max_examples=300)
@given(data=st.data())
def test_every_match_has_a_cue(name: str, data: st.DataObject) -> None:
    pattern = CUED[name]
    text = data.draw(st.from_regex(pattern.source))
    assert any(cue in text for cue in pattern.cues), text


def test_a_text_without_a_cue_is_not_searched() -> None:
    pattern = LazyPattern("b+|c", cues=("b",))
    assert pattern.search("c") is None and list(pattern.finditer("c")) == []
    assert pattern.search("cb")[0] == "c" and [match[0] for match in pattern.finditer("cb")] == ["c", "b"]
