# SPDX-License-Identifier: MIT
"""The axes of a sweep, and the short forms in which they may be written.

"machine.processors" = "1..20"           1 to 20; "1..20..2": 1, 3, ... 19
"machine.processors" = [1, "4..20..4"]   short forms in a list count as their values
"guest.args.lock" = "all"                all that the catalogue has; also for barrier, strategy

[[sweep.joint]]                          keys that change together, one axis a table
"machine.processors" = [1, 20]
"guest.args.lock" = ["xchgb", "read"]
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.runs.settings import Scalar, format_value

# What looks like a range. A string that is none has letters, or no digit.
NEARLY_RANGE = re.compile(r"[-+.\d\s]*\.\.[-+.\d\s]*")
WHOLE = "(-?[0-9]{1,18})"
RANGE = re.compile(rf"{WHOLE}\.\.{WHOLE}(?:\.\.{WHOLE})?")
MOST_VALUES = 10000  # of one range; a longer one is a mistake

ALL = "all"
JOINT = "joint"  # key of [sweep]: tables of keys that change together
KIND_OF = {f"guest.args.{option}": kind for option, kind in catalogue.KIND_OF_OPTION.items()}


@dataclass(frozen=True)
class Axis:
    """Keys that are swept together, usually one. Each step has one value per key. `where`: the
    source of the axis, FILE:LINE or "override", for messages."""

    keys: tuple[str, ...]
    steps: list[tuple[Scalar, ...]]
    where: str = field(default="", compare=False)


def axis(name: str, value: Any, where: str, isa: str = "i386") -> Axis:
    """An axis. `name` is one key, or several separated by commas; then each value is a list with
    one entry per key. `where` names the source in error messages. `isa`: of the machine; "all"
    locks are those that it can run. Raises UserError."""
    keys = tuple(key.strip() for key in name.split(","))
    if "" in keys:
        raise UserError(
            f'{where}: "{name}": a key is missing beside a comma; name the axis by its keys, as in '
            '"machine.processors, run.seed"'
        )
    return _checked(keys, _steps(name, len(keys), value, where, isa), where)


def joint_axes(tables: Any, where: Callable[[str], str], isa: str = "i386") -> list[Axis]:
    """The axes of `[[sweep.joint]]`: in each table, key -> list of values, all of one length. The
    keys may be nested tables, as TOML reads `machine.processors`. `where`: the place of a key of
    [sweep], for messages. Raises UserError."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UserError(f"{where(JOINT)}: sweep.joint must be tables, each headed [[sweep.joint]]")
    flat = [flatten(table) for table in tables]
    places = [where(f"{JOINT}.{key}") for table in flat for key in list(table)[:1] or [JOINT]]
    return [_joint_axis(table, at, isa) for table, at in zip(flat, places, strict=True)]


def is_axis(name: str, value: Any) -> bool:
    """Whether an override's value is an axis: a list, or one of the short forms."""
    if isinstance(value, list | tuple):
        return True
    return isinstance(value, str) and bool(
        RANGE.fullmatch(value) or _nearly_range(value) or (value == ALL and name in KIND_OF)
    )


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys: {"run": {"seed": 1}} -> {"run.seed": 1}."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _joint_axis(table: dict[str, Any], where: str, isa: str) -> Axis:
    names = ", ".join(table)
    if len(table) < 2:
        raise UserError(f"{where}: [[sweep.joint]] with {names or 'no key'}: give two keys or more")
    columns = [_steps(key, 1, value, where, isa) for key, value in table.items()]
    lengths = [len(column) for column in columns]
    if len(set(lengths)) > 1:
        each = ", ".join(f"{k} {n}" for k, n in zip(table, lengths, strict=True))
        raise UserError(f"{where}: [[sweep.joint]]: {each} values; give each key the same number")
    rows = zip(*columns, strict=True)
    return _checked(tuple(table), [tuple(value for (value,) in row) for row in rows], where)


def _steps(name: str, keys: int, value: Any, where: str, isa: str) -> list[tuple[Scalar, ...]]:
    values = list(value) if isinstance(value, list | tuple) else [value]
    if keys == 1:
        values = [one for item in values for one in _values(name, item, where, isa)]
    if not values:
        raise UserError(f"{where}: {name} is an empty list; give at least one value")
    return [_step(name, keys, item, where) for item in values]


_FORM = (
    'a range is "FIRST..LAST" or "FIRST..LAST..STEP" in whole numbers, the smaller number first, '
    "the step 1 or more"
)


def _nearly_range(item: Any) -> bool:
    digits = isinstance(item, str) and any(letter.isdigit() for letter in item)
    return digits and NEARLY_RANGE.fullmatch(item) is not None


def _values(name: str, item: Any, where: str, isa: str) -> Iterator[Any]:
    """What one entry of a list stands for: the numbers of a range, all of a kind, or itself."""
    if item == ALL and name in KIND_OF:
        for found in catalogue.items(KIND_OF[name]):
            if not found.special and found.isa <= isa:
                yield found.name
    elif isinstance(item, str) and (match := RANGE.fullmatch(item)):
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if step < 1:
            raise UserError(f'{where}: {name}: "{item}" has the step {step}; {_FORM}')
        if last < first:
            raise UserError(
                f'{where}: {name}: "{item}" runs backwards; write "{last}..{first}'
                f'{f"..{step}" if match[3] else ""}"; {_FORM}'
            )
        if (last - first) // step >= MOST_VALUES:
            raise UserError(f'{where}: {name}: "{item}" has more than {MOST_VALUES} values')
        yield from range(first, last + 1, step)
    elif _nearly_range(item):
        raise UserError(f'{where}: {name}: "{item}" is not a range; {_FORM}')
    else:
        yield item


def _step(name: str, keys: int, item: Any, where: str) -> tuple[Scalar, ...]:
    step = (item,) if keys == 1 else item
    if not isinstance(step, list | tuple) or len(step) != keys:
        raise UserError(f"{where}: {name}: {item!r} is not a list of {keys} values, one a key")
    for value in step:
        if not isinstance(value, str | int | float | bool):
            raise UserError(f"{where}: {name}: {value!r} is neither string, number nor boolean")
        if isinstance(value, str) and not _is_text(value):
            raise UserError(f"{where}: {name}: {value!r} has a NUL or a byte that is not UTF-8")
    return tuple(step)


def _checked(keys: tuple[str, ...], steps: list[tuple[Scalar, ...]], where: str) -> Axis:
    texts = [", ".join(map(format_value, step)) for step in steps]
    for text, count in Counter(texts).items():
        if count > 1:
            raise UserError(f"{where}: {', '.join(keys)} lists {text} more than once")
    return Axis(keys, steps, where)


def _is_text(value: str) -> bool:
    """Whether the simulator can get the value as an argument, and a CSV can contain it."""
    try:
        return b"\0" not in value.encode()
    except UnicodeEncodeError:  # a byte of the command line
        return False
