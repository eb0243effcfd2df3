"""The text of many lines at once is that of each line by itself."""

from __future__ import annotations

import numpy as np

from small_index import small_view

FILES = {
    "a.py": "one = 1\n\n  three = 3\n",
    "b.py": "no_newline_at_the_end = 1",
    "c.py": "# größe → ü\r\nx = 2\n\n",
    "empty.py": "",
}


def test_every_line_and_those_that_are_not_there() -> None:
    documents = small_view(FILES).documents
    wanted = [(file, line) for file in range(documents.count) for line in range(1, 7)]
    wanted += wanted[::-1]
    found = documents.texts(*np.array(wanted, np.int64).T)
    assert found == [documents.text(file, line, line) for file, line in wanted]
    assert found[:3] == ["one = 1", "", "  three = 3"]


def test_no_lines() -> None:
    assert small_view(FILES).documents.texts(np.empty(0, np.int64), np.empty(0, np.int64)) == []
