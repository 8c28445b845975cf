# SPDX-License-Identifier: MIT
"""What docs/dev quotes of results/bench: the table of docs/dev/performance.md and the curves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from symlab.errors import UserError
from symlab.files import write_atomically
from symlab.places import ROOT
from symlab.results.loading import read_table
from symlab.results.markdown import table

from symlab_tools.bench import speed_over_time
from symlab_tools.bench.scenarios import NORMALISED, NS_PER_INSTRUCTION
from symlab_tools.bench.timing import FAILS, HOLDS
from symlab_tools.markers import filled

RESULTS = ROOT / "results" / "bench"
PAGE = ROOT / "docs" / "dev" / "performance.md"
PICTURE = ROOT / "docs" / "pictures" / "speed-over-time.svg"
UPDATE = "symlab bench --pages"
# Significant digits by column; times on a shared host vary by more.
SHOWN = {"slowdown": "#.2g", "kernel_wake_ns": ".3g", NORMALISED: "#.2g"}
HEAD = ("Scenario", "Slowdown", "`kernel_wake`, ns", "Normalised", "Judged", "At most", "Verdict")
JUDGED = {NORMALISED: "normalised", NS_PER_INSTRUCTION: "time of an instruction"}


def current(measured: pd.DataFrame, text: str) -> str:
    """The text of the page with the numbers of `measured` (bench.csv). Raises UserError."""
    states = measured["verdict"]
    numbers = {
        "least": f"{measured['slowdown'].min():.2g}",
        "most": f"{measured['slowdown'].max():.2g}",
        "wake": f"{measured['kernel_wake_ns'].median():.3g}",
        "holding": str((states == HOLDS).sum()),
        "failing": str((states == FAILS).sum()),
    }
    rows = (_row(one) for one in measured.to_dict("records"))
    return filled(text, {"results": table(HEAD, rows)}, numbers, PAGE.name)


def _row(one: Mapping[Any, Any]) -> tuple[str, ...]:
    against = f" x `{one['against']}`" if isinstance(one["against"], str) else ""
    judged = JUDGED.get(str(one["judged"]), str(one["judged"]))
    value = f"{one['value']:.3g}{against}, {judged}" if against else judged
    numbers = (format(one[name], form) for name, form in SHOWN.items())
    return (
        f"`{one['config']}`",
        *numbers,
        value,
        f"{one['at_most']:.3g}{against}",
        str(one["verdict"]),
    )


def write_table() -> Path:
    """Puts the numbers of results/bench/bench.csv into the page; returns its path."""
    try:
        text = PAGE.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{PAGE}: cannot be read: {error.strerror}") from error
    write_atomically(PAGE, current(read_table(RESULTS / "bench.csv"), text).encode())
    return PAGE


def write_picture() -> Path:
    """Draws the curves of results/bench/history.csv; returns the path of the picture."""
    write_atomically(PICTURE, speed_over_time.draw(speed_over_time.read()).encode())
    return PICTURE
