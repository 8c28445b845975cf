# SPDX-License-Identifier: MIT
"""How Table 3.1 of ALL (four times of single operations) constrains the machine's parameters.

docs/how-it-works/calibration.md explains it. `symlab calibrate` writes three files.
`combinations.csv` has every combination of the calibrated parameters within their ranges and
whether it fits the table. `sensitivity.csv` has the effect of each single parameter on each
operation. `calibration.md` has both as tables.
"""

import itertools
import os
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
from symlab.files import write_all
from symlab.results.csv_file import csv_bytes
from symlab.runs.grid import short_names
from symlab.runs.published import refuse_changed_tree
from symlab.runs.settings import Scalar
from symlab.runs.simulator import Simulator, summary_of
from symlab_papers.papers.ALL.figures.all_table_3_1 import OPERATIONS

TABLE_3_1 = "papers/ALL/figures/table-3.1.toml"
FIT = 0.1  # largest allowed deviation of each operation, as a part of the paper's value
REPETITIONS = 20000  # the times differ from those of a million repetitions by less than 0.1 %

# No source settles these parameters. From Table 3.1 we derive 0 or 1 wait states for a cache hit,
# and completion of a store 7 to 9 bus cycles after the bus edge. What a store makes wait is
# unknown, so all policies are tried. The memory latency is an estimate: 3 to 4 of the 8 to 9 bus
# cycles of a read miss.
RANGES: dict[str, list[Scalar]] = {
    "cache.store_policy": ["block-port", "stall", "buffered"],
    "cache.hit_wait_clocks": [0, 1],
    "bus.store_completion_cycles": [7, 8, 9],
    "memory.latency_cycles": [3, 4],
}

# Values for sensitivity.csv; some are outside the range we believe possible.
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
    "bus.locked_request": ["skip", "bypass", "keep-turn", "hold-bus"],
    "bus.locked_class": ["same", "low"],
    "bus.unlock": ["cycle", "with-store"],
    "memory.read_busy_cycles": [0, 3, 6],
    "memory.store_busy_cycles": [0, 4],
    "memory.read_pipe": [1, 2],
    "bus.line_unavailable_cycles": [0, 4, 16],
}

NAMES = [operation.column for operation in OPERATIONS]


def combinations() -> pd.DataFrame:
    """Runs every combination in RANGES; one row each. Columns: the keys, the four times in us, the
    largest relative deviation from the paper, and whether it is at most FIT."""
    points = [dict(zip(RANGES, v, strict=True)) for v in itertools.product(*RANGES.values())]
    table = pd.DataFrame([{**p, **m} for p, m in zip(points, _measured(points), strict=True)])
    deviations = [(table[o.column] / o.paper_us - 1).abs() for o in OPERATIONS]
    table["worst_deviation"] = pd.concat(deviations, axis=1).max(axis=1).round(6)
    table["fits"] = table["worst_deviation"] <= FIT
    return table.rename(columns=short_names(RANGES))


def sensitivity() -> pd.DataFrame:
    """Runs the machine file with each value of each key in AROUND changed alone; one row each.
    Columns: the key, the value, whether it is the machine's own, the four times in us, and the
    change of each time in percent of the unchanged machine's time."""
    resolved = Simulator().resolve(TABLE_3_1, {})
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
    """Column -> time in us for each point, in the order of `points`."""

    def measure(settings: Mapping[str, Scalar]) -> dict[str, float]:
        with tempfile.TemporaryDirectory() as folder:
            chosen = {"guest.args.repetitions": REPETITIONS, **settings}
            results = summary_of(TABLE_3_1, chosen, folder)["guest"]["results"]
        return {name: results[name] for name in NAMES}

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(measure, points))


def _markdown(table: pd.DataFrame) -> str:
    rows = [map(str, row) for row in table.itertuples(index=False)]
    lines: list[Iterable[str]] = [map(str, table.columns), ["---"] * len(table.columns), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def calibrate(folder: Path) -> list[Path]:
    """Writes the three files into `folder`; returns their paths. Raises OutputError, RunFailed,
    UserError."""
    refuse_changed_tree(folder / "combinations.csv")
    tables = {"combinations": combinations(), "sensitivity": sensitivity()}
    text = "\n".join(f"# {name}\n\n{_markdown(table)}" for name, table in tables.items())
    files = {f"{name}.csv": csv_bytes(table) for name, table in tables.items()}
    return write_all(folder, {**files, "calibration.md": text.encode()})
