"""File-name words: equal words, words that match by their beginning, and folder words."""

import numpy as np
import pytest

from quatrain.indexes.file_names import FileNames, build, file_stem


class Sections(dict):
    def add(self, tag, data, *, bulk=False):
        self[tag] = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data

    def array(self, tag):
        return self[tag]


def words(text):
    return [word for word in "".join(c if c.isalnum() else " " for c in text.lower()).split() if word]


PATHS = ["auth.py", "lib/core/merge_config.js", "lib/core/options.js", "src/auth/backends/http_auth.py", "x/auto.c"]


@pytest.fixture(scope="module")
def names():
    sections = Sections()
    build(sections, PATHS, words)
    return FileNames(sections)


ALL = np.arange(len(PATHS))


def test_share_of_the_stem(names):
    assert names.name_match(ALL, ["merge"], 0.75).tolist() == [0, 0.5, 0, 0, 0]
    assert names.name_match(ALL, ["merge", "config", "x"], 0.75).tolist() == [0, 1, 0, 0, 0]


def test_beginning_counts_both_ways_once_and_never_beyond_one(names):
    assert names.name_match(ALL, ["authentication"], 0.75).tolist() == [0.75, 0, 0, 0.375, 0]
    assert names.name_match(ALL, ["opti"], 0.75).tolist() == [0, 0, 0.75, 0, 0]
    assert names.name_match(ALL, ["merg", "conf"], 0.75).tolist() == [0, 0.375, 0, 0, 0]
    assert names.name_match(ALL, ["auth", "authentication", "http"], 0.75).tolist() == [1, 0, 0, 1, 0]


def test_short_words_match_only_as_a_whole(names):
    assert names.name_match(ALL, ["aut"], 0.75).tolist() == [0, 0, 0, 0, 0]
    assert names.name_match(ALL, ["optimal"], 0.75).tolist() == [0, 0, 0, 0, 0]
    assert names.relatives("aut") == []


def test_folder_words_leave_out_the_stem(names):
    # "auth" is in the stem of http_auth.py, so only "backends" counts there.
    assert names.folder_match(ALL, ["auth", "backends", "lib", "src"], [1.0, 2.0, 4.0, 8.0]).tolist() == [0, 4, 4, 2, 0]


def test_only_the_last_two_folders_count():
    sections = Sections()
    build(sections, ["one/two/three/file.py"], words)
    names = FileNames(sections)
    assert names.folder_match(np.array([0]), ["one", "two", "three"], [1.0, 2.0, 4.0]).tolist() == [6.0]


def test_some_files_in_any_order(names):
    assert names.name_match(np.array([4, 0]), ["auth"], 0.75).tolist() == [0, 1]
    assert names.name_match(np.array([], np.int64), ["auth"], 0.75).tolist() == []


def test_no_files():
    sections = Sections()
    build(sections, [], words)
    names = FileNames(sections)
    assert names.words == []
    assert names.find("a") == -1
    assert names.relatives("abcdef") == []


@pytest.mark.parametrize(
    ("path", "stem"), [("a/b.test.ts", "b.test"), (".bashrc", ".bashrc"), ("Makefile", "Makefile"), ("a.d/x", "x")]
)
def test_file_stem(path, stem):
    assert file_stem(path) == stem
