# SPDX-License-Identifier: MIT
"""Expands the `[sweep]` table of a config into the points of a grid. Reads TOML, runs nothing."""

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from symlab.errors import UserError
from symlab.guest.programs import is_elf
from symlab.plot.look import Look, look
from symlab.results.columns import is_taken
from symlab.results.toml_text import MOST_BASES, read_with_places
from symlab.runs.axes import JOINT, Axis, axis, flatten, is_axis, joint_axes
from symlab.runs.settings import Scalar, plain

SEED = "run.seed"
REPEATS = "repeats"  # key of [sweep]: number of seeds that each point is run with
SIZES = ("quick", "reduced", "sensitivity", "delays")  # tables of [sweep]: overrides by key
MOST_REPEATS = 10000
MOST_POINTS = 100_000  # of a grid, unless the user asks for more


@dataclass(frozen=True)
class SweepFile:
    """The part of a config that the lab parses. For all other keys the lab asks the simulator.

    `axes`: in file order. The simulator prints configs sorted, so only the file has the order.
    `figure`: the value of figure.name, or None. `look`: the other keys of [figure]. `repeats`:
    seeds per point, or None if the file has no key sweep.repeats. `sizes`: name of a [sweep.NAME]
    -> its overrides for `points`.
    `isa`: instruction set of the machine as the file has it. `places`: dotted key -> FILE:LINE.
    """

    config: Path
    axes: list[Axis]
    figure: str | None
    repeats: int | None = None
    sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    isa: str = "i386"
    look: Look = field(default_factory=Look)
    places: Mapping[str, str] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """Where the file, or one that it inherits, gives a key of [sweep]; else the file."""
        return self.places.get(f"sweep.{key}", str(self.config))

    @property
    def size_axes(self) -> list[Axis]:
        """The axes of all sizes; an override by a single value is an axis of one step."""
        return [
            axis(key, value, self.place(f"{size}.{key}"), self.isa)
            for size, overrides in self.sizes.items()
            for key, value in overrides.items()
        ]

    @property
    def name(self) -> str:
        """Stem of the config file, from which the results get their name: `figure-4.1`."""
        return self.config.name.removesuffix(".toml")

    @property
    def group(self) -> str:
        """The paper whose folder has the config, or its folder below configs/figures/, or "". The
        results of a group share a folder."""
        *_, above, parent, folder = ("", "", *self.config.resolve().parts[:-1])
        if (above, folder) == ("papers", "figures"):
            return parent
        return folder if parent == "figures" else ""


@dataclass(frozen=True)
class Point:
    """One point of a grid. `coordinates`: swept key -> value. `fixed`: overrides that all points
    share. `repeat`: number of the repetition, from 0; the seed is run.seed + repeat. None if points
    are not repeated."""

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
        return " ".join(f"{names[key]}={plain(v)}" for key, v in self.coordinates.items())

    @property
    def weight(self) -> float:
        """Estimate of the point's relative cost: the product of its numeric values but the seed.
        Values below 1 count as 1. Only the order of runs and the estimate of the remaining time
        depend on the weight."""
        sizes = (v for key, v in self.coordinates.items() if key != SEED)
        numbers = (v for v in sizes if not isinstance(v, bool | str))
        return math.prod(max(float(v), 1.0) for v in numbers)

    def seeded(self, first: int) -> "Point":
        """This point with its seed as a coordinate. `first`: the seed of repeat 0."""
        assert self.repeat is not None
        return replace(self, coordinates={**self.coordinates, SEED: first + self.repeat})


def is_sweep(config: str | Path) -> bool:
    """Whether `config`, or a file that it inherits by `base`, has a table `[sweep]`."""
    return any("sweep" in layer for layer, _ in _layers(Path(config)))


def bases(config: Path) -> list[Path]:
    """The files that `config` inherits by `base`, of which a key is written."""
    places = (place for _, of in _layers(config) for place in of.values())
    return list(dict.fromkeys(Path(place.rpartition(":")[0]) for place in places))


def load(config: str | Path, overrides: Mapping[str, Any] | None = None) -> SweepFile:
    """Reads `[sweep]` and `[figure]` from `config` and from the files it inherits by `base`. Raises
    UserError if a file is missing, is not TOML or inherits from itself, if a table or name has the
    wrong type, or if neither a table `[sweep]` nor the `overrides` of `points` sweep a key."""
    path = Path(config)
    if is_elf(path):
        raise UserError(
            f"{path}: is a program and no config; `symlab compare` runs it on several numbers of "
            "processors, and takes --set KEY=[A,B]"
        )
    axes: dict[str, Any] = {}
    sizes: dict[str, dict[str, Any]] = {}
    figure: dict[str, Any] = {}
    isa = "i386"
    joint: Any = []
    places: dict[str, str] = {}
    for layer, places_in_it in reversed(_layers(path)):
        places |= places_in_it
        swept = dict(_table(layer, "sweep", path))
        joint = swept.pop(JOINT, joint)
        sizes |= {name: flatten(_table(swept, name, path)) for name in SIZES if name in swept}
        axes |= flatten({name: value for name, value in swept.items() if name not in SIZES})
        figure |= _table(layer, "figure", path)
        isa = _table(layer, "processor", path).get("isa", isa)
        if not isinstance(isa, str):
            raise UserError(f"{path}: processor.isa: {isa!r} does not fit; it must be a string")
    if not axes and not joint and not _sweeps(overrides or {}):
        raise UserError(
            f"{path}: no [sweep] table; give an axis, as in --set machine.processors=1..4 or "
            f"--set 'KEY=[A,B]', or run it alone with ./symsim {path}"
        )
    wanted = look(figure, str(path), places)
    name = figure.get("name") or None
    sweep = SweepFile(path, [], name, None, sizes, isa, wanted, places)
    repeats = _repeats(axes.pop(REPEATS), sweep.place(REPEATS)) if REPEATS in axes else None
    checked = [axis(key, value, sweep.place(key), isa) for key, value in axes.items()]
    checked += joint_axes(joint, sweep.place, isa)
    _refuse_twice(checked, str(path))
    _refuse_seeds(checked, repeats, sweep.place(REPEATS))
    return replace(sweep, axes=checked, repeats=repeats)


def with_look(sweep: SweepFile, overrides: Mapping[str, Any]) -> SweepFile:
    """The sweep with the figure that overrides of keys of [figure] ask for. Raises UserError."""
    prefix = "figure."
    given = {k.removeprefix(prefix): v for k, v in overrides.items() if k.startswith(prefix)}
    before = {"title": sweep.look.title, "y": sweep.look.y, "log": sweep.look.log}
    before |= {"own": ", ".join(sweep.look.own), "name": sweep.figure or ""}
    wanted = look(before | given, "override" if given else sweep.look.where)
    return replace(sweep, figure=(before | given)["name"] or None, look=wanted)


def _sweeps(overrides: Mapping[str, Any]) -> bool:
    """Whether an override of `points` makes more than one run."""
    return any(key == f"sweep.{REPEATS}" or is_axis(key, v) for key, v in overrides.items())


def _table(layer: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    table = layer.get(name, {})
    if not isinstance(table, Mapping):
        raise UserError(f"{path}: {name}: {table!r} is not a table; write [{name}]")
    return table


def points(
    sweep: SweepFile, overrides: Mapping[str, Any] | None = None, most: int = MOST_POINTS
) -> list[Point]:
    """The Cartesian grid of all axes in file order; repeats vary fastest, then the last axis.

    `overrides`: key -> value or list of values. A list, or a short form of one (axes.py), is an
    axis: it replaces the axis of the same keys, or is appended as the last axis. A single value
    replaces the axis of its key, or else applies to all points. An override of sweep.repeats
    replaces the file's value.
    Raises UserError if an override does not fit, or if there are more than `most` points.
    """
    axes = {one.keys: one for one in sweep.axes}
    fixed: dict[str, Scalar] = {}
    repeats = sweep.repeats
    isa = (overrides or {}).get("processor.isa", sweep.isa)
    for name, value in (overrides or {}).items():
        if name == f"sweep.{REPEATS}":
            repeats = _repeats(value, "override")
            continue
        new = axis(name, value, "override", isa)
        if is_axis(name, value) or new.keys in axes:
            axes[new.keys] = new
        else:
            fixed[name] = new.steps[0][0]
    _refuse_twice([*axes.values(), *(Axis((key,), []) for key in fixed)], "override")
    _refuse_seeds([*axes.values()], repeats, "override")
    _refuse_many(axes.values(), repeats, most, str(sweep.config))
    keys = [key for together in axes for key in together]
    combinations = itertools.product(*(one.steps for one in axes.values()))
    return [
        Point(dict(zip(keys, itertools.chain(*steps), strict=True)), fixed, repeat)
        for steps in combinations
        for repeat in ([None] if repeats is None else range(repeats))
    ]


def short_names(keys: Iterable[str]) -> dict[str, str]:
    """Config key -> column name: the key's last part, or the whole key if two share that part or
    the table of runs has a column of that name, such as `status`."""
    keys = list(keys)
    last = [key.rsplit(".", 1)[-1] for key in keys]
    return {
        key: short if last.count(short) == 1 and not is_taken(short) else key.replace(".", "_")
        for key, short in zip(keys, last, strict=True)
    }


def _refuse_many(axes: Iterable[Axis], repeats: int | None, most: int, where: str) -> None:
    """Counts the points before they are made: a slip such as 1..10000 twice would fill memory."""
    sizes = [(", ".join(one.keys), len(one.steps)) for one in axes]
    sizes += [] if repeats is None else [(f"sweep.{REPEATS}", repeats)]
    count = math.prod(size for _, size in sizes)
    if count > most:
        each = " x ".join(f"{name} ({size:,})" for name, size in sizes)
        raise UserError(
            f"{where}: the grid has {count:,} points: {each}; at most {most:,} are made, unless "
            f"`symlab sweep` gets --most-points {count}"
        )


def _layers(path: Path) -> list[tuple[dict[str, Any], dict[str, str]]]:
    """The parsed file with the places of its keys, then its `base`, the base of that, and so on."""
    layers: list[tuple[dict[str, Any], dict[str, str]]] = []
    seen: set[Path] = set()
    while True:
        if path.resolve() in seen:
            raise UserError(f"{path}: inherits from itself through `base`")
        seen.add(path.resolve())
        if len(seen) > MOST_BASES:
            raise UserError(
                f"{path}: is the base of {len(seen) - 1} files in a row, and at most "
                f"{MOST_BASES - 1} are read; write its values into one of them"
            )
        layers.append(read_with_places(path))
        base = layers[-1][0].get("base")
        if base is None:
            return layers
        if not isinstance(base, str):
            raise UserError(f"{path}: base: must be the path of a TOML file")
        path = path.parent / base


def _refuse_twice(axes: list[Axis], where: str) -> None:
    keys = [key for one in axes for key in one.keys]
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
    for one in axes:
        if repeats is not None and SEED in one.keys:
            raise UserError(
                f"{where}: sweep.{REPEATS}: the seeds are swept too, by the axis {SEED} "
                f"({one.where}); take one out"
            )
