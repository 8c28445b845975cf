# SPDX-License-Identifier: MIT
"""Checks the keys and values of a sweep before its first run.

The simulator knows the keys, their ranges, and which key is meant by a misspelt one. It skips the
tables [sweep] and [figure] of a config.
"""

from collections.abc import Mapping
from typing import Any

from symlab.errors import UserError
from symlab.runs.axes import Axis
from symlab.runs.grid import SweepFile
from symlab.runs.settings import as_toml
from symlab.runs.simulator import Simulator


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
