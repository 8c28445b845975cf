# SPDX-License-Identifier: MIT
"""`symlab cc` keeps the compiled guest library and compiles it again after a change."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest.compiling import GUEST, Request, build

PROGRAM = """
#include <stdio.h>
int main(void) {
    printf("%d", 1);
    return 0;
}
"""

# A gcc that writes its arguments to the file `log` beside it and then runs the real one.
LOGGED_GCC = """#!/bin/sh
echo "$@" >>{log}
exec {gcc} "$@"
"""


class Builder:
    """Builds a program with a copy of the guest folder, a logged gcc and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.guest = folder / "tree" / "guest"
        self.cache = folder / "cache"
        self.log = folder / "log"
        shutil.copytree(GUEST, self.guest)
        (folder / "bin").mkdir()
        (folder / "work").mkdir()
        (folder / "work" / "program.c").write_text(PROGRAM)
        self.gcc = folder / "bin" / "gcc-12"
        real = shutil.which("gcc-12") or shutil.which("gcc")
        self.gcc.write_text(LOGGED_GCC.format(log=self.log, gcc=real))
        self.gcc.chmod(0o755)

    def build(self, stack_kb: int = 64) -> bytes:
        self.log.write_text("")
        request = Request((Path("program.c"),), Path("program.elf"), stack_kb=stack_kb)
        return build(request, self.guest).read_bytes()

    def compiled(self) -> list[str]:
        """The sources in the library and boot folders that the last build compiled."""
        words = self.log.read_text().split()
        folders = (self.guest / "lib", self.guest / "boot")
        words = [word for word in words if Path(word).parent in folders]
        return [word for word in words if Path(word).suffix in (".c", ".S")]

    def kept(self) -> list[Path]:
        return sorted((self.cache / "symsim" / "guests").glob("*/*"))


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the library of the tree."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "program.c").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        build(Request((folder / "program.c",), folder / "program.elf"))
    return folder / "cache"


@pytest.fixture
def builder(tmp_path: Path, filled_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    made = Builder(tmp_path)
    shutil.copytree(filled_cache, made.cache)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_CACHE_HOME", str(made.cache))
    monkeypatch.setenv("PATH", f"{made.gcc.parent}:{os.environ['PATH']}")
    return made


def without_cache(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The image of a build that cannot use a cache, because the folder of caches is a file."""
    Path("file").write_text("")
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(Path("file").resolve()))
        return builder.build()


def test_the_second_build_uses_the_kept_library_and_gives_the_same_bytes(builder, monkeypatch):
    shutil.rmtree(builder.cache)
    first = builder.build()
    sources = [f for f in (builder.guest / "lib").iterdir() if f.suffix in (".c", ".S")]
    assert len(builder.compiled()) == len(sources) + 1
    assert len(builder.kept()) == 2
    second = builder.build()
    assert builder.compiled() == []
    third = without_cache(builder, monkeypatch)
    assert len(builder.compiled()) == len(sources) + 1
    assert first == second == third


def test_the_kept_library_does_not_depend_on_the_folders(builder, monkeypatch):
    expected = builder.build()
    moved = builder.guest.parent.with_name("moved") / "guest"
    shutil.copytree(builder.guest, moved)
    builder.guest = moved
    assert builder.build() == expected
    assert builder.compiled() == []
    monkeypatch.chdir(moved.parent)
    Path("program.c").write_text(PROGRAM)
    kept = builder.build()
    assert builder.compiled() == []
    assert kept == without_cache(builder, monkeypatch)


def change_header(builder: Builder) -> None:
    header = builder.guest / "lib" / "internal.h"
    text = 'static const char added[] __attribute__((used)) = "changed";\n'
    header.write_text(header.read_text() + text)


def change_source(builder: Builder) -> None:
    source = builder.guest / "lib" / "stdio.c"
    source.write_text(source.read_text() + "int added;\n")


def change_flags(builder: Builder) -> None:
    flags = builder.guest / "flags.txt"
    flags.write_text(flags.read_text() + "all -fno-toplevel-reorder\n")


def change_compiler(builder: Builder) -> None:
    script = builder.gcc.read_text()
    builder.gcc.write_text(script.replace("exec", "echo gcc version 99 >&2\nexec"))


@pytest.mark.parametrize("change", [change_header, change_source, change_flags, change_compiler])
def test_a_change_compiles_the_library_again(
    builder: Builder, change: Callable[[Builder], None]
) -> None:
    builder.build()
    assert builder.compiled() == []
    change(builder)
    changed = builder.build()
    assert len(builder.compiled()) > 1
    assert len(builder.kept()) == 4
    assert (b"\0changed\0" in changed) == (change is change_header)
    builder.build()
    assert builder.compiled() == []


def test_another_stack_size_is_another_library(builder):
    builder.build(64)
    builder.build(16)
    assert len(builder.compiled()) > 1
    builder.build(64)
    assert builder.compiled() == []


def test_a_library_with_an_error_is_not_kept(builder, capfd):
    (builder.guest / "lib" / "stdio.c").write_text("int f(void) { return missing; }\n")
    for _ in range(2):
        with pytest.raises(UserError, match=r"could not compile .*stdio\.c"):
            builder.build()
    assert len(builder.kept()) == 2


def test_a_half_kept_library_is_completed(builder):
    expected = builder.build()
    before = builder.kept()
    before[0].unlink()
    assert builder.build() == expected
    assert builder.kept() == before
