# SPDX-License-Identifier: MIT
"""The journal of a check: a line for each run, so that the same command continues where it stopped.

Runs are written in the order of the search, which is the same each time. So reading them again
rebuilds the whole state; a line that was cut off by a kill is the end.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symlab.check.rules import Violation
from symlab.check.schedule import Schedule, parse, text
from symlab.check.worker import Judged
from symlab.check.worst import Worst
from symlab.errors import UserError

EVERY_S = 1.0  # host time between two writes: what a kill loses
VERSION = 1


class Journal:
    """`identity`: what decides the search: image, config, simulator, bounds, seed. A journal of
    another identity is begun again. Raises OSError."""

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        self._header = {"version": VERSION, **json.loads(json.dumps(identity))}
        self.path = path
        self._next_s = 0.0
        lines = list(_lines(path, self._header))
        self.earlier = [judged for _, judged in lines]
        whole = lines[-1][0] if lines else 0
        self._file = path.open("r+b" if whole else "wb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._file.write(_line(self._header))

    def add(self, judged: Judged, new: list[Schedule]) -> None:
        """`new`: the schedules that followed and were not known before."""
        self._file.write(
            _line(
                {
                    "schedule": text(judged.schedule),
                    "ran": text(judged.ran) if judged.ran != judged.schedule else None,
                    "status": judged.status,
                    "said": judged.said,
                    "order": judged.order,
                    "length_ps": judged.length_ps,
                    "unquiet": judged.unquiet,
                    "violation": judged.violation,
                    "worst": judged.worst,
                    "new": [text(one) for one in new],
                }
            )
        )
        if time.monotonic() > self._next_s:
            self._file.flush()
            self._next_s = time.monotonic() + EVERY_S

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    @staticmethod
    def read(path: Path) -> Iterator[Judged]:
        """The runs in the journal at `path`."""
        return (judged for _, judged in _lines(path, None))


def _lines(path: Path, header: dict[str, Any] | None) -> Iterator[tuple[int, Judged]]:
    """The runs up to the first damaged line, each with the length of the file up to its end; none
    if the header is another one than `header`."""
    if not path.is_file():
        return
    whole = 0
    with path.open("rb") as file:
        for number, line in enumerate(file):
            whole += len(line)
            try:
                value = json.loads(line) if line.endswith(b"\n") else None
                if value is None or (number == 0 and header and value != header):
                    return
                if number:
                    yield whole, _judged(value)
            except (ValueError, KeyError, TypeError, UserError):
                return


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _judged(value: dict[str, Any]) -> Judged:
    schedule = parse(value["schedule"])
    violation = None
    if value["violation"]:
        t_ps, rule, processors, address, what = value["violation"]
        violation = Violation(t_ps, rule, tuple(processors), address, what)
    return Judged(
        schedule,
        schedule if value["ran"] is None else parse(value["ran"]),
        value["status"],
        value["said"],
        value["order"],
        value["length_ps"],
        value["unquiet"],
        violation,
        Worst(*value["worst"]),
        tuple(map(parse, value["new"])),
    )
