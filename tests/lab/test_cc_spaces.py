# SPDX-License-Identifier: MIT
"""`symlab cc --space`: an image of several programs, without a build folder."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from symlab import run
from symlab.errors import UserError
from symlab.guest.compiling import build, parse_arguments
from symlab.places import GUEST

BINARY = os.environ.get("SYMSIM_BINARY", "")
MACHINE = GUEST.parent / "configs" / "machines" / "symmetry-a.toml"
PAGE = (GUEST.parent / "docs" / "how-to" / "spaces.md").read_text()

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def program_of_the_page(name: str) -> str:
    """The first block of docs/how-to/spaces.md after `name`."""
    block = re.search(rf"^`{name}`:\n\n((?:    .*\n|\n)+)", PAGE, re.MULTILINE)
    assert block is not None, name
    return re.sub(r"^    ", "", block[1], flags=re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with client.c and server.c of docs/how-to/spaces.md."""
    monkeypatch.chdir(tmp_path)
    for name in ("client.c", "server.c"):
        Path(name).write_text(program_of_the_page(name))
    return tmp_path


def built(words: str) -> Path:
    return build(parse_arguments(f"-o sum.elf {words}".split()))


def console_of(image: Path, processors: int) -> str:
    settings = {"guest.image": str(image), "machine.processors": processors}
    run(MACHINE, settings=settings, out=Path("run"), simulator=BINARY)
    return Path("run/console.txt").read_text()


BOTH = "--space client=client.c --space server=server.c"


@needs_simulator
@pytest.mark.parametrize("options", ["", "-O2 -Wall -Wextra -Werror", "--lock mcs"])
@pytest.mark.parametrize("processors", [1, 2])
def test_the_two_programs_of_the_page_call_each_other(folder, options, processors):
    assert console_of(built(f"{BOTH} {options}"), processors) == "42\n"


@needs_simulator
def test_the_image_is_the_one_of_the_tree_but_for_names_of_files(folder):
    """The kernel and the package are built as guest/spaces.cmake does it."""
    null = GUEST / "workloads/urpc"
    image = built(f"--space client={null}/null.c --space server={null}/server.c -ffreestanding")
    tree = Path(BINARY).resolve().parent / "guest/urpc_null.elf"
    run(
        MACHINE,
        settings={"guest.image": "urpc_null", "machine.processors": 2},
        out=Path("of-tree"),
        simulator=BINARY,
    )

    def functions(file: Path) -> list[str]:
        listed = subprocess.run(
            ["nm", "--print-size", file], capture_output=True, text=True, check=True
        )
        rows = [line.split() for line in listed.stdout.splitlines()]
        return sorted(f"{row[1]} {row[3]}" for row in rows if len(row) == 4 and row[2] in "tT")

    assert functions(image) == functions(tree)


@needs_simulator
def test_a_program_has_several_files_and_names_that_the_library_has_too(folder):
    Path("more.c").write_text("int put(int number) { return number + 1; }\n")
    client = Path("client.c").read_text().replace("sum);", "put(sum));")
    Path("client.c").write_text(client.replace("int main", "int put(int number);\nint main"))
    assert console_of(built(f"{BOTH} --space client=more.c"), 2) == "43\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("client.c --space server=server.c", "client.c: of which space? Write --space NAME="),
        ("--space server.c", "--space server.c: write NAME=FILE.c, such as server=server.c"),
        ("--space server=server", "write NAME=FILE.c"),
        ("--space server=gone.c", "no such file: gone.c"),
        (f"{BOTH} -pthread", "-pthread does not go with --space"),
        (f"{BOTH} --kernel", "--kernel does not go with --space"),
        (f"{BOTH} --stack-kb 16", "--stack-kb does not go with --space"),
        ("--space Server=server.c", "space Server: a name is at most 15 small letters"),
        (
            " ".join(f"--space s{n}=server.c" for n in range(9)),
            "9 spaces, there can be 8",
        ),
        ("--space client=client.c -o client.c", "this is an input, client.c"),
    ],
)
def test_wrong_arguments_are_named(folder, words, says):
    with pytest.raises(UserError, match=re.escape(says)):
        built(words)


def test_a_function_that_is_missing_is_named_with_its_space(folder, capfd):
    Path("server.c").write_text("int absent(void);\nint main(void) { return absent(); }\n")
    with pytest.raises(UserError, match=re.escape("server.absent")):
        built(BOTH)
    assert "undefined reference" in capfd.readouterr().err
