# SPDX-License-Identifier: MIT
"""What is checked before a command makes a folder, so that a mistake leaves nothing behind."""

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symlab.errors import UserError
from symlab.plot.look import look
from symlab.runs import grid
from symlab.runs.axes import Axis
from symlab.runs.simulator import Simulator

if TYPE_CHECKING:
    from symlab.runs.experiment import Experiment

PROCESSORS = "machine.processors"
FIGURE = "figure."
MOST_TRIED = 100  # points of a sweep; a process of the simulator looks at each


def check_experiment(chosen: "Experiment", simulator: str | Path | None) -> None:
    """Asks the simulator whether it takes the numbers of processors and the first value of each
    other axis, and checks what the lab itself reads. Raises UserError."""
    wanted = {k.removeprefix(FIGURE): v for k, v in chosen.settings.items() if k.startswith(FIGURE)}
    look(wanted, "--set")
    binary = Simulator(simulator)
    settings = {k: v for k, v in chosen.settings.items() if not k.startswith(FIGURE)}
    numbers = Axis((PROCESSORS,), [(number,) for number in chosen.processors])
    points = grid.points(grid.SweepFile(chosen.machine, [numbers], None), settings)
    first = {point.coordinates[PROCESSORS]: point for point in reversed(points)}
    # The largest first: of 1..10000, one answer is enough.
    for number in sorted(first, key=float, reverse=True):
        binary.resolve(chosen.machine, first[number].settings)


def refuse_if_none_fits(points: Sequence[grid.Point], config: Path, simulator: Simulator) -> None:
    """Raises the UserError of the first point if the simulator takes none of the first MOST_TRIED
    points."""
    first: UserError | None = None
    for point in points[:MOST_TRIED]:
        try:
            simulator.resolve(config, point.settings)
            return
        except UserError as error:
            first = first or error
    if first is not None:
        raise first


@contextlib.contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Context manager that, after an error, removes the folders that were made in it: `folder` and
    those above it that were missing."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        yield
    except BaseException:
        if missing:
            shutil.rmtree(missing[-1], ignore_errors=True)
        raise
