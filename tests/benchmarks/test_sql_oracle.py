"""The reader of SQL statements that the benchmark compares with, on what it is for."""

from __future__ import annotations

import pytest
from benchmarks.oracles.sql import created


@pytest.mark.parametrize(
    ("text", "mysql", "expected"),
    [
        ("CREATE TABLE a (b int);\ncreate or replace view s.v as select 1;", False, [("a", 1), ("v", 2)]),
        ("/* /* CREATE TABLE a */ */ -- x;\nCREATE TYPE t AS ENUM ('CREATE TABLE b;');", False, [("t", 2)]),
        ("CREATE FUNCTION f() AS $x$ CREATE TABLE a; $x$;\nCREATE INDEX ON t (a);\nCREATE INDEX i ON t (a);", False, [("f", 1), ("i", 3)]),
        ("SELECT E'it\\'s;';\nCREATE DOMAIN d AS int;", False, [("d", 2)]),
        ("COPY a FROM stdin;\nCREATE TABLE b;\n\\.\nCREATE TABLE c (a int);", False, [("c", 4)]),
        ("CREATE SCHEMA s CREATE TABLE a (b int)\nCREATE VIEW v AS SELECT 1;", False, [("s", 1), ("a", 1), ("v", 2)]),
        ("CREATE OPERATOR s.=== (a);\nCREATE OPERATOR CLASS c;", False, [("===", 1)]),
        ("DELIMITER //\nCREATE PROCEDURE p() BEGIN CREATE TABLE x (a int); END//\nDELIMITER ;\nCREATE TABLE `a b` (c int); # CREATE TABLE z",
         True, [("p", 2), ("a b", 4)]),
        ("CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; CREATE; END;\nCREATE TABLE u (a int);",
         False, [("t", 1), ("u", 2)]),
    ],
)  # fmt: skip
def test_what_a_script_creates(text: str, mysql: bool, expected: list[tuple[str, int]]) -> None:
    assert sorted(created(text, mysql), key=lambda row: row[1]) == expected
