# SPDX-License-Identifier: MIT
"""`symlab stubs`: the headers that it writes, what it refuses, and calls between spaces with them.

stubs/ has an interface with every kind of type, a client, its server, a hostile server, and the
headers as they are to be. After a change of the generator: symlab stubs calculator.idl in stubs/.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from symlab import run
from symlab.cli import app
from symlab.errors import UserError
from symlab.guest.compiling import build, parse_arguments
from symlab.guest.stubs.interface import read_interface
from symlab.guest.stubs.write import write_stubs
from symlab.places import GUEST
from typer.testing import CliRunner

HERE = Path(__file__).parent / "stubs"
HEADERS = ["calculator.h", "calculator_client.h", "calculator_server.h"]
MACHINES = GUEST.parent / "configs" / "machines"

needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)


def test_the_headers_are_those_of_the_tree(tmp_path: Path) -> None:
    files = write_stubs(HERE / "calculator.idl", tmp_path)
    assert [file.name for file in files] == HEADERS
    for file in files:
        assert file.read_text() == (HERE / file.name).read_text(), file.name
        assert max(map(len, file.read_text().splitlines())) <= 100


@needs_simulator
@pytest.mark.parametrize(
    ("machine", "processors"), [("symmetry-a", 1), ("symmetry-a", 3), ("firefly", 6)]
)
def test_every_type_and_every_wrong_length_between_spaces(
    image: Path, tmp_path: Path, machine: str, processors: int
) -> None:
    done = run(
        MACHINES / f"{machine}.toml",
        settings={
            "machine.processors": processors,
            "guest.image": str(image),
            "run.limit_ms": 10_000,
        },
        out=tmp_path,
    )
    assert (done.summary["guest"]["exit_status"], done.summary["guest"]["results"]) == (
        0,
        {"wrong": 0},
    )


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image of stubs/, built where the generated headers are, without a warning."""
    folder = tmp_path_factory.mktemp("stubs")
    for file in HERE.glob("*.[ci]*"):
        shutil.copy(file, folder)
    write_stubs(folder / "calculator.idl", folder)
    words = ["-o", str(folder / "calculator.elf"), "-Wall", "-Wextra", "-Werror"]
    for name in ("client", "server", "liar"):
        words += ["--space", f"{name}={folder / name}.c"]
    return build(parse_arguments(words))


def wrong(text: str, tmp_path: Path) -> str:
    """The message about a description, after its name."""
    file = tmp_path / "x.idl"
    file.write_text(text)
    with pytest.raises(UserError) as error:
        read_interface(file)
    begin = f"stubs: {file}:"
    assert str(error.value).startswith(begin)
    return str(error.value).removeprefix(begin)


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ("add(int32 a b);", '2:13: found "b"; expected ) or , or ['),
        ("add(int32 a)", '3:1: found "}"; expected ; or returns'),
        ("add(int32 a) $;", "2:14: found '$', which has no meaning here; take it out"),
        ("add(int23 a);", "2:5: there is no type int23; did you mean int32?"),
        ("add(text a);", "2:5: there is no type text; there are int8, int16, int32, int64, uint8"),
        ("add(bytes a);", "2:5: bytes is an array; write bytes NAME[MOST], or uint8 NAME"),
        ("add(int32 a[0]);", "2:13: an array of 0 elements; take 1 or more"),
        ("add(int32 a, int8 a);", "2:19: a is named twice, first in line 2; take another name"),
        ("add(int32 a) returns (int8 a);", "2:28: a is named twice"),
        ("add(bytes a[2], int8 a_count);", "2:22: a_count is named twice"),
        ("add();\nadd();", "3:1: add is named twice, first in line 2; take another name"),
        ("add(int32 while);", "2:11: while has a meaning of its own; take another name"),
        ("add(int32 urpc_in);", "2:11: urpc_in: the stubs use names that begin with urpc or _"),
        ("", "1:11: an interface without procedures; add one, such as reset();"),
        ("struct s {}; f();", "2:8: struct s has no members; add one"),
        ("struct s { int8 a[2]; }; f();", "2:12: a member of a struct is one value"),
        ("".join(f"f{n}();" for n in range(33)), "1:11: 33 procedures, and a server has 32"),
        (
            "add(bytes a[45]);",
            "2:1: add: its arguments take up to 13 words, and a message has 12 (a word is 4 bytes, "
            "and an array has one more for its count); shorten an array, or make two procedures",
        ),
        ("f() returns (double a[6]);", "2:1: f: its results take up to 13 words"),
    ],
)
def test_a_wrong_description_is_refused_with_place_and_cure(
    inner: str, message: str, tmp_path: Path
) -> None:
    assert wrong(f"interface n {{\n{inner}\n}}", tmp_path).startswith(message)


def test_a_description_that_ends_too_early_names_its_last_line(tmp_path: Path) -> None:
    assert wrong("interface n {\n  f();\n\n", tmp_path).startswith("2:7: the file ends; expected ")
    assert wrong("", tmp_path) == "1:1: the file ends; expected interface"


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "x.idl"
    file.write_text("interface n { f(); }", encoding="utf-8-sig")
    assert read_interface(file).procedures[0].name == "f"


@pytest.mark.parametrize("inner", ["f(bytes a[44]);", "f(bytes a[1]);", "f(double a[5]);"])
def test_twelve_words_are_enough(inner: str, tmp_path: Path) -> None:
    file = tmp_path / "x.idl"
    file.write_text(f"interface n {{ {inner} }}")
    assert read_interface(file).procedures[0].arguments[0].words <= 12


def test_a_file_of_the_user_is_not_replaced_but_a_stub_is(tmp_path: Path) -> None:
    write_stubs(HERE / "calculator.idl", tmp_path)
    write_stubs(HERE / "calculator.idl", tmp_path)
    (tmp_path / HEADERS[1]).write_text("int mine;\n")
    with pytest.raises(UserError, match="was not written by this command; remove it"):
        write_stubs(HERE / "calculator.idl", tmp_path)
    assert (tmp_path / HEADERS[1]).read_text() == "int mine;\n"


def test_the_command_says_what_is_next_and_ends_with_2_after_a_mistake(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["stubs", str(HERE / "calculator.idl"), "--in", str(tmp_path)])
    assert done.exit_code == 0
    assert "include calculator_client.h in the client" in done.output
    missing = subprocess.run(
        [sys.executable, "-m", "symlab", "stubs", "no.idl"], capture_output=True, text=True
    )
    assert (missing.returncode, missing.stderr) == (
        2, "symlab: stubs: cannot read no.idl: No such file or directory\n"
    )  # fmt: skip
