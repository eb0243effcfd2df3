"""Statements that the grammar of SQL does not know: what they define and name is read from the text."""

from __future__ import annotations

import pytest

from quatrain.parsing.parse import parse_source

SCRIPT = b"""\
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
/*
CREATE TABLE in_a_comment (a int);
*/
-- CREATE TABLE in_another (a int);
CREATE OR REPLACE FUNCTION app.audit(OUT total int, who text) RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    CREATE TEMP TABLE scratch (a int);
    INSERT INTO app.events SELECT * FROM staging WHERE note = 'FROM nowhere';
    DELETE FROM ONLY app.old_events; -- FROM a_remark
END;
$body$;
CREATE CONSTRAINT TRIGGER audited AFTER INSERT ON app.events FOR EACH ROW EXECUTE FUNCTION app.audit();
CREATE UNLOGGED TABLE app.events (id int, kind text) PARTITION BY LIST (kind);
CREATE INDEX CONCURRENTLY ON app.events (kind);
CREATE UNIQUE INDEX IF NOT EXISTS by_kind ON app.events (kind);
CREATE OPERATOR app.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
CREATE OPERATOR CLASS app.ops FOR TYPE int USING btree AS OPERATOR 1 <;
CREATE AGGREGATE largest(int) (sfunc = int4larger, stype = int);
CREATE SCHEMA AUTHORIZATION joe;
CREATE POLICY own_rows ON app.events USING (true);
CREATE TABLE has$dollar (a int);
"""


def test_definitions_in_a_script_that_the_grammar_does_not_know() -> None:
    parsed = parse_source("a.sql", "sql", SCRIPT)
    assert parsed.parse == "partial"
    said = [(s.kind, s.name, s.line, s.end_line) for s in parsed.symbols if s.kind != "field"]
    assert said == [
        ("type", "positive", 1, 1),
        ("function", "audit", 6, 12),
        ("function", "audited", 13, 13),
        ("struct", "events", 14, 14),
        ("property", "by_kind", 16, 16),
        ("function", "===", 17, 17),
        ("function", "largest", 19, 19),
        ("property", "own_rows", 21, 21),
        ("struct", "has$dollar", 22, 22),
    ]
    (audit,) = [s for s in parsed.symbols if s.name == "audit"]
    assert audit.parameters == ("total", "who")
    assert audit.signature.startswith("CREATE OR REPLACE FUNCTION app.audit(")


def test_tables_that_such_a_script_names() -> None:
    parsed = parse_source("a.sql", "sql", SCRIPT)
    used = {(r.name, r.line) for r in parsed.references if r.kind == "type"}
    assert {("events", 9), ("staging", 9), ("old_events", 10)} <= used
    assert not {"nowhere", "a_remark", "in_a_comment"} & {name for name, _ in used}
    within = {parsed.symbols[r.scope].name for r in parsed.references if r.line in (9, 10)}
    assert within == {"audit"}


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("SELECT * FROM app.orders o", "orders"),
        ("SELECT 1 FROM a JOIN orders ON true", "orders"),
        ("INSERT INTO orders VALUES (1)", "orders"),
        ("UPDATE orders SET a = 1", "orders"),
        ("DELETE FROM orders", "orders"),
        ("ALTER TABLE orders ADD COLUMN b int", "orders"),
        ("DROP TABLE orders", "orders"),
        ("CREATE TABLE t (a int REFERENCES orders (id))", "orders"),
        ("CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES orders (id))", "orders"),
        ("CREATE TRIGGER t AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION f()", "orders"),
        ("CREATE INDEX i ON orders (a)", "orders"),
        ("CREATE VIEW v AS SELECT a FROM orders", "orders"),
        ("CREATE TABLE t (a order_state)", "order_state"),
        ("CREATE FUNCTION f() RETURNS orders AS $$ SELECT 1 $$ LANGUAGE sql", "orders"),
        ("COMMENT ON TABLE orders IS 'all'", "orders"),
        # Beside a statement that the grammar does not know.
        ("CREATE DOMAIN d AS int;\nMERGE INTO orders USING n ON true WHEN MATCHED THEN DELETE", "orders"),
    ],
)
def test_what_a_statement_names_is_a_reference(statement: str, name: str) -> None:
    parsed = parse_source("a.sql", "sql", statement.encode() + b";\n")
    assert name in {r.name for r in parsed.references if r.kind == "type"}
    assert name not in {s.name for s in parsed.symbols}


def test_bodies_of_triggers_and_routines_without_quotes() -> None:
    data = b"""\
CREATE TRIGGER checked BEFORE INSERT ON crs
FOR EACH ROW BEGIN
    SELECT RAISE(ABORT, 'bad') WHERE NEW.name = '';
    INSERT INTO log VALUES (1);
END;
CREATE VIRTUAL TABLE texts USING fts5(body);
CREATE DEFINER=`root`@`localhost` PROCEDURE `tidy`(IN age INT)
BEGIN
  DELETE FROM `log` WHERE days > age;
END;
"""
    symbols = parse_source("a.sql", "sql", data).symbols
    assert [(s.kind, s.name, s.start_line, s.end_line) for s in symbols] == [
        ("function", "checked", 1, 5),
        ("struct", "texts", 6, 6),
        ("function", "tidy", 7, 10),
    ]
    assert symbols[2].parameters == ("age",)


def test_a_quote_that_is_never_closed_hides_nothing() -> None:
    data = b"SELECT 'it\\'s';\nCREATE DOMAIN d AS int;\nSELECT 'open;\nCREATE TABLE t (a int);\n" + b"x' " * 20_000
    names = [s.name for s in parse_source("a.sql", "sql", data).symbols if s.kind != "field"]
    assert names == ["d", "t"]


def test_variables_of_psql_in_names() -> None:
    data = b"""\
create table :SCHEMA.jobs (id int, "key" text default null::text);
create function :"schema".done(ids bigint[], note text default null::text) returns void as $$ $$ language sql;
alter table :SCHEMA.jobs enable row level security;
"""
    symbols = parse_source("a.sql", "sql", data).symbols
    assert [(s.kind, s.qualified_name) for s in symbols if s.kind != "field"] == [
        ("struct", "jobs"),
        ("function", "done"),
    ]
    assert symbols[-1].parameters == ("ids", "note")
    assert "enable" not in {s.name for s in symbols}
