# SPDX-License-Identifier: MIT
"""What is checked before a command makes a folder or a run: a mistake leaves nothing behind.

The simulator knows the keys of a config, their ranges, and which key is meant by a misspelt one. It
skips the tables [sweep] and [figure], which are checked here.
"""

import contextlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symlab.errors import UserError
from symlab.plot.look import look
from symlab.runs import grid
from symlab.runs.axes import Axis
from symlab.runs.grid import SweepFile
from symlab.runs.settings import as_toml
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


def check_axes(file: SweepFile, simulator: Simulator) -> None:
    """Raises UserError, with file and line, unless the simulator has all keys that the file sweeps,
    also in other sizes, and each value fits its key."""
    keys = {key["name"]: key for key in simulator.describe()["keys"]}
    for axis in [*file.axes, *file.size_axes]:
        for number, key in enumerate(axis.keys):
            values = [step[number] for step in axis.steps]
            if key in keys:
                _check_values(axis, key, values, keys[key])
            else:
                _ask(file, axis, key, values, simulator)


def _check_values(axis: Axis, key: str, values: list[Any], known: Mapping[str, Any]) -> None:
    for value in values:
        if not fits(value, known):
            unit = f" ({known['unit']})" if known["unit"] else ""
            raise UserError(
                f"{axis.where}: {key}: {as_toml(value)} does not fit; it must be "
                f"{known['fits']}{unit}"
            )


def fits(value: Any, key: Mapping[str, Any]) -> bool:
    """Whether the value fits the key, one of `keys` of `symsim --describe`."""
    if key["type"] == "flag":
        return isinstance(value, bool)
    if key["range"] is None:
        return isinstance(value, str) and (key["type"] == "text" or value in key["values"])
    whole = key["type"] != "number"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return False
    low, high = key["range"]
    power = key["type"] != "power of two" or not value & (value - 1)
    return low <= value <= high and power


def _ask(file: SweepFile, axis: Axis, key: str, values: list[Any], simulator: Simulator) -> None:
    """Of a key that is not listed: the simulator takes it as an argument of the guest, or says what
    is wrong."""
    odd = [value for value in values if isinstance(value, float) or "\n" in str(value)]
    for value in [values[0], *odd]:
        try:
            simulator.resolve(file.config, {key: value})
        except UserError as error:
            if str(error).startswith(f"{key}: "):  # not about the rest of the config
                raise UserError(f"{axis.where}: {error}") from error
