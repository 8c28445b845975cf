# SPDX-License-Identifier: MIT
"""Linux programs in the lab: compiled, run, compared. If SYMSIM_BINARY is set, they run."""

import os
import struct
from pathlib import Path

import pytest
from symlab import compare, run
from symlab.checks.prepare import Order, prepare_check
from symlab.cli import app
from symlab.errors import RunFailed, UserError
from symlab.guest.linux import compile_linux, options_of
from symlab.guest.programs import is_elf, is_linux_program
from symlab.runs import grid
from symlab.runs.linux import experiment_of
from symlab.runs.settings import parse_setting
from typer.testing import CliRunner

BINARY = os.environ.get("SYMSIM_BINARY", "")
needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

# Shows its arguments, and ends with the first one as its status or by the second one as a signal.
SHOW = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char** words) {
    for (int i = 1; i < count; i++) printf("[%s]", words[i]);
    printf("%s\n", getenv("WHO") ? getenv("WHO") : "");
    if (count > 2) raise(atoi(words[2]));
    return count > 1 ? atoi(words[1]) : 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("linux")
    (folder / "show.c").write_text(SHOW)
    try:
        return compile_linux([str(folder / "show.c"), "-o", str(folder / "show")])
    except UserError:
        pytest.skip("gcc makes no static 32-bit programs here")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def elf(kind: int, machine: int, address: int, bits: int = 1, offset: int = 0) -> bytes:
    header = struct.pack("<4s12xHHIIIIIHHHHHH", b"\x7fELF", kind, machine, 1, address, 52, 0, 0,
                         52, 32, 1, 0, 0, 0)  # fmt: skip
    header = header[:4] + bytes([bits]) + header[5:]
    return header + struct.pack("<8I", 1, offset, address, address, 84, 84, 5, 4096)


def test_a_linux_program_is_known_by_its_headers(folder):
    file = folder / "a.out"
    for content, known in (
        (elf(2, 3, 0x08048000), True),
        (elf(3, 3, 0), True),  # static-pie
        (elf(2, 3, 0x100000), True),
        (elf(2, 3, 0x100000, offset=4096), False),  # of symsim's own
        (elf(2, 62, 0x08048000, 2), False),
        (elf(1, 3, 0x08048000), False),
        (elf(2, 3, 0x08048000)[:70], False),
        (b"#!/bin/sh\n", False),
        (b"", False),
    ):
        file.write_bytes(content)
        assert is_linux_program(file) is known, content
        assert is_elf(file) is content.startswith(b"\x7fELF")
    assert not is_linux_program(folder) and not is_linux_program(folder / "missing")


def test_words_of_a_program_are_texts():
    assert parse_setting("guest.argv=1e3") == ("guest.argv", "1e3")
    assert parse_setting("guest.argv='a b'") == ("guest.argv", "a b")
    assert parse_setting("guest.argv=[1,2]") == ("guest.argv", ["1", "2"])
    assert parse_setting("guest.argv=[1.50, x y]") == ("guest.argv", ["1.50", "x y"])
    assert parse_setting("guest.args.n=1") == ("guest.args.n", 1)


def test_openmp_is_seen_in_the_source(folder):
    (folder / "loop.c").write_text("int main() {\n  #pragma omp parallel\n  return 0; }\n")
    (folder / "plain.c").write_text("int main() { return 0; } // omp\n")
    assert "-fopenmp" in options_of(folder / "loop.c")
    assert "-fopenmp" not in options_of(folder / "plain.c")


def test_locks_and_other_programs_do_not_go_with_it(folder, program):
    with pytest.raises(
        UserError, match=r"--lock: .*show is a Linux program, with locks of its own"
    ):
        experiment_of([program], {"lock": ["mcs"]})
    with pytest.raises(UserError, match="two programs are called show"):
        experiment_of([program, program], {})
    (folder / "text").write_text("no program")
    with pytest.raises(UserError, match="text: neither a Linux program nor a file in C or C"):
        experiment_of([program, "text"], {})
    with pytest.raises(UserError, match="mcs: several programs are compared if all are for Linux"):
        experiment_of(["counter", "mcs"], {})


@needs_simulator
def test_check_and_sweep_say_what_to_do(program):
    with pytest.raises(UserError, match="is a Linux program, whose kernel chooses"):
        prepare_check(Order(str(program)))
    with pytest.raises(UserError, match="is a program and no config; `symlab compare`"):
        grid.load(program)


@needs_simulator
def test_a_run_gets_arguments_and_gives_the_status(folder, program):
    done = CliRunner().invoke(app, ["run", str(program), "-p", "1", "--", "0"])
    assert done.exit_code == 0, done.output
    settings = {"guest.argv": "2", "guest.env": "WHO=me"}
    with pytest.raises(RunFailed) as ended:  # not UserError, which has that exit code too
        run(program, processors=1, settings=settings)
    assert (ended.value.exit_code, ended.value.status) == (2, "guest-exit")
    assert (folder / "results/show/console.txt").read_text() == "[2]me\n"
    with pytest.raises(RunFailed) as ended:
        run(program, processors=1, settings={"guest.argv": "0 6"})
    assert (ended.value.exit_code, ended.value.status) == (128 + 6, "guest-exit")


@needs_simulator
def test_programs_are_compared_with_arguments_as_an_axis(folder, program):
    (folder / "other.c").write_text(SHOW.replace("[%s]", "<%s>"))
    frame = compare(
        [program, "other.c"],
        processors=1,
        linux=True,
        settings={"guest.argv": ["0", "2"]},
    )
    assert list(frame.program) == ["show", "show", "other", "other"]
    assert list(frame.status) == ["finished", "guest-exit", "finished", "guest-exit"]
    assert (folder / "results/show-linux/show-linux.csv").is_file()
