# SPDX-License-Identifier: MIT
"""`symlab cc`: a program may use names for its own functions that the guest library uses, too."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from symlab import run
from symlab.errors import UserError
from symlab.guest.binutils import keep_apart
from symlab.guest.compiling import GUEST, build, parse_arguments

BINARY = os.environ.get("SYMSIM_BINARY", "")
QUICKSTART = GUEST.parent / "configs" / "quickstart.toml"

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

# put(), put_before(), report() and processors() are functions of the library behind printf() and
# the start of main(); round() and strdup() are standard, beside others that the program uses;
# format_float() and comparison are plausible names.
PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int processors = 3, format_float = 4;
char *put(char *text) { printf("put %s\n", text); return text; }
void put_before(void) { puts("before"); }
void report(char *text, double value) { printf("%s %.2f\n", text, value); }
int comparison(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
char *strdup(const char *text) { (void)text; return "my copy"; }
double round(double x) { return floor(x) * 10; }
extern int barrier(void);
int main(void) {
    volatile double half = 2.5;
    int numbers[] = {1, 3, 2};
    qsort(numbers, 3, sizeof(int), comparison);
    put_before();
    put(strdup(strchr("a text", 't')));
    report("round", round(half));
    printf("%d %d %d %d\n", numbers[0], processors, format_float, barrier());
    return 0;
}
"""
EXPECTED = "before\nput my copy\nround 20.00\n3 3 4 5\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("mine.c").write_text(PROGRAM)
    Path("barrier.c").write_text("int barrier(void) { return 5; }\n")
    return tmp_path


def console_of(image: str) -> str:
    run(
        QUICKSTART,
        settings={"guest.image": image, "machine.processors": 2},
        out="out",
        simulator=BINARY,
    )
    return Path("out/console.txt").read_text()


@needs_simulator
@pytest.mark.parametrize("words", [[], ["-pthread"]], ids=["alone", "threads"])
def test_a_program_has_its_own_functions_and_the_library_its_own(folder, words):
    build(parse_arguments(["mine.c", "barrier.c", "-o", "mine.elf", "-O2", "-w", *words]))
    assert console_of("mine.elf") == EXPECTED


@needs_simulator
@pytest.mark.parametrize("given", ["barrier.o", "barrier.a"])
def test_names_in_objects_and_archives_are_kept_apart(folder, given):
    subprocess.run(["gcc", "-m32", "-fno-pic", "-c", "barrier.c", "-o", "barrier.o"], check=True)
    subprocess.run(["ar", "rcs", "barrier.a", "barrier.o"], check=True)
    before = Path(given).read_bytes()
    build(parse_arguments(["mine.c", given, "-o", "mine.elf", "-O2", "-w"]))
    assert console_of("mine.elf") == EXPECTED
    assert Path(given).read_bytes() == before


def test_a_program_without_common_names_is_linked_as_it_was_compiled(folder):
    for name, text in [("one", "int one(void) { return 1; }"), ("two", "int two;")]:
        Path(f"{name}.c").write_text(text + "\n")
        subprocess.run(["gcc", "-m32", "-c", f"{name}.c", "-o", f"{name}.o"], check=True)
    assert keep_apart(["one.o"], ["two.o"], folder) == ["one.o"]
    assert keep_apart(["one.o"], ["two.o", "one.o"], folder) != ["one.o"]


@pytest.mark.parametrize("name", ["_start", "symsim_boot_args"])
def test_a_reserved_name_cannot_be_defined_again(folder, capfd, name):
    Path("mine.c").write_text(f"void {name}(void) {{}}\nint main(void) {{ return 0; }}\n")
    with pytest.raises(UserError, match="could not link"):
        build(parse_arguments(["mine.c", "-o", "mine.elf"]))
    assert name in capfd.readouterr().err


@pytest.mark.parametrize("tool", ["nm", "objcopy"])
def test_a_missing_tool_is_reported(folder, monkeypatch, tool):
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == tool else which(name))
    with pytest.raises(UserError, match=f"no {tool} in"):
        build(parse_arguments(["mine.c", "barrier.c", "-o", "mine.elf", "-w"]))
