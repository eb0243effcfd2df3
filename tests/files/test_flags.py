"""Vendored, built, generated, archived, test, header, older: what is flagged, and the look-alikes that are not."""

from __future__ import annotations

import pytest

from quatrain.files.flags import CONFIG, DEMOTED, DOCS, GENERATED, HEADER, OLDER, TEST, flag_paths, path_flags


def flags(*paths: str) -> dict[str, int]:
    return {path: bits for path, bits in zip(paths, flag_paths(paths), strict=True) if bits}


@pytest.mark.parametrize(
    "path",
    [
        "vendor/github.com/x/y.go",
        "src/third_party/zlib/inflate.c",
        "web/node_modules/a/index.js",
        "pkg/_vendor/six.py",
        "lib/vendor/jquery.js",
        "Pods/AFNetworking/a.m",
        "api/generated/client.py",
        "src/__generated__/types.ts",
        "proto/service_pb2.py",
        "proto/service.pb.go",
        "static/app.min.js",
        "archived/old_tool.py",
        "archive/2019/report.py",
        ".venv/lib/python3.11/x.py",
        "cmake-build-debug/a.c",
    ],
)
def test_demoted_by_name(path: str) -> None:
    assert flags(path, "src/app.py")[path] & DEMOTED
    assert path_flags(path) & DEMOTED


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py",
        "src/archive/zip.go",
        "src/generator/gen.py",
        "src/vendors.py",
        "lib/core.rb",
        "build/tasks.gradle",
        "out/handler.go",
        "target/linux.rs",
        "src/dist/dist.go",
        "Lib/venv/__init__.py",
        "external/api.py",
        "src/distance.js",
        "src/builder/build.ts",
    ],
)
def test_look_alikes_are_not_demoted(path: str) -> None:
    assert not flags(path, "src/other.py", "a/b.py", "c/d.py").get(path, 0) & DEMOTED


def test_built_output_is_told_from_sources_in_a_folder_of_that_name() -> None:
    output = ("dist/cart.js", "dist/order.js", "dist/chunk-0123abcd.js", "dist/index.d.ts")
    assert flags("src/cart.ts", "src/order.ts", "src/x.ts", *output) == dict.fromkeys(output, DEMOTED)
    scripts = ("build/webpack.config.js", "build/utils.js", "build/dev-server.js")
    assert flags("src/main.js", "src/utils.js", "src/app.vue", *scripts) == {}
    assert flags("build/__init__.py", "build/env.py", "setup.py", "other/env.py") == {}
    assert flags("pkg/a.py", "build/lib/pkg/a.py") == {"build/lib/pkg/a.py": DEMOTED}
    assert flags("go/build/build.go", "go/build/doc.go", "go/doc.go", "x/build.go") == {}
    java = flags("src/main/java/A.java", "target/classes/A.js", "target/generated-sources/B.java")
    assert java == {"target/classes/A.js": DEMOTED, "target/generated-sources/B.java": DEMOTED | GENERATED}


def test_a_program_about_vendors_is_not_vendored() -> None:
    assert flags("src/vendor/vendor.service.ts", "src/vendor/list.ts", "src/app.ts") == {}
    assert flags("shop/vendor/models.py", "shop/vendor/api.py", "shop/x.py") == {}
    assert flags("vendor/lib/a.rb", "app/x.rb") == {"vendor/lib/a.rb": DEMOTED}


def test_dependencies_with_licences_of_their_own() -> None:
    copies = ("deps/lua/lua.c", "deps/hiredis/hiredis.c")
    licences = ("deps/lua/COPYRIGHT", "deps/hiredis/COPYING")
    assert flags("src/server.c", *copies) == {}
    found = flags("src/server.c", *copies, *licences)
    assert all(found[path] & DEMOTED for path in copies)


@pytest.mark.parametrize(
    "path",
    [
        "tests/conftest.py",
        "tests/helpers/build.py",
        "src/app_test.go",
        "pkg/test_cart.py",
        "src/cart.test.ts",
        "src/cart.spec.tsx",
        "src/test/java/CartTest.java",
        "src/CartTests.cs",
        "spec/cart_spec.rb",
        "__tests__/cart.js",
        "Shop.Tests/CartFacts.cs",
        "e2e/login.ts",
        "test/run.bats",
        "t/t0001-init.sh",
    ],
)
def test_tests(path: str) -> None:
    assert flags(path, "src/cart.py")[path] & TEST


@pytest.mark.parametrize(
    "path",
    [
        "src/latest/a.py",
        "src/contest.py",
        "src/attest.go",
        "src/testing/fixtures.py",
        "src/Console/TestMakeCommand.php",
        "commands/test.py",
        "docs/unit-tests.txt",
        "lib/test_functions.bash",
        "src/greatest.js",
        "t/module.py",
    ],
)
def test_look_alikes_are_no_tests(path: str) -> None:
    assert not flags(path, "src/cart.py").get(path, 0) & TEST


def test_a_package_of_testing_tools_is_no_test() -> None:
    package = ("web/__init__.py", "web/test/__init__.py", "web/test/client.py", "web/test/utils.py")
    assert flags(*package) == {}
    assert flags(*package, "web/test/test_client.py")["web/test/client.py"] == TEST


def test_documentation_and_configuration_follow_the_content_class() -> None:
    found = flags("README.md", "pyproject.toml", "docs/conf.py", "package-lock.json")
    assert found == {"README.md": DOCS, "pyproject.toml": CONFIG, "package-lock.json": CONFIG | GENERATED}


def test_known_languages_decide_about_files_without_an_extension() -> None:
    assert flag_paths(["bin/deploy", "words", "LICENSE"]) == [0, 0, DOCS]
    assert flag_paths(["bin/deploy", "words", "de.ts"], ["bash", None, "xml"]) == [0, DOCS, CONFIG]
    with pytest.raises(ValueError, match="2 paths and 1 languages"):
        flag_paths(["a", "b"], ["python"])


def test_headers_need_an_implementation() -> None:
    found = flags("include/a.h", "src/a.c", "only.hpp", "types.d.ts", "types.ts", "lone.d.ts", "m.pyi", "m.py")
    assert found == {"include/a.h": HEADER, "types.d.ts": HEADER, "m.pyi": HEADER}


def test_older_versions() -> None:
    assert flags("api/v1/a.go", "api/v2/a.go", "api/v2beta1/b.go", "x.go") == {"api/v1/a.go": OLDER}
    assert flags("api/v1/a.go", "x.go", "y.go") == {}
    assert flags("legacy/a.py", "src/a.py", "src/b.py") == {"legacy/a.py": OLDER}
    assert flags("legacy/a.py", "legacy/b.py", "c.py") == {}, "the tree is that folder"
    assert flags("compat/win32.c", "a.c", "b.c") == {}, "in C, compatibility code is alive"


def test_order_and_length_are_those_of_the_input() -> None:
    assert flag_paths(["tests/a.py", "b.py", "vendor/c.py"]) == [TEST, 0, DEMOTED]
    assert flag_paths([]) == []
