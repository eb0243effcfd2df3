"""The worker pool: from wherever it is called, and whatever happens to a worker."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import quatrain
from quatrain.errors import QuatrainError
from quatrain.parsing import pool as pool_module
from quatrain.parsing.parse import parse_source
from quatrain.parsing.pool import WorkerPool

PACKAGE_ROOT = str(Path(quatrain.__file__).resolve().parents[1])

# A worker whose parser obeys its input, to stand in for a grammar's scanner that hangs or crashes.
OBEDIENT = """
import ctypes, os, sys, time
import quatrain.parsing.parse as parse
real = parse.parse_source
def obey(path, language, data):
    if language == "toml" and not data:
        time.sleep(1.5)  # what is parsed to load a language
    if data.startswith(b"# hang"):
        while True: pass
    if data.startswith(b"# crash"):
        ctypes.string_at(0)
    if data.startswith(b"# exit"):
        os._exit(3)
    if data.startswith(b"# raise"):
        raise RecursionError("too deep")
    if data.startswith(b"# print"):
        print("noise on standard output" * 1000); os.write(1, b"more noise" * 1000)
    return real(path, language, data)
parse.parse_source = obey
from quatrain.parsing.worker import main
sys.exit(main())
"""


@pytest.fixture
def obedient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "obedient_worker.py"
    script.write_text(OBEDIENT)
    monkeypatch.setattr(pool_module, "WORKER_ARGUMENTS", ("-P", str(script)))


def files(count: int, special: dict[int, bytes] | None = None) -> list[tuple[int, str, str, bytes]]:
    result = []
    for i in range(count):
        data = (special or {}).get(i, f"def f{i}():\n    return {i}\n".encode())
        result.append((i, f"m{i}.py", "python", data))
    return result


def states(parsed: dict[int, object]) -> dict[int, str]:
    return {i: p.parse for i, p in sorted(parsed.items()) if p.parse != "tree"}


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_are_those_of_the_parser(workers: int) -> None:
    todo = files(100)
    with WorkerPool(workers) as pool:
        said = dict(pool.parse(todo))
        again = dict(pool.parse(todo[:7]))
    assert said == {i: parse_source(path, language, data) for i, path, language, data in todo}
    assert again == {i: said[i] for i in range(7)}


def test_keys_may_be_anything() -> None:
    keys = [("a", 1), None, Path("x"), "s"]
    with WorkerPool(1) as pool:
        said = list(pool.parse((key, "a.py", "python", b"x = 1\n") for key in keys))
    assert sorted(map(repr, (key for key, _ in said))) == sorted(map(repr, keys))


def test_no_files_no_worker() -> None:
    pool = WorkerPool(2)
    assert list(pool.parse([])) == []
    assert pool._processes == []


def test_files_larger_than_the_window_and_answers_larger_than_a_pipe() -> None:
    big = b"".join(b"%s = call(1)\n" % (b"name_%d" % i * 12) for i in range(10_000))
    assert len(big) > 1 << 20
    with WorkerPool(2) as pool:
        said = dict(pool.parse([(i, f"{i}.py", "python", big) for i in range(3)]))
    assert [len(said[i].symbols) for i in range(3)] == [10_000] * 3


def test_unknown_languages_and_none_are_line_windows() -> None:
    with WorkerPool(1) as pool:
        said = dict(pool.parse([(1, "a.txt", None, b"hello\n"), (2, "a.cob", "cobol", b"x = 1")]))
    assert {k: (p.parse, len(p.chunks)) for k, p in said.items()} == {1: ("none", 1), 2: ("none", 1)}


def test_a_file_that_hangs_fails_alone(obedient: None) -> None:
    with WorkerPool(1, timeout_s=0.5) as pool:
        said = dict(pool.parse(files(40, {5: b"# hang\n" * 50, 20: b"# hang\n"})))
    assert len(said) == 40
    assert states(said) == {5: "failed: took longer than 0.5 s", 20: "failed: took longer than 0.5 s"}
    assert len(said[5].chunks) == 2 and said[5].symbols == ()


def test_loading_a_language_is_not_counted_to_its_first_file(obedient: None) -> None:
    with WorkerPool(1, timeout_s=0.5) as pool:
        said = dict(
            pool.parse([(0, "a.toml", "toml", b"a = 1\n"), *((i, "a.py", "python", b"x = 1\n") for i in (1, 2))])
        )
    assert {i: p.parse for i, p in said.items()} == {0: "tree", 1: "tree", 2: "tree"}


def test_a_file_that_crashes_the_parser_fails_alone(obedient: None) -> None:
    with WorkerPool(2, timeout_s=20) as pool:
        said = dict(pool.parse(files(60, {0: b"# crash\n", 33: b"# exit\n", 59: b"# crash\n"})))
    assert len(said) == 60
    assert states(said) == {
        0: "failed: parser died (SIGSEGV)",
        33: "failed: parser died (exit code 3)",
        59: "failed: parser died (SIGSEGV)",
    }
    assert all(p.chunks for p in said.values())


def test_an_exception_is_reported_for_its_file(obedient: None) -> None:
    with WorkerPool(1) as pool:
        said = dict(pool.parse(files(5, {2: b"# raise\n"})))
        assert len(pool._processes) == 1
    assert states(said) == {2: "failed: RecursionError: too deep"}


def test_prints_of_a_library_do_not_reach_the_answers(obedient: None) -> None:
    with WorkerPool(1) as pool:
        said = dict(pool.parse(files(5, {2: b"# print\n"})))
    assert states(said) == {}


def test_a_caller_that_is_slow_is_not_a_file_that_hangs(obedient: None) -> None:
    with WorkerPool(1, timeout_s=0.3) as pool:
        said = {}
        for key, parsed in pool.parse(files(80)):
            said[key] = parsed
            if key in (0, 40):
                time.sleep(0.6)
    assert states(said) == {}


def test_a_consumer_that_leaves_early_does_not_spoil_the_next_call() -> None:
    with WorkerPool(2) as pool:
        for _ in pool.parse(files(200)):
            break
        said = dict(pool.parse(files(10)))
    assert sorted(said) == list(range(10)) and said[3].symbols[0].name == "f3"


def test_an_error_in_the_caller_s_iterable_is_the_caller_s() -> None:
    def broken():
        yield from files(3)
        raise KeyError("mine")

    with WorkerPool(1) as pool:
        with pytest.raises(KeyError, match="mine"):
            list(pool.parse(broken()))
        assert len(dict(pool.parse(files(3)))) == 3


def test_a_worker_that_cannot_start_is_an_error_that_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "WORKER_ARGUMENTS", ("-c", "raise ImportError('no tree_sitter here')"))
    with WorkerPool(1) as pool, pytest.raises(QuatrainError, match="no tree_sitter here"):
        list(pool.parse(files(1)))


def test_workers_must_be_positive() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        WorkerPool(0)


# --- where it is called from ----------------------------------------------------------------------------------------------------

SCRIPT = """
import sys
sys.path.insert(0, {root!r})
from quatrain.parsing.pool import WorkerPool
with WorkerPool(2) as pool:
    said = dict(pool.parse([(i, "a.py", "python", b"def f(): pass") for i in range(20)]))
print(len(said), {{p.parse for p in said.values()}})
"""


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}


def test_from_a_script_without_a_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(root=PACKAGE_ROOT))
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment(), timeout=60)
    assert (run.stdout, run.stderr) == ("20 {'tree'}\n", "")


def test_from_standard_input(tmp_path: Path) -> None:
    source = SCRIPT.format(root=PACKAGE_ROOT)
    run = subprocess.run(
        [sys.executable, "-"], input=source, capture_output=True, text=True, env=environment(), cwd=tmp_path, timeout=60
    )
    assert (run.stdout, run.stderr) == ("20 {'tree'}\n", "")


def test_modules_of_the_working_directory_are_not_imported(tmp_path: Path) -> None:
    for name in ("pickle", "struct", "types", "numpy", "tree_sitter", "quatrain"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('code of the indexed repository was run')")
    source = textwrap.dedent(f"""
        import os, sys
        sys.path.insert(0, {PACKAGE_ROOT!r})
        from quatrain.parsing.pool import WorkerPool
        os.chdir({str(tmp_path)!r})
        with WorkerPool(1) as pool:
            print([p.parse for _, p in pool.parse([(1, "a.py", "python", b"x = 1")])])
    """)
    run = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, env=environment(), timeout=60)
    assert (run.stdout, run.stderr) == ("['tree']\n", "")


def test_from_a_thread() -> None:
    said: dict[int, object] = {}

    def work() -> None:
        with WorkerPool(1) as pool:
            said.update(pool.parse(files(10)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert len(said) == 10


def test_inside_a_running_loop() -> None:
    async def main() -> int:
        with WorkerPool(1) as pool:
            return len(dict(pool.parse(files(10))))

    assert asyncio.run(main()) == 10


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    source = textwrap.dedent(f"""
        import os, sys, time
        sys.path.insert(0, {PACKAGE_ROOT!r})
        from quatrain.parsing.pool import WorkerPool
        pool = WorkerPool(2)
        list(pool.parse([(i, "a.py", "python", b"x = 1") for i in range(50)]))
        print(*[w._process.pid for w in pool._processes], flush=True)
        time.sleep(60)
    """)
    parent = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True, env=environment())
    assert parent.stdout is not None
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(workers) == 2 and all(running(pid) for pid in workers)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while any(running(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(running(pid) for pid in workers)


def running(pid: int) -> bool:
    """Whether a process exists and is more than a zombie waiting for a parent that does not reap."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
