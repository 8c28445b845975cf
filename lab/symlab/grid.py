# SPDX-License-Identifier: MIT
"""Expands the `[sweep]` table of a config into the points of a grid. Reads TOML, runs nothing."""

import itertools
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symlab.errors import UserError

Scalar = str | int | float | bool

SEED = "run.seed"
REPEATS = "repeats"  # key of [sweep]: number of seeds that each point is run with
MOST_REPEATS = 10000  # the same limit as in sim/config/load.cpp


@dataclass(frozen=True)
class SweepFile:
    """The part of a config that the lab parses. For all other keys the lab asks the simulator.

    `axes`: in file order. The simulator prints configs sorted, so only the file has the order.
    `figure`: the value of figure.name, or None. `repeats`: seeds per point, or None if the file
    has no key sweep.repeats.
    """

    config: Path
    axes: list["Axis"]
    figure: str | None
    repeats: int | None = None

    @property
    def name(self) -> str:
        """Stem of the config file, from which the results get their name: `figure-4.1`."""
        return self.config.name.removesuffix(".toml")

    @property
    def group(self) -> str:
        """The config's folder below configs/figures/, or "". A group shares a results folder."""
        folder = self.config.resolve().parent
        return folder.name if folder.parent.name == "figures" else ""


@dataclass(frozen=True)
class Axis:
    """Keys that are swept together, usually one. Each step has one value per key."""

    keys: tuple[str, ...]
    steps: list[tuple[Scalar, ...]]


@dataclass(frozen=True)
class Point:
    """One point of a grid.

    `coordinates`: swept key -> value. `fixed`: overrides that all points share. `repeat`: number
    of the repetition, from 0; the seed is run.seed + repeat. None if points are not repeated.
    """

    coordinates: dict[str, Scalar]
    fixed: dict[str, Scalar]
    repeat: int | None = None

    @property
    def settings(self) -> dict[str, Scalar]:
        """Key -> value for each --set option of the simulator."""
        return {**self.fixed, **self.coordinates}

    @property
    def label(self) -> str:
        """The coordinates as people read them: `processors=4 lock=read`."""
        names = short_names(self.coordinates)
        return " ".join(f"{names[key]}={_plain(v)}" for key, v in self.coordinates.items())

    @property
    def weight(self) -> float:
        """Estimate of the point's relative cost: the product of its numeric values but the seed.

        Values below 1 count as 1. Only the order of runs and the estimate of the remaining time
        depend on the weight.
        """
        sizes = (v for key, v in self.coordinates.items() if key != SEED)
        numbers = (v for v in sizes if not isinstance(v, bool | str))
        return math.prod(max(float(v), 1.0) for v in numbers)

    def seeded(self, first: int) -> "Point":
        """This point with its seed as a coordinate. `first`: the seed of repeat 0."""
        assert self.repeat is not None
        return replace(self, coordinates={**self.coordinates, SEED: first + self.repeat})


def load(config: str | Path) -> SweepFile:
    """Reads `[sweep]` and figure.name from `config` and from the files it inherits by `base`.

    Raises UserError if a file is missing, is no TOML or inherits from itself, or if none of
    them has a table `[sweep]`.
    """
    path = Path(config)
    axes: dict[str, Any] = {}
    figure: str | None = None
    for layer in reversed(_layers(path)):
        axes |= flatten(layer.get("sweep", {}))
        figure = layer.get("figure", {}).get("name", figure)
    if not axes:
        raise UserError(f"{path}: no [sweep] table; run it alone with ./symsim {path}")
    repeats = _repeats(axes.pop(REPEATS), str(path)) if REPEATS in axes else None
    checked = [_axis(key, value, str(path)) for key, value in axes.items()]
    _refuse_twice(checked, str(path))
    _refuse_seeds(checked, repeats, str(path))
    return SweepFile(path, checked, figure, repeats)


def points(sweep: SweepFile, overrides: Mapping[str, Any] | None = None) -> list[Point]:
    """The Cartesian grid of all axes in file order; repeats vary fastest, then the last axis.

    `overrides`: key -> value or list of values. A list is an axis: it replaces the axis of the
    same keys, or is appended as the last axis. A single value replaces the axis of its key, or
    else applies to all points. An override of sweep.repeats replaces the file's value.
    Raises UserError if an override does not fit.
    """
    axes = {axis.keys: axis for axis in sweep.axes}
    fixed: dict[str, Scalar] = {}
    repeats = sweep.repeats
    for name, value in (overrides or {}).items():
        if name == f"sweep.{REPEATS}":
            repeats = _repeats(value, "override")
            continue
        axis = _axis(name, value, "override")
        if isinstance(value, list | tuple) or axis.keys in axes:
            axes[axis.keys] = axis
        else:
            fixed[name] = axis.steps[0][0]
    _refuse_twice([*axes.values(), *(Axis((key,), []) for key in fixed)], "override")
    _refuse_seeds([*axes.values()], repeats, "override")
    keys = [key for axis in axes for key in axis]
    combinations = itertools.product(*(axis.steps for axis in axes.values()))
    return [
        Point(dict(zip(keys, itertools.chain(*steps), strict=True)), fixed, repeat)
        for steps in combinations
        for repeat in ([None] if repeats is None else range(repeats))
    ]


def short_names(keys: Iterable[str]) -> dict[str, str]:
    """Config key -> column name: the key's last part, or the whole key if two share that part."""
    keys = list(keys)
    last = [key.rsplit(".", 1)[-1] for key in keys]
    return {
        key: short if last.count(short) == 1 else key.replace(".", "_")
        for key, short in zip(keys, last, strict=True)
    }


def parse_setting(text: str) -> tuple[str, Any]:
    """Splits `key=value` of the command line; returns the key and the parsed value.

    The value is TOML if it parses as TOML, else a string. Lists may contain bare words:
    `guest.args.lock=[xchgb,read]`. Raises UserError if there is no key or no `=`.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UserError(f"--set {text}: expected key=value, for example machine.processors=4")
    return key.strip(), _parse_value(value.strip())


def format_value(value: Scalar) -> str:
    """The text for --set from which the simulator reads the value with the same type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not isinstance(_parse_value(value), str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return _plain(value)


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys: {"run": {"seed": 1}} -> {"run.seed": 1}."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _layers(path: Path) -> list[dict[str, Any]]:
    """The parsed file, then its `base`, the base of that, and so on."""
    layers: list[dict[str, Any]] = []
    seen: set[Path] = set()
    while True:
        if path.resolve() in seen:
            raise UserError(f"{path}: inherits from itself through `base`")
        seen.add(path.resolve())
        try:
            layers.append(tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UserError(f"{path}: not valid TOML: {error}") from error
        if "base" not in layers[-1]:
            return layers
        path = path.parent / layers[-1]["base"]


def _axis(name: str, value: Any, where: str) -> Axis:
    """An axis. `name` is one key, or several separated by commas; then each value is a list with
    one entry per key. `where` names the source in error messages."""
    keys = tuple(key.strip() for key in name.split(","))
    values = list(value) if isinstance(value, list | tuple) else [value]
    if not values:
        raise UserError(f"{where}: {name} is an empty list; give at least one value")
    steps = [_step(name, len(keys), item, where) for item in values]
    texts = [", ".join(map(format_value, step)) for step in steps]
    for text in texts:
        if texts.count(text) > 1:
            raise UserError(f"{where}: {name} lists {text} more than once")
    return Axis(keys, steps)


def _step(name: str, keys: int, item: Any, where: str) -> tuple[Scalar, ...]:
    step = (item,) if keys == 1 else item
    if not isinstance(step, list | tuple) or len(step) != keys:
        raise UserError(f"{where}: {name}: {item!r} is not a list of {keys} values, one a key")
    for value in step:
        if not isinstance(value, str | int | float | bool):
            raise UserError(f"{where}: {name}: {value!r} is neither string, number nor boolean")
    return tuple(step)


def _refuse_twice(axes: list[Axis], where: str) -> None:
    keys = [key for axis in axes for key in axis.keys]
    for key in keys:
        if keys.count(key) > 1:
            raise UserError(
                f"{where}: {key} is swept twice; name an axis of several keys by all of them"
            )


def _repeats(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_REPEATS:
        raise UserError(
            f"{where}: sweep.{REPEATS}: {value!r} does not fit; it must be an integer from 1 to "
            f"{MOST_REPEATS} (seeds a point)"
        )
    return value


def _refuse_seeds(axes: list[Axis], repeats: int | None, where: str) -> None:
    if repeats is not None and any(SEED in axis.keys for axis in axes):
        raise UserError(
            f"{where}: sweep.{REPEATS}: the seeds are swept too, by the axis {SEED}; take one out"
        )


def _parse_value(text: str) -> Any:
    try:
        return tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        pass
    if text.startswith("[") and text.endswith("]"):
        return [_parse_value(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    return text


def _plain(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
