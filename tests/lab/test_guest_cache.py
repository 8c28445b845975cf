# SPDX-License-Identifier: MIT
"""The cache by content of the build's guests: guest/cached.py."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "guest" / "cached.py"
GCC = shutil.which("gcc-12") or shutil.which("gcc")
FLAGS = ["-m32", "-march=i386", "-O1", "-g", "-nostdinc", "-fno-pic", "-ffreestanding"]

pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")


@dataclass
class Clone:
    """A source tree with one guest, and its build folder."""

    root: Path
    compiler: Path
    cache: Path

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def object(self) -> Path:
        return self.build / "a.c.o"

    @property
    def image(self) -> Path:
        return self.build / "a.elf"

    def called(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", SCRIPT, arguments[0], self.root, self.build]
        return subprocess.run(
            [*map(str, command), *map(str, arguments[1:])],
            cwd=self.build, env={**os.environ, "XDG_CACHE_HOME": str(self.cache)},
            capture_output=True, text=True,
        )  # fmt: skip

    def compile(self, *flags: str, name: str = "a") -> subprocess.CompletedProcess[str]:
        source, output = self.root / "guest" / f"{name}.c", self.build / f"{name}.c.o"
        paths = [f"-ffile-prefix-map={self.root}=.", f"-ffile-prefix-map={self.build}=build"]
        depfile = ["-MD", "-MT", str(output), "-MF", f"{output}.d"]
        return self.called(
            "object", self.compiler, *FLAGS, *flags, *paths, *depfile, "-c", source, "-o", output
        )

    def link(self, *more: Path) -> subprocess.CompletedProcess[str]:
        return self.called(
            "image", ROOT / "guest/check_386.py", "objdump", "i386", self.image, self.compiler,
            "-m32", "-static", "-nostdlib", "-no-pie", "-Wl,--build-id=none",
            f"-Wl,-T,{self.root}/guest/boot.ld", self.object, *more,
        )  # fmt: skip

    def compilations(self) -> int:
        log = self.compiler.with_name("log")
        return len(log.read_text().splitlines()) if log.exists() else 0


def write(path: Path, text: str) -> None:
    """Writes a file as if some time ago."""
    path.write_text(text)
    os.utime(path, (1e9, 1e9))


def make_clone(folder: Path, compiler: Path, cache: Path) -> Clone:
    clone = Clone(folder, compiler, cache)
    (folder / "guest").mkdir(parents=True)
    clone.build.mkdir()
    write(folder / "guest/a.h", "#define VALUE 1\n")
    write(folder / "guest/a.c", '#include "a.h"\nint _start(void) { return VALUE; }\n')
    write(folder / "guest/boot.ld", "SECTIONS { .text : { *(.text) } }\n")
    write(folder / "guest/flags.txt", "all -m32\n")
    return clone


@pytest.fixture
def clones(tmp_path: Path) -> list[Clone]:
    """Two clones with one cache and one compiler, which logs each run."""
    compiler = tmp_path / "gcc"
    compiler.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/log\nexec {GCC} "$@"\n')
    compiler.chmod(0o755)
    return [make_clone(tmp_path / name, compiler, tmp_path / "cache") for name in ("one", "two")]


@pytest.fixture
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cached", SCRIPT)
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def built(clone: Clone, *flags: str) -> bytes:
    for done in (clone.compile(*flags), clone.link()):
        assert done.returncode == 0, done.stderr
        assert not done.stderr
    return clone.image.read_bytes()


def test_two_clones_share_objects_and_images(clones: list[Clone]) -> None:
    one, two = clones
    first = built(one)
    assert one.compilations() == 2  # the object and the image
    assert built(two) == first
    assert two.object.read_bytes() == one.object.read_bytes()
    assert two.compilations() == 2
    assert os.access(two.image, os.X_OK)
    assert f"{two.root}/guest/a.h" in Path(f"{two.object}.d").read_text()


def test_a_copy_has_the_bytes_that_the_compiler_makes(clones: list[Clone]) -> None:
    one, two = clones
    built(one)
    copied = built(two)
    shutil.rmtree(two.cache)
    two.object.unlink()
    two.image.unlink()
    assert built(two) == copied
    assert two.compilations() == 4


def test_a_touched_source_rebuilds_nothing(clones: list[Clone]) -> None:
    one = clones[0]
    built(one)
    before = [path.stat().st_mtime_ns for path in (one.object, one.image)]
    os.utime(one.root / "guest/a.h")
    built(one)
    assert [path.stat().st_mtime_ns for path in (one.object, one.image)] == before


def test_a_change_and_its_revert_compile_once(clones: list[Clone]) -> None:
    one = clones[0]
    header = one.root / "guest/a.h"
    text = header.read_text()
    first = built(one)
    write(header, "#define VALUE 2\n")  # older than the object
    assert built(one) != first
    assert one.compilations() == 4
    write(header, text)
    assert built(one) == first
    assert one.compilations() == 4


def test_a_new_header_that_hides_another_is_seen(clones: list[Clone]) -> None:
    one = clones[0]
    write(one.root / "guest/a.c", "#include <b/c.h>\nint _start(void) { return VALUE; }\n")
    for folder in ("guest/include/b", "guest/b"):
        (one.root / folder).mkdir(parents=True)
    write(one.root / "guest/b/c.h", "#define VALUE 1\n")
    paths = [f"-I{one.root}/guest/include", f"-I{one.root}/guest"]
    first = built(one, *paths)
    write(one.root / "guest/include/b/c.h", "#define VALUE 2\n")
    assert built(one, *paths) != first


def test_flags_are_part_of_the_key(clones: list[Clone]) -> None:
    one = clones[0]
    built(one)
    built(one, "-DVALUE_OF=2")
    built(one, "-O0")
    compiled = [n for n in one.compiler.with_name("log").read_text().splitlines() if " -c " in n]
    assert len(compiled) == 3


def test_another_compiler_is_another_key(clones: list[Clone], tmp_path: Path) -> None:
    one, two = clones
    built(one)
    two.compiler = tmp_path / "newer"
    two.compiler.write_text(one.compiler.read_text() + "# newer\n")
    two.compiler.chmod(0o755)
    assert two.compile().returncode == 0
    assert two.compilations() == 3


def test_the_list_of_sources_is_one_of_sha256sum(clones: list[Clone]) -> None:
    one = clones[0]
    built(one)
    listed = Path(f"{one.image}.sources").read_text()
    for name in ("a.c", "a.h", "boot.ld", "flags.txt"):
        digest = hashlib.sha256((one.root / "guest" / name).read_bytes()).hexdigest()
        assert f"{digest}  {one.root}/guest/{name}\n" in listed
    check = ["sha256sum", "--check", "--quiet", f"{one.image}.sources"]
    assert subprocess.run(check).returncode == 0
    write(one.root / "guest/a.h", "#define VALUE 2\n")
    assert subprocess.run(check, capture_output=True).returncode != 0


def test_a_source_that_has_left_the_library_is_not_listed(clones: list[Clone]) -> None:
    one = clones[0]
    library = one.build / "library"
    library.mkdir()
    for name in ("b", "c"):
        write(one.root / f"guest/{name}.c", f"int {name};\n")
        assert one.compile(name=name).returncode == 0
        for file in one.build.glob(f"{name}.c.o*"):
            file.rename(library / file.name)
    (one.root / "guest/c.c").unlink()
    archive = one.build / "library.a"
    subprocess.run(["ar", "rcsD", archive, library / "b.c.o"], check=True)
    assert one.compile().returncode == 0
    assert one.link(archive).returncode == 0
    listed = Path(f"{one.image}.sources").read_text()
    assert "/guest/b.c\n" in listed and "/guest/c.c\n" not in listed


def test_a_source_changed_by_its_compilation_is_not_taken_for_known(clones: list[Clone]) -> None:
    one = clones[0]
    header = one.root / "guest/a.h"
    one.compiler.write_text(one.compiler.read_text().replace("exec", f"echo >> {header}\nexec"))
    assert one.compile().returncode == 0
    assert f"{'0' * 64}  {header}\n" in Path(f"{one.object}.sources").read_text()
    assert not one.cache.exists()


def test_a_damaged_copy_is_compiled_again(clones: list[Clone]) -> None:
    one, two = clones
    first = built(one)
    for copy in filter(Path.is_file, one.cache.rglob("*")):
        copy.write_bytes(copy.read_bytes()[:-1])
    assert built(two) == first
    assert two.compilations() == 4


def test_what_a_killed_process_left_is_no_copy(clones: list[Clone], module: ModuleType) -> None:
    one, two = clones
    built(one)
    copies = [copy for copy in one.cache.rglob("*") if copy.is_file()]
    for copy in copies:
        copy.rename(f"{copy}.123")
        os.utime(f"{copy}.123", (0, 0))
    built(two)
    assert two.compilations() == 4
    assert not list(one.cache.rglob("*.123"))


def test_processes_may_write_one_key_at_the_same_time(clones: list[Clone]) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda n: clones[n % 2].compile(), range(16)))
    assert [d.returncode for d in done] == [0] * 16, [d.stderr for d in done]
    assert clones[0].object.read_bytes() == clones[1].object.read_bytes()
    copies = [file for file in clones[0].cache.rglob("*") if file.is_file()]
    assert len(copies) == 2  # the object, and the variants of its source


def test_a_cache_that_cannot_be_written_stops_no_build(clones: list[Clone]) -> None:
    one = clones[0]
    one.cache.write_text("not a folder")
    done = one.compile()
    assert done.returncode == 0
    assert done.stderr.startswith("guest cache: ") and str(one.cache) in done.stderr
    assert done.stderr.count("\n") == 1
    built(one)  # says nothing again
    assert one.compilations() == 3
    one.cache.unlink()
    built(one)
    one.cache.rename(one.cache.with_name("elsewhere"))
    one.cache.write_text("not a folder")
    assert "guest cache: " in one.compile().stderr


def test_the_copies_unused_for_the_longest_time_are_removed(
    tmp_path: Path, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "LIMIT", 10_000)
    monkeypatch.setattr(module, "SHARDS", 1)
    cache = module.Cache(str(tmp_path))
    keys = [f"{n:064x}" for n in range(30)]
    for n, key in enumerate(keys):
        cache.put(key, bytes(1000))
        os.utime(cache._path(key), (n, n))
        assert sum(f.stat().st_size for f in Path(cache.folder).rglob("*") if f.is_file()) <= 10_000
    assert cache.get(keys[-1]) == bytes(1000)
    assert cache.get(keys[0]) is None


def test_warnings_and_errors_are_seen_each_time(clones: list[Clone]) -> None:
    one = clones[0]
    source = one.root / "guest/a.c"
    write(source, "#warning look here\nint _start(void) { return 0; }\n")
    for _ in range(2):
        done = one.compile()
        assert done.returncode == 0 and "look here" in done.stderr
    write(source, "int _start(void) { return what; }\n")
    for _ in range(2):
        done = one.compile()
        assert done.returncode != 0 and "what" in done.stderr
    assert not one.cache.exists()


def test_a_refused_image_is_neither_delivered_nor_kept(clones: list[Clone]) -> None:
    one = clones[0]
    write(one.root / "guest/a.c", 'void _start(void) { __asm__("cpuid"); }\n')
    assert one.compile().returncode == 0
    for _ in range(2):
        done = one.link()
        assert done.returncode != 0 and "cpuid" in done.stderr
        assert not one.image.exists()
