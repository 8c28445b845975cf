#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how much of a run could be skipped by whole periods: an upper bound.

    .venv/bin/python scripts/periods.py             all of CASES, into results/bench/periods.csv
    .venv/bin/python scripts/periods.py NAME...     some of them, printed only

If the whole machine repeats itself, so do the uses of its bus: the same processors use it for the
same addresses, at the same distances in time. So the share of uses that repeat the uses before them
for a whole period is the most that a simulator could skip. The share for which the machine repeats
itself is smaller: a loop's counter changes though the bus does not show it.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from symlab.results.transactions import load

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "results/bench/periods.csv"
LONGEST = 400  # uses of the bus in a period; 20 processors that spin take 40 to 60

BENCH, ALL = "configs/bench/{}.toml", "papers/ALL/figures/{}.toml"
IMAGE, PROCESSORS = "guest.image", "machine.processors"
# Name -> config and settings, which are guest.args unless the key has a dot: runs of the bench, and
# of the figures that take most of the time. Each is shorter than there, which leaves out nothing
# but more of the same.
CASES: dict[str, tuple[str, Any]] = {
    "spin-long": (BENCH.format("spin-long"), {"increments": 40}),
    "spin-long-xchgb": (BENCH.format("spin-long"), {IMAGE: '"section-xchgb"', "increments": 20}),
    "spin-short-xchgb": (BENCH.format("spin-short-xchgb"), {"increments": 1500}),
    "spin-short-read": (BENCH.format("spin-short-read"), {"increments": 1500}),
    "writes": (BENCH.format("writes"), {"rounds": 1, "words": 2048}),
    "mixed": (BENCH.format("mixed"), {"turns": 2}),
} | {
    f"figure-4.1-{lock}-{processors}": (
        ALL.format("figure-4.1"),
        {"lock": lock, "increments": 2000, PROCESSORS: processors},
    )
    for lock in ("xchgb", "read", "backoff")
    for processors in (2, 10, 20)
} | {
    f"figure-3.3-{program}-{strategy}-{processors}": (
        ALL.format("figure-3.3"),
        {"program": program, "strategy": strategy, "threads": 1000, PROCESSORS: processors},
    )
    for program in ("null_threads", "work_threads")
    for strategy in ("single-lock", "multiple-locks", "local-freelist", "local-readyq-random")
    for processors in (2, 10, 20)
}  # fmt: skip


def in_periods(uses: pd.DataFrame, longest: int = LONGEST) -> np.ndarray:
    """Whether each use of the bus repeats the use one period earlier, for a whole period.

    `uses`: rows of bus.parquet in order of grant. A period is a number of uses, 1 to `longest`.
    Uses are the same if all columns are, and the distances from the use before to the grant, and
    from the posting to the grant. Shape of the result: (uses,).
    """
    same = uses.drop(columns=["grant_ps", "posted_ps"]).assign(
        since_last=uses["grant_ps"].diff(), waited=uses["grant_ps"] - uses["posted_ps"]
    )
    use = same.groupby(list(same.columns), sort=False, dropna=False, observed=True).ngroup()
    kinds, count = use.to_numpy(), len(use)
    repeated = np.zeros(count, dtype=bool)
    for period in range(1, min(longest, count // 2) + 1):
        equal = np.zeros(count + 1, dtype=np.int8)
        equal[period:count] = kinds[period:] == kinds[:-period]
        borders = np.flatnonzero(np.diff(equal, prepend=0))
        for begin, end in zip(borders[::2], borders[1::2], strict=True):
            repeated[begin : begin + (end - begin) // period * period] = True
    return repeated


def measure(name: str) -> tuple[int, float]:
    """Runs a case. Returns its uses of the bus, and the share of them in repeated periods."""
    config, arguments = CASES[name]
    settings = {"observe.transactions": "true"}
    for key, value in arguments.items():
        settings[key if "." in key else f"guest.args.{key}"] = value
    with tempfile.TemporaryDirectory() as folder:
        command = [str(ROOT / "symsim"), config, "--quiet", "--out", folder]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        subprocess.run(command, cwd=ROOT, check=True)
        bus, _, _ = load(folder)
    return len(bus), float(in_periods(bus).mean())


def main() -> None:
    unknown = [name for name in sys.argv[1:] if name not in CASES]
    if unknown:
        sys.exit(f"no such case: {', '.join(unknown)}; there are {', '.join(CASES)}")
    rows = []
    for name in sys.argv[1:] or CASES:
        uses, share = measure(name)
        rows.append({"case": name, "bus_uses": uses, "repeated_share": round(share, 4)})
        print(f"{name:50} {uses:8} uses, {100 * share:5.1f} % in repeated periods", flush=True)
    if not sys.argv[1:]:
        pd.DataFrame(rows).to_csv(RESULT, index=False)


if __name__ == "__main__":
    main()
