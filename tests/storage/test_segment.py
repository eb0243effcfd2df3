"""Segments and manifests: what is written is what is read, or a typed error."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from quatrain.errors import IndexCorrupt, IndexLocked, IndexMissing, IndexVersion, QuatrainError
from quatrain.storage import format as layout
from quatrain.storage import manifest as manifests
from quatrain.storage.manifest import Manifest
from quatrain.storage.reader import Segment
from quatrain.storage.writer import SegmentEntry, SegmentWriter

ARRAYS = st.dictionaries(
    st.text("abc/_", min_size=1, max_size=8),
    hnp.arrays(
        st.sampled_from([np.uint8, np.uint32, np.int64, np.float32]),
        hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=50),
    ),
    max_size=6,
)  # fmt: skip


def write(directory: Path, sections: dict[str, np.ndarray], bulk: tuple[str, ...] = ()) -> SegmentEntry:
    writer = SegmentWriter(directory)
    for tag, array in sections.items():
        writer.add(tag, array, bulk=tag in bulk)
    return writer.finish()


@given(sections=ARRAYS)
def test_sections_come_back_equal_and_read_only(
    tmp_path_factory: pytest.TempPathFactory, sections: dict[str, np.ndarray]
) -> None:
    directory = tmp_path_factory.mktemp("index")
    entry = write(directory, sections)
    segment = Segment(directory / entry.file, entry)
    assert set(segment) == set(sections)
    for tag, array in sections.items():
        read = segment.array(tag)
        assert read.dtype == array.dtype and read.shape == array.shape
        np.testing.assert_array_equal(read, array)
        assert not read.flags.writeable


def sample(directory: Path) -> tuple[SegmentEntry, dict[str, np.ndarray]]:
    sections = {
        "small": np.arange(100, dtype=np.uint32),
        "large": np.arange(200_000, dtype=np.uint32),
        "bulk": np.random.default_rng(1).integers(0, 255, 300_000, np.uint8),
    }
    return write(directory, sections, bulk=("bulk",)), sections


def read_all(path: Path, entry: SegmentEntry) -> dict[str, np.ndarray]:
    segment = Segment(path, entry)
    for tag in list(segment):
        segment.verify(tag, np.array([0]), np.array([segment.array(tag).nbytes]))
    return {tag: segment.array(tag).copy() for tag in segment}


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_is_found_or_harmless(tmp_path: Path, seed: int) -> None:
    entry, sections = sample(tmp_path)
    path = tmp_path / entry.file
    data = bytearray(path.read_bytes())
    rng = random.Random(seed)
    # Half of the flips go to the head, which is small and would otherwise be missed.
    position = rng.randrange(entry.head_length) if seed % 2 else rng.randrange(len(data))
    data[position] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    try:
        read = read_all(path, entry)
    except (IndexCorrupt, IndexVersion):
        return
    for tag, array in sections.items():
        np.testing.assert_array_equal(read[tag], array)


@pytest.mark.parametrize("size", ["0", "1", "63", "64", "head - 1", "half", "n - 4096", "n - 1", "n + 1"])
def test_a_file_of_another_length_is_refused(tmp_path: Path, size: str) -> None:
    entry, _ = sample(tmp_path)
    path = tmp_path / entry.file
    data = path.read_bytes()
    length = eval(size, {"head": entry.head_length, "half": len(data) // 2, "n": len(data)})
    path.write_bytes((data + b"\0")[:length])
    with pytest.raises(IndexCorrupt, match="rebuild"):
        Segment(path, entry)


def test_a_zeroed_block_of_a_bulk_section_is_found_on_touch_only(tmp_path: Path) -> None:
    entry, sections = sample(tmp_path)
    path = tmp_path / entry.file
    data = bytearray(path.read_bytes())
    data[-1000:] = bytes(1000)
    path.write_bytes(data)
    segment = Segment(path, entry)
    segment.verify("bulk", np.array([0, 10]), np.array([5, 4000]))
    np.testing.assert_array_equal(segment.array("bulk")[:4000], sections["bulk"][:4000])
    with pytest.raises(IndexCorrupt, match="checksum"):
        segment.verify("bulk", np.array([0, 290_000]), np.array([5, 300_000]))


def test_a_range_behind_a_section_is_refused(tmp_path: Path) -> None:
    entry, _ = sample(tmp_path)
    with pytest.raises(IndexCorrupt, match="behind"):
        Segment(tmp_path / entry.file, entry).verify("bulk", np.array([0]), np.array([300_001]))


def test_a_newer_format_is_refused_not_read(tmp_path: Path) -> None:
    entry, _ = sample(tmp_path)
    path = tmp_path / entry.file
    data = bytearray(path.read_bytes())
    data[8:10] = (layout.FORMAT_MAJOR + 1).to_bytes(2, "little")
    path.write_bytes(data)
    with pytest.raises(IndexVersion, match="upgrade"):
        Segment(path, entry)


def test_a_segment_of_another_index_is_refused(tmp_path: Path) -> None:
    entry, sections = sample(tmp_path)
    other = write(tmp_path, {**sections, "small": np.arange(1, 101, dtype=np.uint32)}, bulk=("bulk",))
    (tmp_path / entry.file).write_bytes((tmp_path / other.file).read_bytes())
    with pytest.raises(IndexCorrupt):
        Segment(tmp_path / entry.file, entry)


@given(noise=st.binary(max_size=4096))
def test_noise_never_opens(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    path = tmp_path_factory.mktemp("noise") / "s-0.seg"
    path.write_bytes(noise)
    with pytest.raises(QuatrainError):
        Segment(path, SegmentEntry("s-0.seg", len(noise), 4096, "0" * 16))


def generation(directory: Path, number: int) -> Manifest:
    entry = write(directory, {"n": np.array([number], np.uint32)})
    manifest = Manifest(number, "/root", (entry,), {"facts": 1})
    manifests.commit(directory, manifest)
    return manifest


def test_the_newest_whole_generation_answers(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="quatrain index"):
        manifests.load(tmp_path)
    generation(tmp_path, 1)
    newest = generation(tmp_path, 2)
    manifest, (segment,) = manifests.load(tmp_path)
    assert manifest == newest and segment.array("n").tolist() == [2]

    damaged = tmp_path / "m-00000002.json"
    damaged.write_bytes(damaged.read_bytes().replace(b"/root", b"/loot"))
    manifest, (segment,) = manifests.load(tmp_path)
    assert manifest.generation == 1 and manifest.fell_back and segment.array("n").tolist() == [1]


def test_an_index_without_any_whole_generation_is_corrupt_not_missing(tmp_path: Path) -> None:
    manifest = generation(tmp_path, 1)
    (tmp_path / manifest.segments[0].file).unlink()
    with pytest.raises(IndexCorrupt):
        manifests.load(tmp_path)


def test_a_manifest_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    entry = write(tmp_path, {"n": np.array([1], np.uint32)})
    manifests.commit(tmp_path, Manifest(1, "/root", (entry._replace(file="../outside.seg"),), {}))
    with pytest.raises(IndexCorrupt):
        manifests.load(tmp_path)


def test_sweep_keeps_two_generations_and_removes_leftovers(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        generation(tmp_path, number)
    (tmp_path / "s-dead.seg.1.tmp").write_bytes(b"half")
    for path in tmp_path.iterdir():
        import os

        os.utime(path, (0, 0))
    manifests.sweep(tmp_path)
    assert manifests.generations(tmp_path) == [3, 2]
    assert len(list(tmp_path.glob("*.seg"))) == 2 and not list(tmp_path.glob("*.tmp"))
    assert manifests.load(tmp_path)[0].generation == 3


def test_a_second_writer_is_told_at_once(tmp_path: Path) -> None:
    with manifests.writer_lock(tmp_path):
        code = (
            "import sys; from pathlib import Path; from quatrain.storage import manifest\n"
            "from quatrain.errors import IndexLocked\n"
            "try:\n    manifest.writer_lock(Path(sys.argv[1])).__enter__()\n"
            "except IndexLocked as e:\n    sys.exit(7 if 'pid' in str(e) else 8)\n"
        )
        assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == 7
        with pytest.raises(IndexLocked), manifests.writer_lock(tmp_path):
            pass
    with manifests.writer_lock(tmp_path):
        pass


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generation(tmp_path, 1)
    before = sorted(path.name for path in tmp_path.iterdir())

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path, {"n": np.arange(10)})
    monkeypatch.undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert manifests.load(tmp_path)[0].generation == 1
