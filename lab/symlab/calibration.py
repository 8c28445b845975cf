# SPDX-License-Identifier: MIT
"""How Table 3.1 of ALL constrains the machine (docs/calibration.md).

`symlab calibrate` writes `combinations.csv`, every combination of the calibrated values within
their ranges and whether it fits; `sensitivity.csv`, what each parameter by itself does to each
operation; and `calibration.md`, both as tables.
"""

import itertools
import os
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd

from symlab.figures.all_table_3_1 import FIGURE, OPERATIONS
from symlab.grid import Scalar, short_names
from symlab.simulator import Simulator, run
from symlab.store import write_all
from symlab.table import csv_bytes

FIT = 0.1  # of the paper's value: every operation must be that near
REPETITIONS = 20000  # the table's times differ from those of a million by less than 0.1 %

# The sources leave these ranges open: hardware.md 1.1 (wait states, what a store makes wait),
# 1.2 (its completion; 3 to 4 cycles of memory in a miss of 8 to 9).
RANGES: dict[str, list[Scalar]] = {
    "cache.store_policy": ["block-port", "stall", "buffered"],
    "cache.hit_wait_clocks": [0, 1],
    "bus.store_completion_cycles": [7, 8, 9],
    "memory.latency_cycles": [3, 4],
}

# For the sensitivities, also beyond what is thought possible.
AROUND: dict[str, list[Scalar]] = {
    "cache.store_policy": ["block-port", "stall", "buffered"],
    "cache.hit_wait_clocks": [0, 1, 2],
    "bus.store_completion_cycles": [6, 7, 8, 9, 10],
    "memory.latency_cycles": [2, 3, 4, 5],
    "cache.write_buffer_depth": [0, 1, 2],
    "cache.line_bytes": [8, 16, 32],
    "bus.arbitration_cycles": [0, 1, 2],
    "bus.request_cycles": [1, 2],
    "bus.store_cycles": [1, 2, 3],
    "bus.unlock_cycles": [1, 2, 3],
    "bus.synchronise_cycles": [0, 1, 2],
    "bus.locked_request": ["skip", "keep-turn", "hold-bus"],
    "bus.line_unavailable_cycles": [0, 4, 16],
}

NAMES = [operation.column for operation in OPERATIONS]


def combinations() -> pd.DataFrame:
    """A row a point of RANGES: its keys, the four times, the worst deviation, whether it fits."""
    points = [dict(zip(RANGES, v, strict=True)) for v in itertools.product(*RANGES.values())]
    table = pd.DataFrame([p | m for p, m in zip(points, _measured(points), strict=True)])
    deviations = [(table[o.column] / o.paper_us - 1).abs() for o in OPERATIONS]
    table["worst_deviation"] = pd.concat(deviations, axis=1).max(axis=1).round(6)
    table["fits"] = table["worst_deviation"] <= FIT
    return table.rename(columns=short_names(RANGES))


def sensitivity() -> pd.DataFrame:
    """A row a value of a key of AROUND, all else as in the machine file: the times, and by how
    many percent each differs from the machine's."""
    resolved = Simulator().resolve(FIGURE.config, {})
    changes = [(key, value) for key, values in AROUND.items() for value in values]
    base, *times = _measured([{}, *({key: value} for key, value in changes)])
    rows = [
        {"parameter": key, "value": value, "standard": resolved[key] == value}
        | measured
        | {
            name.replace("_us", "_change_percent"): 100 * (measured[name] / base[name] - 1)
            for name in NAMES
        }
        for (key, value), measured in zip(changes, times, strict=True)
    ]
    return pd.DataFrame(rows).round(3)


def _measured(points: Iterable[Mapping[str, Scalar]]) -> list[dict[str, float]]:
    """The four times at each point, in order."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(_measure, points))


def _measure(settings: Mapping[str, Scalar]) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"guest.args.repetitions": REPETITIONS, **settings}
        results = run(FIGURE.config, chosen, folder)["guest"]["results"]
    return {name: results[name] for name in NAMES}


def _markdown(table: pd.DataFrame) -> str:
    rows = [[str(cell) for cell in row] for row in table.itertuples(index=False)]
    lines = [list(table.columns), ["---"] * len(table.columns), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def calibrate(folder: Path) -> list[Path]:
    """Writes the three files. Raises OutputError, RunFailed, UserError."""
    tables = {"combinations": combinations(), "sensitivity": sensitivity()}
    text = "\n".join(f"# {name}\n\n{_markdown(table)}" for name, table in tables.items())
    files = {f"{name}.csv": csv_bytes(table) for name, table in tables.items()}
    return write_all(folder, {**files, "calibration.md": text.encode()})
