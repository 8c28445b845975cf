# SPDX-License-Identifier: MIT
"""Reads summary.json and checks that it has the keys and types that symlab relies on.

A file can be damaged, or edited by hand. An error here names the key; without the check it would
come up later, in code that knows no file.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symlab.errors import UserError
from symlab.results.manifest import SUMMARY

SCHEMA_VERSION = 2
MOST_PS = 2**63  # times are whole picoseconds of 64 bits
PS_PER_US = 1_000_000


@dataclass(frozen=True)
class Value:
    """A value of a kind. `words`: the kind, for messages."""

    words: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True)
class Each:
    """A table with any keys, whose values all have one shape."""

    shape: Any


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


COUNT = Value("a whole number from 0", lambda v: type(v) is int and 0 <= v < MOST_PS)
TIME = Value("a time in us from 0", lambda v: _is_number(v) and 0 <= v < MOST_PS / PS_PER_US)
NUMBER = Value("a number from 0", lambda v: _is_number(v) and 0 <= v < MOST_PS)
TEXT = Value("a string", lambda v: isinstance(v, str))
FLAG = Value("true or false", lambda v: isinstance(v, bool))
SCALAR = Value("a string, number or boolean", lambda v: _is_number(v) or isinstance(v, str | bool))
ADDRESS = Value(
    "an address such as 0x00103860",
    lambda v: isinstance(v, str) and re.fullmatch("0x[0-9a-f]{1,8}", v) is not None,
)
STATUS = Value("a whole number or null", lambda v: v is None or type(v) is int)
TIMES = Each(TIME)
NOT_EMPTY = Value("a list that is not empty", lambda v: isinstance(v, list) and len(v) > 0)
STATES = dict.fromkeys(("executing", "waiting", "served", "halted"), TIME)
PROCESS_STATES = (
    "work", "acquire", "section", "release", "kernel", "preempted", "ready", "blocked",
)  # fmt: skip
PROCESS_COUNTS = (
    "quanta", "preemptions", "extensions", "yields", "blocks", "migrations", "acquisitions",
)  # fmt: skip
ACTIVITIES = ("user", "threads", "critical", "spin", "idle", "kernel", "boot")

# What a summary must have. A list has one shape for all its elements; a tuple lists shapes that
# must all fit. More keys are allowed.
SHAPE: Mapping[str, Any] = {
    "status": TEXT,
    "partial": FLAG,
    "simulated_us": TIME,
    "instructions": COUNT,
    "processors": (
        NOT_EMPTY,
        [
            {
                "processor": COUNT,
                "instructions": COUNT,
                "states_us": STATES,
                "activities_us": dict.fromkeys(ACTIVITIES, TIME),
                "states_us_by_activity": dict.fromkeys(ACTIVITIES, STATES),
            }
        ],
    ),
    "bus": {
        "busy_us": TIME,
        "utilisation": NUMBER,
        "all_transactions": COUNT,
        "transactions": Each(COUNT),
        "transactions_by_activity": dict.fromkeys(ACTIVITIES, Each(COUNT)),
        "busy_us_by_activity": dict.fromkeys(ACTIVITIES, TIMES),
        "mean_wait_us": TIME,
        "max_wait_us": TIME,
        "interval_us": TIME,
    },
    "locks": [
        {
            "name": TEXT,
            "address": ADDRESS,
            "acquisitions": COUNT,
            "releases": COUNT,
            **dict.fromkeys(("wait_us", "mean_wait_us", "max_wait_us"), TIME),
            **dict.fromkeys(("hold_us", "mean_hold_us", "max_hold_us"), TIME),
        }
    ],
    "regions": [{"number": COUNT}],
    "guest": {"image": TEXT, "exit_status": STATUS, "results": Each(SCALAR)},
    "config": (
        dict.fromkeys(("machine.name", "cache.protocol", "cache.store_policy"), TEXT),
        Each(SCALAR),
    ),
}
# What it must have besides if the guest has processes.
SHAPE_WITH_PROCESSES: Mapping[str, Any] = {
    "processes": {
        "count": COUNT,
        "states_us": dict.fromkeys(PROCESS_STATES, TIME),
        **dict.fromkeys(PROCESS_COUNTS, COUNT),
    },
    "locks": [{"waited_for_preempted_holder_us": TIME}],
}
# What it must have besides if the machine has several nodes.
MISSES: Mapping[str, Any] = {
    **dict.fromkeys(("near", "far", "links"), COUNT),
    **dict.fromkeys(("near_time_us", "far_time_us", "mean_near_us", "mean_far_us"), TIME),
}
HANDOFFS = ("handoffs", "handoffs_own_processor", "handoffs_own_node", "handoffs_other_nodes")
SHAPE_WITH_NODES: Mapping[str, Any] = {
    "misses": {
        **MISSES,
        "by_activity": dict.fromkeys(ACTIVITIES, MISSES),
        "by_supplier": Each(MISSES),
        "by_node": [MISSES],
    },
    "locks": [{**dict.fromkeys(HANDOFFS, COUNT), "mean_handoff_links": NUMBER}],
}


def read_summary(run: Path) -> dict[str, Any]:
    """The summary of the run in this folder. Raises UserError that names the file and the key."""
    path = run / SUMMARY
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        what = f"{path}: cannot be read: {error.strerror}"
        if isinstance(error, FileNotFoundError):
            what = f"{run}: no {SUMMARY} is there"
        raise UserError(f"{what}; give the folder of a run or of a sweep") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: is not JSON: {error}; run it again") from error
    version = summary.get("schema_version") if isinstance(summary, dict) else None
    if version != SCHEMA_VERSION:
        raise UserError(
            f"{path}: schema version {version}, and this symlab reads {SCHEMA_VERSION}; "
            "make the run again with the simulator beside it"
        )
    shapes = [SHAPE]
    if "processes" in summary:
        shapes.append(SHAPE_WITH_PROCESSES)
    if "misses" in summary:
        shapes.append(SHAPE_WITH_NODES)
    for wrong in _wrong(summary, tuple(shapes), ""):
        raise UserError(f"{path}: {wrong}; the file is damaged: run it again")
    return summary


def _wrong(value: Any, shape: Any, key: str) -> Iterator[str]:
    """Sentences on what does not fit, in the order of the shape."""
    if isinstance(shape, Value):
        if not shape.fits(value):
            yield f"{key} is {_shown(value)}, and must be {shape.words}"
    elif isinstance(shape, tuple):
        for part in shape:
            yield from _wrong(value, part, key)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{key} is {_shown(value)}, and must be a list"
            return
        for number, element in enumerate(value):
            yield from _wrong(element, shape[0], f"{key}[{number}]")
    elif not isinstance(value, dict):
        yield f"{key} is {_shown(value)}, and must be a table"
    elif isinstance(shape, Each):
        for name, element in value.items():
            yield from _wrong(element, shape.shape, f"{key}.{name}")
    else:
        for name, inner in shape.items():
            where = f"{key}.{name}" if key else name
            if name not in value:
                yield f"there is no {where}"
            else:
                yield from _wrong(value[name], inner, where)


def _shown(value: Any) -> str:
    """The value, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
