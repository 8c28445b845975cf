# SPDX-License-Identifier: MIT
"""Reads summary.json and checks that it has the keys and types that symlab relies on.

A file can be damaged, or edited by hand. An error here names the key; without the check it would
come up later, in code that knows no file.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
PROCESS_COUNTS = (
    "quanta", "preemptions", "extensions", "yields", "blocks", "migrations", "acquisitions",
)  # fmt: skip
# The names that a word in a key stands for; * stands for any.
NAMES: Mapping[str, Sequence[str]] = {
    "STATE": ("executing", "waiting", "served", "halted"),
    "ACTIVITY": ("user", "threads", "critical", "spin", "idle", "kernel", "boot"),
    "PROCESS_STATE": (
        "work", "acquire", "section", "release", "kernel", "preempted", "ready", "blocked",
    ),
    "PROCESS_COUNT": PROCESS_COUNTS,
    "MISSES": ("near", "far", "links"),
    "MISSES_US": ("near_time_us", "far_time_us", "mean_near_us", "mean_far_us"),
    "HANDOFFS": ("handoffs", "handoffs_own_processor", "handoffs_own_node", "handoffs_other_nodes"),
    "WAIT_US": ("wait_us", "mean_wait_us", "max_wait_us"),
    "HOLD_US": ("hold_us", "mean_hold_us", "max_hold_us"),
}  # fmt: skip
# What a summary must have: the kind of each key; [] stands for each entry of a list. More keys are
# allowed.
KEYS: Mapping[str, Value] = {
    "status": TEXT, "partial": FLAG, "simulated_us": TIME, "instructions": COUNT,
    "processors[]/processor": COUNT, "processors[]/instructions": COUNT,
    "processors[]/states_us/STATE": TIME, "processors[]/activities_us/ACTIVITY": TIME,
    "processors[]/states_us_by_activity/ACTIVITY/STATE": TIME,
    "bus/busy_us": TIME, "bus/utilisation": NUMBER, "bus/all_transactions": COUNT,
    "bus/transactions/*": COUNT, "bus/transactions_by_activity/ACTIVITY/*": COUNT,
    "bus/busy_us_by_activity/ACTIVITY/*": TIME,
    "bus/mean_wait_us": TIME, "bus/max_wait_us": TIME, "bus/interval_us": TIME,
    "locks[]/name": TEXT, "locks[]/address": ADDRESS, "locks[]/acquisitions": COUNT,
    "locks[]/releases": COUNT, "locks[]/WAIT_US": TIME, "locks[]/HOLD_US": TIME,
    "regions[]/number": COUNT,
    "guest/image": TEXT, "guest/exit_status": STATUS, "guest/results/*": SCALAR,
    "config/machine.name": TEXT, "config/cache.protocol": TEXT, "config/cache.store_policy": TEXT,
    "config/*": SCALAR,
}  # fmt: skip
# What it must have besides if the guest has processes, and if the machine has several nodes.
WITH_PROCESSES: Mapping[str, Value] = {
    "processes/count": COUNT, "processes/states_us/PROCESS_STATE": TIME,
    "processes/PROCESS_COUNT": COUNT, "locks[]/waited_for_preempted_holder_us": TIME,
}  # fmt: skip
WITH_NODES: Mapping[str, Value] = {
    **{
        f"misses/{of}{name}": kind
        for of in ("", "by_activity/ACTIVITY/", "by_supplier/*/", "by_node[]/")
        for name, kind in (("MISSES", COUNT), ("MISSES_US", TIME))
    },
    "locks[]/HANDOFFS": COUNT, "locks[]/mean_handoff_links": NUMBER,
}  # fmt: skip


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
    keys = dict(KEYS)
    keys |= WITH_PROCESSES if "processes" in summary else {}
    keys |= WITH_NODES if "misses" in summary else {}
    wrongs = (w for key, kind in keys.items() for w in _wrong(summary, key.split("/"), "", kind))
    wrong = next(wrongs, None)
    if wrong is None and not summary["processors"]:
        wrong = "processors is [], and must be a list that is not empty"
    if wrong is not None:
        raise UserError(f"{path}: {wrong}; the file is damaged: run it again")
    return summary


def _wrong(value: Any, parts: Sequence[str], key: str, kind: Value) -> Iterator[str]:
    """Sentences on what does not fit. `parts`: of the wanted key, behind `key`, whose value it
    is."""
    if not parts:
        if not kind.fits(value):
            yield f"{key} is {_shown(value)}, and must be {kind.words}"
        return
    if not isinstance(value, dict):
        yield f"{key} is {_shown(value)}, and must be a table"
        return
    first = parts[0].removesuffix("[]")
    for name in value if first == "*" else NAMES.get(first, (first,)):
        where = f"{key}.{name}" if key else name
        if name not in value:
            yield f"there is no {where}"
        elif parts[0] == first:
            yield from _wrong(value[name], parts[1:], where, kind)
        elif not isinstance(value[name], list):
            yield f"{where} is {_shown(value[name])}, and must be a list"
        else:
            for number, element in enumerate(value[name]):
                yield from _wrong(element, parts[1:], f"{where}[{number}]", kind)


def _shown(value: Any) -> str:
    """The value, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
