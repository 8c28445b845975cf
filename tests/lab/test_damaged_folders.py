# SPDX-License-Identifier: MIT
"""Damaged results folders: whatever is in the files, only a LabError comes out.

A fuzzer. SYMLAB_FUZZ=5000 in the environment makes it look for longer, and at other examples.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from conftest import Lab, write_manifest
from damage import damage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_runs import NEEDS_SIMULATOR, quickstart
from symlab import LabError, Run, load, sweep
from symlab.commands.housekeeping import status_command
from symlab.reports import write_report
from symlab.results.transactions import convert
from symlab.runs import grid
from symlab.runs.fst import to_fst
from symlab.runs.housekeeping import collect
from symlab.runs.plan import plan
from symlab.runs.simulator import Simulator
from symlab.runs.store import Store

EXAMPLES = int(os.environ.get("SYMLAB_FUZZ", "0"))


def bounded(examples: int) -> settings:
    """The same examples on each host, unless SYMLAB_FUZZ asks for more and others."""
    return settings(
        max_examples=EXAMPLES or examples,
        derandomize=not EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def show_run(run: Path) -> None:
    one = Run.of(run)
    repr(one)
    one._repr_html_()
    for name in ("bus", "locks", "processors", "console"):
        try:
            getattr(one, name)
        except LabError:
            continue


RUN_USES = {
    "report": lambda run: write_report([run]),
    "run": show_run,
    "transactions": lambda run: convert(run),
    "partial": lambda run: convert(run, partial=True),
    "fst": to_fst,
}
SWEEP_USES: dict[str, Callable[[Path], object]] = {
    "report": lambda out: write_report([out]),
    "load": load,
    "status": status_command,
    "gc": lambda out: collect(out, dry=True),
}


@pytest.fixture(scope="module")
def sound_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = quickstart(
        tmp_path_factory.mktemp("sound") / "run",
        machine__processors=2,
        guest__args__increments=20,
        observe__transactions=True,
        observe__vcd=True,
    )
    write_manifest(run)
    return run


@NEEDS_SIMULATOR
@pytest.mark.parametrize("use", RUN_USES)
def test_a_damaged_run_gives_a_lab_error_or_none(use: str, sound_run: Path) -> None:
    @bounded(12 if use == "report" else 40)
    @given(seed=st.integers(0, 2**32), count=st.integers(1, 3), listed=st.sampled_from((0, 1, 2)))
    def check(seed: int, count: int, listed: int) -> None:
        random = Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            run = Path(shutil.copytree(sound_run, Path(folder) / "run"))
            if listed == 0:  # the disk was full
                (run / "manifest.json").unlink()
            done = [damage(run, random) for _ in range(count)]
            if listed == 2 and not any("manifest" in one or "become" in one for one in done):
                write_manifest(run)  # forged: the damaged files match
                done.append("forge manifest.json")
            try:
                RUN_USES[use](run)
            except LabError as error:
                assert str(error)
            except Exception as error:
                raise AssertionError(f"{use} after {done}") from error

    check()


@pytest.fixture
def sound_sweep(lab: Lab) -> Lab:
    lab.fail(_1_read=3)
    sweep(lab.config, out=lab.out, simulator=lab.simulator, settings={"machine.processors": [1, 2]})
    return lab


class Resolved(Simulator):
    """Resolves as the simulator of the sweep does, without a process for each point."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.simulator)
        self._known: dict[str, dict] = {}

    def resolve(self, config, settings):
        key = repr(sorted(settings.items()))
        if key not in self._known:
            self._known[key] = super().resolve(config, settings)
        return self._known[key]


@pytest.mark.parametrize("use", [*SWEEP_USES, "plan"])
def test_a_damaged_sweep_gives_a_lab_error_or_none(use: str, sound_sweep: Lab) -> None:
    lab = sound_sweep
    file = grid.load(lab.config)
    points = grid.points(file, {"machine.processors": [1, 2]})
    simulator = Resolved(lab)

    def planned(out: Path) -> object:
        return plan(points, lab.config, simulator, Store(out), 1)

    @bounded(12 if use == "report" else 40)
    @given(seed=st.integers(0, 2**32), count=st.integers(1, 4))
    def check(seed: int, count: int) -> None:
        random = Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(shutil.copytree(lab.out, Path(folder) / "out"))
            done = [damage(out, random) for _ in range(count)]
            try:
                (planned if use == "plan" else SWEEP_USES[use])(out)
            except LabError as error:
                assert str(error)
            except Exception as error:
                raise AssertionError(f"{use} after {done}") from error

    check()
