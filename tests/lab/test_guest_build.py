# SPDX-License-Identifier: MIT
"""A guest that a run names and nobody has built is built; what cannot be built is said."""

import os
import shutil
import stat
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest.build import build_missing
from symlab.runs.simulator import Simulator

RULES = """rule image
  command = {command}
build guest/known.elf: image
build guest-known: phony guest/known.elf
"""

pytestmark = pytest.mark.skipif(not shutil.which("ninja"), reason="ninja is not installed")


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    """A simulator in a build folder."""
    folder = tmp_path / "build"
    (folder / "guest").mkdir(parents=True)
    path = folder / "symsim"
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def rules(binary: Path, command: str) -> None:
    (binary.parent / "build.ninja").write_text(RULES.format(command=command))


def test_a_known_guest_is_built_once(binary: Path) -> None:
    rules(binary, "echo x >> count && touch guest/known.elf")
    image = build_missing(binary, "known")
    assert image == binary.parent / "guest" / "known.elf" and image.is_file()
    assert build_missing(binary, "known") == image
    assert (binary.parent / "count").read_text() == "x\n"


def test_the_lab_finds_a_guest_by_building_it(binary: Path, tmp_path: Path) -> None:
    rules(binary, "touch guest/known.elf")
    guest = Simulator(binary).guest(tmp_path / "a.toml", {"guest.image": "known"})
    assert guest and guest.path.is_file()


def test_an_unknown_guest_is_no_guest(binary: Path) -> None:
    rules(binary, "touch guest/known.elf")
    assert build_missing(binary, "unknown") is None


def test_outside_a_build_folder_nothing_is_built(binary: Path) -> None:
    assert build_missing(binary, "known") is None
    assert not os.listdir(binary.parent / "guest")


def test_a_failing_compiler_is_quoted(binary: Path) -> None:
    rules(binary, "echo mine.c:3: what is this >&2 && false")
    with pytest.raises(UserError, match=r"guest known cannot be built(.|\n)*mine.c:3"):
        build_missing(binary, "known")


def test_a_path_is_never_built(binary: Path) -> None:
    rules(binary, "touch guest/known.elf")
    assert build_missing(binary, "../guest/known") is None
