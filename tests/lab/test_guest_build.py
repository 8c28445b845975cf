# SPDX-License-Identifier: MIT
"""Guests of the tree that a run names are built if they are missing or out of date."""

import os
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest.build import build_guests
from symlab.runs.simulator import Simulator, summary_of

RULES = """rule image
  command = {command}
build guest/known.elf: image source.c
build guest-known: phony guest/known.elf
"""
BINARY = os.environ.get("SYMSIM_BINARY", "")
COUNTING = "echo x >> count && touch guest/known.elf"

pytestmark = pytest.mark.skipif(not shutil.which("ninja"), reason="ninja is not installed")


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    """A simulator in a build folder."""
    folder = tmp_path / "build"
    (folder / "guest").mkdir(parents=True)
    (folder / "source.c").write_text("int a;\n")
    path = folder / "symsim"
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def rules(binary: Path, command: str) -> None:
    (binary.parent / "build.ninja").write_text(RULES.format(command=command))


def image(binary: Path) -> Path:
    return binary.parent / "guest" / "known.elf"


def builds(binary: Path) -> int:
    return len((binary.parent / "count").read_text().splitlines())


def test_a_missing_guest_is_built_once(binary: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules(binary, COUNTING)
    build_guests(binary, ["known", "known"])
    assert image(binary).is_file()
    assert capsys.readouterr().err == "symlab: building the guest known\n"
    build_guests(binary, ["known"])
    assert builds(binary) == 1
    assert capsys.readouterr().err == ""


def test_a_guest_of_older_sources_is_built_again(
    binary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules(binary, COUNTING)
    build_guests(binary, ["known"])
    later = image(binary).stat().st_mtime + 10
    os.utime(binary.parent / "source.c", (later, later))
    capsys.readouterr()
    build_guests(binary, ["known"])
    assert builds(binary) == 2
    assert capsys.readouterr().err == "symlab: built again, of changed sources: the guest known\n"


LISTING = "cp source.c guest/known.elf && sha256sum $$PWD/source.c > guest/known.elf.sources"


def write_source(binary: Path, text: str, hours: int) -> None:
    """Writes source.c as if `hours` ago."""
    path = binary.parent / "source.c"
    path.write_text(text)
    then = time.time() - 3600 * hours
    os.utime(path, (then, then))


def test_the_contents_of_sources_decide_not_their_time_stamps(binary: Path) -> None:
    rules(binary, f"echo x >> count && {LISTING}")
    write_source(binary, "one", 5)
    build_guests(binary, ["known"])
    write_source(binary, "one", 0)
    build_guests(binary, ["known"])
    assert builds(binary) == 1
    write_source(binary, "two", 7)  # older than the image
    build_guests(binary, ["known"])
    assert image(binary).read_text() == "two"
    write_source(binary, "three", 0)
    build_guests(binary, ["known"])
    assert image(binary).read_text() == "three"


def test_guests_that_are_of_these_sources_need_no_ninja(
    binary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules(binary, LISTING)
    build_guests(binary, ["known"])
    monkeypatch.setenv("PATH", "")
    build_guests(binary, ["known"])


@pytest.fixture
def simulator(binary: Path) -> Path:
    """The real simulator in a build folder whose rules can build the guest `known`."""
    if not BINARY:
        pytest.skip("SYMSIM_BINARY names no simulator")
    real = Path(BINARY).resolve()
    shutil.copy(real, binary)
    rules(binary, LISTING.replace("source.c", str(real.parent / "guest/counter-read.elf"), 1))
    return binary


def test_the_simulator_says_how_to_build_a_guest(simulator: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[guest]\nimage = "known"\n')
    check = [str(simulator), str(config), "--check"]
    refused = subprocess.run(check, capture_output=True, text=True)
    assert refused.returncode == 2
    command = f"ninja -C {simulator.parent} guest-known"
    assert f"{command} builds it" in refused.stderr
    subprocess.run(command.split(), check=True, capture_output=True)
    assert subprocess.run(check, capture_output=True).returncode == 0


def test_a_run_of_the_lab_builds_its_guest(
    simulator: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[guest]\nimage = "known"\nargs.increments = 20\n[run]\nlimit_ms = 50\n')

    def said() -> str:
        summary_of(config, {}, tmp_path / "out", simulator)
        return capsys.readouterr().err

    assert said() == "symlab: building the guest known\n"
    assert said() == ""
    write_source(simulator, "two", 0)
    assert said() == "symlab: built again, of changed sources: the guest known\n"


def test_the_lab_builds_what_configs_name(binary: Path, tmp_path: Path) -> None:
    rules(binary, COUNTING)
    simulator = Simulator(binary)
    simulator.build_guests([{"guest.image": "{what}", "guest.args.what": "known"}])
    guest = simulator.guest(tmp_path / "a.toml", {"guest.image": "known"})
    assert guest and guest.path == image(binary)


def test_names_that_are_no_guests_of_the_tree_are_left_alone(binary: Path) -> None:
    rules(binary, COUNTING)
    build_guests(binary, ["unknown", "", "../guest/known", "guest/known.elf"])
    assert not image(binary).exists()


def test_outside_a_build_folder_nothing_is_built(binary: Path) -> None:
    build_guests(binary, ["known"])
    assert not os.listdir(binary.parent / "guest")


def test_a_wheel_names_the_tool_that_is_missing(
    binary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (binary.parent / "guests.txt").write_text("counter-mcs\nknown\n")
    monkeypatch.setenv("PATH", str(binary.parent))
    build_guests(binary, ["counter-read", "mine.elf"])  # not of this wheel
    image(binary).touch()
    build_guests(binary, ["known"])
    with pytest.raises(UserError, match=r"guest counter-mcs: not in the wheel.*no cmake in \$PATH"):
        build_guests(binary, ["counter-mcs", "known"])


def test_a_failing_compiler_is_quoted(binary: Path) -> None:
    rules(binary, "echo mine.c:3: what is this >&2 && false")
    with pytest.raises(UserError, match=r"guests cannot be built(.|\n)*mine.c:3"):
        build_guests(binary, ["known"])
