# SPDX-License-Identifier: MIT
"""What `symlab cc` passes to gcc for which files, and what it refuses: thread-local variables,
instructions that a 386 lacks. Atomic operations are what docs/reference/c-library.md says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest.compiling import GUEST, build, parse_arguments, read_flags
from symlab.guest.library import GuestCompiler

BINARY = os.environ.get("SYMSIM_BINARY", "")
PAGE = GUEST.parent / "docs" / "reference" / "c-library.md"
I486 = "-march=i486"

MAIN = "int main(void) { return 0; }\n"
CAS_LOCK = """
#pragma once
#include <stdbool.h>
#include "ordering.h"
#include "probes.h"
#define LOCK_NAME "cas"
#define LOCK_ISA i486
struct lock { LINE_ALIGNED volatile unsigned word; };
struct lock_slot {};
#define LOCK_INIT { 0 }
static inline bool lock_try(struct lock* lock, struct lock_slot* slot) {
    (void)slot;
    if (!__sync_bool_compare_and_swap(&lock->word, 0, 1)) return false;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    compiler_barrier();
    PROBE(PROBE_LOCK_ACQUIRED, lock);
    return true;
}
static inline void lock_acquire(struct lock* lock, struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    while (!__sync_bool_compare_and_swap(&lock->word, 0, 1)) {
    }
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}
static inline void lock_release(struct lock* lock, struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_RELEASE, lock);
    compiler_barrier();
    lock->word = 0;
}
"""
LOCKED = """
#include "lock.h"
#include "symsim.h"
static struct lock lock = LOCK_INIT;
static volatile unsigned count;
static void add(unsigned processor, void* unused) {
    (void)processor, (void)unused;
    struct lock_slot slot;
    lock_acquire(&lock, &slot);
    count = count + 1;
    lock_release(&lock, &slot);
}
int main(void) {
    run_on_all(add, NULL);
    return count == processors() ? 0 : 1;
}
"""
PTHREAD = """
#include <pthread.h>
static void* work(void* unused) { return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return pthread_join(thread, NULL);
}
"""
# A gcc that writes its arguments to the file `log` beside it and then runs the real one.
LOGGED_GCC = '#!/bin/sh\necho "$@" >>{log}\nexec {gcc} "$@"\n'


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that the tests share, so that the library is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, whose gcc logs its command lines to bin/log."""
    (tmp_path / "bin").mkdir()
    real = shutil.which("gcc-12") or shutil.which("gcc")
    gcc = tmp_path / "bin" / "gcc-12"
    gcc.write_text(LOGGED_GCC.format(log=tmp_path / "bin" / "log", gcc=real))
    gcc.chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def built(source: str, *options: str) -> Path:
    Path("program.c").write_text(source)
    return build(parse_arguments(["program.c", "-o", "program.elf", *options]))


def command_lines(folder: Path) -> dict[str, list[str]]:
    """Source -> the options with which it was compiled."""
    lines = [line.split() for line in (folder / "bin" / "log").read_text().splitlines()]
    return {words[words.index("-c") + 1]: words for words in lines if "-c" in words}


def test_options_of_the_user_apply_to_the_users_files_alone(folder, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))  # so the library is compiled now
    built(PTHREAD, "-pthread", "-O2", "-Wshadow", I486, "-fno-inline", "-DMINE=1", "-I", "own")
    of = command_lines(folder)
    mine = {"-O2", "-Wshadow", I486, "-fno-inline", "-DMINE=1"}
    assert mine <= set(of["program.c"])
    package = [file for file in of if "/guest/threads/" in file]
    library = [file for file in of if "/guest/lib/" in file]
    assert len(package) > 5 and len(library) > 20
    for file in package:
        assert mine & set(of[file]) == {"-DMINE=1"}, file
        assert of[file][of[file].index("own") - 1] == "-I", file
    # Of these some belong to the package: how they are compiled is its choice, too.
    for file in set(library) - {str(GUEST / name) for name in read_flags(GUEST, "package")}:
        assert not mine & set(of[file]), file


def test_a_lock_that_needs_a_486_is_compiled_for_one(folder):
    Path("cas.h").write_text(CAS_LOCK)
    image = built(LOCKED, "--lock", "cas.h")
    assert I486 in command_lines(folder)["program.c"]
    dumped = subprocess.run(["objdump", "-d", image], capture_output=True, text=True).stdout
    assert "lock cmpxchg" in dumped
    built(LOCKED)
    assert I486 not in command_lines(folder)["program.c"]


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_a_lock_that_needs_a_486_is_checked_on_one(folder):
    Path("cas.h").write_text(CAS_LOCK)
    command = ["symlab", "check", "cas.h", "--preemptions", "0", "--simulator", BINARY]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("static __thread int mine = 5;\nint main(void) { return mine++; }\n", "mine"),
        ("_Thread_local char buffer[40];\nint main(void) { return buffer[3]; }\n", "buffer"),
        ("extern __thread int errors;\nint main(void) { return errors; }\n", "errors"),
    ],
)
def test_a_thread_local_variable_is_refused_by_its_name(folder, source, named):
    with pytest.raises(UserError) as error:
        built(source)
    assert f"cc: program.c: {named}: thread-local variables" in str(error.value)
    assert "array indexed by processor()" in str(error.value)
    assert not Path("program.elf").exists()


def test_a_thread_local_variable_in_an_object_of_the_user_is_refused(folder):
    Path("other.c").write_text("__thread int mine;\n")
    subprocess.run(["gcc", "-m32", "-c", "other.c", "-o", "other.o"], check=True)
    Path("program.c").write_text(MAIN)
    with pytest.raises(UserError, match=r"cc: other\.o: mine: thread-local"):
        build(parse_arguments(["program.c", "other.o", "-o", "program.elf"]))


def test_pause_is_an_instruction_of_a_386(folder):
    built("int main(void) { __builtin_ia32_pause(); return 0; }\n")


# ---- atomic operations ----

HEAD = "#include <stdatomic.h>\nextern atomic_int x; extern atomic_flag f;\n"
COLUMNS = [["-O0"], ["-O1", "-O2", "-Os"], ["-O0", "-O1", "-O2", "-Os"]]


def documented() -> list[tuple[str, list[str]]]:
    """Operation -> what the page says of it for each column: yes or no."""
    section = PAGE.read_text().split("## Atomic operations")[1]
    rows = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and set(cells[-3:]) <= {"yes", "no"}:
            rows += [(code, cells[-3:]) for code in re.findall(r"`([^`]+)`", "|".join(cells[:-3]))]
    return rows


def calls_a_function(compiler: GuestCompiler, operation: str, options: list[str]) -> bool:
    body = f"{operation} return 0;" if operation.endswith(";") else f"return (int)({operation});"
    Path("one.c").write_text(f"{HEAD}int one(void) {{ int e = 0; (void)e; {body} }}\n")
    compiler.compile(Path("one.c"), Path("one.o"), ["-w", *options])
    names = subprocess.run(["nm", "-u", "one.o"], capture_output=True, text=True).stdout.split()
    return any(name.startswith(("__atomic_", "__sync_")) for name in names)


def test_the_table_of_atomic_operations_is_as_gcc_compiles_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compiler = GuestCompiler(GUEST)
    rows = documented()
    assert len(rows) >= 20
    for operation, says in rows:
        for column, (levels, word) in enumerate(zip(COLUMNS, says, strict=True)):
            for level in levels:
                options = [level, *([I486] if column == 2 else [])]
                found = "no" if calls_a_function(compiler, operation, options) else "yes"
                assert found == word, (operation, options)
