# SPDX-License-Identifier: MIT
"""From a config's `[sweep]` table to the points of its grid. Reads TOML, starts nothing."""

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
REPEATS = "repeats"  # of [sweep]: how many seeds each point is run with
MOST_REPEATS = 10000  # as sim/config/load.cpp takes them


@dataclass(frozen=True)
class SweepFile:
    """The part of a config that the lab reads itself; all else it asks the simulator.

    `axes`: in file order (the simulator's printed config is sorted, so only the file knows the
    order). `figure`: the value of figure.name, or None. `repeats`: seeds a point, or None if the
    file says nothing of them.
    """

    config: Path
    axes: list["Axis"]
    figure: str | None
    repeats: int | None = None

    @property
    def name(self) -> str:
        """Stem of the config file; names the results: `figure-4.1`."""
        return self.config.name.removesuffix(".toml")

    @property
    def group(self) -> str:
        """The folder below configs/figures/ the config is in, or "": results of a group lie
        together."""
        folder = self.config.resolve().parent
        return folder.name if folder.parent.name == "figures" else ""


@dataclass(frozen=True)
class Axis:
    """Keys that are swept together, most often one: a tuple of values for each step."""

    keys: tuple[str, ...]
    steps: list[tuple[Scalar, ...]]


@dataclass(frozen=True)
class Point:
    """One point of a grid. `coordinates`: swept key -> value; `fixed`: overrides of all points.

    `repeat`: counts from 0 where each point is repeated; its seed is run.seed + repeat.
    """

    coordinates: dict[str, Scalar]
    fixed: dict[str, Scalar]
    repeat: int | None = None

    @property
    def settings(self) -> dict[str, Scalar]:
        """All keys given to the simulator with --set."""
        return {**self.fixed, **self.coordinates}

    @property
    def label(self) -> str:
        """For people: `processors=4 lock=read`."""
        names = short_names(self.coordinates)
        return " ".join(f"{names[key]}={_plain(v)}" for key, v in self.coordinates.items())

    @property
    def weight(self) -> float:
        """Guess of the point's relative cost: the product of its positive numbers, but the seed.

        Only the order of work and the estimate of the remaining time depend on it.
        """
        sizes = (v for key, v in self.coordinates.items() if key != SEED)
        numbers = (v for v in sizes if not isinstance(v, bool | str))
        return math.prod(max(float(v), 1.0) for v in numbers)

    def seeded(self, first: int) -> "Point":
        """The same point with its seed among its coordinates; `first`: that of repeat 0."""
        assert self.repeat is not None
        return replace(self, coordinates={**self.coordinates, SEED: first + self.repeat})


def load(config: str | Path) -> SweepFile:
    """Reads `[sweep]` and figure.name of `config` and of the files it inherits by `base`.

    Raises UserError if a file is missing, is not TOML, inherits from itself, or has no sweep.
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
    """The cartesian grid in file order, the last axis running fastest, then the repeats.

    An override with a list is an axis: it replaces that of the same keys or comes behind the
    others. An override with one value replaces a swept key's values by it, or holds for all.
    One of sweep.repeats replaces the file's.
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
    """Config key -> column name: the last part of the key, or the whole key if two share it."""
    keys = list(keys)
    last = [key.rsplit(".", 1)[-1] for key in keys]
    return {
        key: short if last.count(short) == 1 else key.replace(".", "_")
        for key, short in zip(keys, last, strict=True)
    }


def parse_setting(text: str) -> tuple[str, Any]:
    """`key=value` of the command line; the value is TOML if it parses as TOML, else a string.

    Lists may hold bare words: `guest.args.lock=[xchgb,read]`.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UserError(f"--set {text}: expected key=value, for example machine.processors=4")
    return key.strip(), _parse_value(value.strip())


def format_value(value: Scalar) -> str:
    """A value as the simulator's --set reads it back with the same type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not isinstance(_parse_value(value), str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return _plain(value)


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables to dotted keys: {"run": {"seed": 1}} -> {"run.seed": 1}."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _layers(path: Path) -> list[dict[str, Any]]:
    """The file and its bases, the file itself first."""
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
    """`name` is a key, or several with commas between, whose values are then lists of as many."""
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
