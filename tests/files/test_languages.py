"""Names and first lines decide the language."""

from __future__ import annotations

import pytest

from quatrain.errors import UnknownLanguage
from quatrain.files import LANGUAGES, content_class, language_of, resolve_languages, with_language
from quatrain.records import SourceFile


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("a.pyi", "python"),
        ("x.jsx", "javascript"),
        ("x.mjs", "javascript"),
        ("x.ts", "typescript"),
        ("x.d.ts", "typescript"),
        ("x.tsx", "tsx"),
        ("m.go", "go"),
        ("m.rs", "rust"),
        ("M.java", "java"),
        ("m.c", "c"),
        ("m.CPP", "cpp"),
        ("m.hpp", "cpp"),
        ("m.cs", "csharp"),
        ("m.rb", "ruby"),
        ("m.php", "php"),
        ("m.kt", "kotlin"),
        ("m.scala", "scala"),
        ("m.swift", "swift"),
        ("m.lua", "lua"),
        ("m.hs", "haskell"),
        ("m.exs", "elixir"),
        ("m.zig", "zig"),
        ("m.pyx", "cython"),
        ("run.bats", "bash"),
        ("Makefile", "make"),
        ("src/Makefile.am", "make"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("CMakeLists.txt", "cmake"),
        ("requirements.txt", "text"),
        ("Rakefile", "ruby"),
        ("Gemfile", "ruby"),
        ("LICENSE", "text"),
        ("LICENSE.MIT", "text"),
        ("README", "text"),
        ("README.md", "markdown"),
        ("README.rst", "rst"),
        ("Cargo.lock", "toml"),
        ("package.json", "json"),
        (".github/workflows/ci.yml", "yaml"),
        (".gitignore", "ini"),
        ("settings.py.example", "python"),
        ("config.h.in", "c"),
        ("go.mod", "gomod"),
        ("unknown.xyzzy", None),
        ("noextension", None),
    ],
)
def test_by_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/bin/sh\n", "bash"),
        (b"#!/usr/bin/env python3.11\n", "python"),
        (b"#!/usr/bin/env -S node --harmony\n", "javascript"),
        (b"#!/usr/bin/env LANG=C ruby\n", "ruby"),
        (b"\xef\xbb\xbf#! /usr/local/bin/perl -w\n", "perl"),
        (b"# -*- mode: python -*-\n", "python"),
        (b"# -*- coding: utf-8; mode: ruby -*-\n", "ruby"),
        (b"/* vim: set ft=cpp: */\n", "cpp"),
        (b"<?xml version='1.0'?>\n", "xml"),
        (b"#!/opt/unheard/of\n", None),
        (b"just words\n", None),
    ],
)
def test_by_first_lines(head: bytes, language: str | None) -> None:
    assert language_of("bin/tool", head) == language


@pytest.mark.parametrize(
    ("path", "content", "language"),
    [
        ("a.h", b"#ifndef A\n#define A\nint f(void);\n#endif\n", "c"),
        ("a.h", b"#pragma once\nnamespace a { class B; }\n", "cpp"),
        ("a.h", b"#include <vector>\nstd::vector<int> f();\n", "cpp"),
        ("a.h", b'#ifdef __cplusplus\nextern "C" {\nnamespace x {}\n#endif\nint f(void);\n', "c"),
        ("a.h", b"/* the class of a thing:\n   std says so */\nint class_of(void);\n", "c"),
        ("a.h", b"#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n", "objc"),
        ("a.m", b'#import "a.h"\n@implementation A\n- (void)run {}\n@end\n', "objc"),
        ("a.m", b"function y = f(x)\n% doubles\ny = 2 * x;\nend\n", "matlab"),
        ("a.pl", b"use strict;\nsub f { my $x = shift; }\n", "perl"),
        ("a.pl", b":- module(a, [b/1]).\nb(X) :-\n    c(X).\n", "prolog"),
        ("a.ts", b"export const a = 1\n", "typescript"),
        ("a.ts", b"<?xml version='1.0'?>\n<!DOCTYPE TS>\n", "xml"),
        ("a.d", b"module a;\nvoid main() {}\n", "d"),
        ("a.d", b"main.o: main.c \\\n  util.h\n", "make"),
        ("a.fs", b"#version 330\nvoid main() {}\n", "glsl"),
        ("a.fs", b"module A\nlet x = 1\n", "fsharp"),
        ("a.inc", b"<?php\nfunction a() {}\n", "php"),
    ],
)
def test_by_content(path: str, content: bytes, language: str) -> None:
    assert language_of(path, content) == language


def test_headers_without_a_sign_follow_the_tree() -> None:
    assert language_of("a.h", b"int f(void);\n", header_language="cpp") == "cpp"
    assert language_of("a.h", b"@interface A\n@end\n", header_language="cpp") == "objc"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py", "code"),
        ("Makefile", "code"),
        ("x.sql", "code"),
        ("page.html", "code"),
        ("x.unheardof", "code"),
        ("data/wordlist", "docs"),
        ("README.md", "docs"),
        ("notes.txt", "docs"),
        ("LICENSE", "docs"),
        ("pyproject.toml", "config"),
        ("a.yaml", "config"),
        ("requirements-dev.txt", "config"),
        (".eslintrc", "config"),
        ("locale/de.po", "config"),
        ("data.csv", "config"),
        ("go.sum", "config"),
    ],
)
def test_content_class(path: str, expected: str) -> None:
    assert content_class(path, language_of(path)) == expected


def test_names_a_user_may_type() -> None:
    assert resolve_languages(["TypeScript"]) == ("tsx", "typescript")
    assert resolve_languages(["c++", "C#", ".hs", "golang"]) == ("cpp", "csharp", "go", "haskell")
    assert resolve_languages([]) == ()
    for language in LANGUAGES:
        assert language in resolve_languages([language])


def test_an_unknown_name_offers_near_ones() -> None:
    with pytest.raises(UnknownLanguage, match="did you mean python"):
        resolve_languages(["pyhton"])
    with pytest.raises(UnknownLanguage, match="known languages"):
        resolve_languages(["???"])


def test_the_table_fits_one_byte() -> None:
    assert 40 < len(LANGUAGES) < 255
    assert list(LANGUAGES) == sorted(set(LANGUAGES))


def test_an_entry_is_corrected_by_its_content() -> None:
    script = SourceFile("bin/deploy", 0, 0, None, "code", None)
    assert with_language(script, b"#!/usr/bin/env ruby\n").language == "ruby"
    header = SourceFile("a.h", 0, 0, "c", "code", None)
    assert with_language(header, b"namespace a {}\n").language == "cpp"
    assert with_language(header, b"int f(void);\n", "cpp").language == "cpp"
    translation = SourceFile("de.ts", 0, 0, "typescript", "code", None)
    assert with_language(translation, b"<?xml version='1.0'?>\n")[3:5] == ("xml", "config")
    plain = SourceFile("a.py", 0, 0, "python", "code", None)
    assert with_language(plain, b"#!/bin/sh\n") is plain
