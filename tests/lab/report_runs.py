# SPDX-License-Identifier: MIT
"""Small runs of the real simulator that the tests of the report share."""

import os
from pathlib import Path

import pytest
from symlab import run
from symlab.report.run_data import RunData, load_run

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
NEEDS_SIMULATOR = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
SETTINGS = {
    "machine.processors": 4,
    "guest.args.increments": 600,
    "observe.interval_us": 10.0,
}


def guest_test(name: str) -> str:
    """Path of a guest of tests/guest/, which is built beside the simulator."""
    return str(Path(BINARY).resolve().parent / "guest-tests" / f"{name}.elf")


def quickstart(folder: Path, **settings: str | int | float) -> Path:
    """Makes a small run of the quickstart. In the names of `settings`, __ stands for a dot."""
    given = {key.replace("__", "."): value for key, value in settings.items()}
    config = ROOT / "configs" / "quickstart.toml"
    run(config, settings={**SETTINGS, **given}, out=folder, simulator=BINARY, strict=False)
    return folder


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quickstart(tmp_path_factory.mktemp("report") / "read")


@pytest.fixture(scope="session")
def run_data(run_folder: Path) -> RunData:
    return load_run(run_folder)
