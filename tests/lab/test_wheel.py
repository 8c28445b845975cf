# SPDX-License-Identifier: MIT
"""symlab from a wheel: in a fresh environment and an empty folder, without the source tree."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
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
    """Packages are those of this environment, whose own symlab a .pth file does not offer."""
    home = tmp_path_factory.mktemp("wheel")
    wheels, empty = home / "wheels", home / "empty"
    empty.mkdir()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    # pip would find this tree's symlab in PYTHONPATH, and install none.
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    packed = {**clean, "SYMSIM_BINARY": str(some_of(BINARY, home / "built"))}
    run([*pip, "wheel", *offline, "-w", str(wheels), str(ROOT / "lab")], env=packed)
    (wheel,) = wheels.iterdir()
    run([sys.executable, "-m", "venv", "--without-pip", str(home / "venv")])
    python = home / "venv" / "bin" / "python"
    run(
        [*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], env=clean
    )
    (site,) = (home / "venv" / "lib").glob("python*/site-packages")
    (site / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(wheel, python, empty)


def some_of(binary: str | None, folder: Path) -> Path:
    """A build folder with the simulator and two of its guests. All guests would take longer."""
    folder.mkdir()
    if binary:
        shutil.copy(Path(binary).resolve(), folder / "symsim")
        (folder / "guest").mkdir()
        for image in ("counter-read.elf", "operations.elf"):
            shutil.copy(Path(binary).resolve().parent / "guest" / image, folder / "guest")
    return folder / "symsim"


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
def test_a_program_is_compiled_and_run_in_an_empty_folder(installed: Installed) -> None:
    (installed.folder / "hello.c").write_text(PROGRAM)
    assert installed.symlab("cc", "hello.c", "-o", "hello.elf") == "wrote hello.elf\n"
    printed = installed.call(
        "-c",
        "from symlab import run\n"
        "settings = {'guest.image': 'hello.elf', 'machine.processors': 3}\n"
        "one = run('configs/machines/symmetry-a.toml', settings, 'out')\n"
        "print(one.results)",
    )
    assert printed == "{'processors': 3}\n"


@needs_simulator
def test_a_packaged_config_with_a_packaged_guest_is_swept(installed: Installed) -> None:
    axis = ["--set", "machine.processors=[1,2]", "--set", "guest.args.lock=read"]
    short = ["--set", "guest.args.increments=100"]
    output = installed.symlab("sweep", "papers/ALL/figures/figure-4.1.toml", *axis, *short)
    assert "2 points" in output
    rows = (installed.folder / "results/ALL/figure-4.1.csv").read_text().splitlines()
    assert len(rows) == 3 and all("finished" in row for row in rows[1:])


@needs_simulator
def test_a_paper_is_reproduced_in_an_empty_folder(installed: Installed) -> None:
    installed.symlab("paper", "ALL", "quick", "--figure", "table-3.1")
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
