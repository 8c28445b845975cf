# SPDX-License-Identifier: MIT
"""Which conclusions of a paper rest on what was guessed of the machine, and which do not.

configs/sensitivity/PAPER.toml has a range for each guess. Small runs of the figures behind the
main conclusions are made on the machine as it is, and with one guess changed at a time; the same
functions judge the claims on each.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from symlab import grid
from symlab.errors import UserError
from symlab.figure import Figure
from symlab.figures import all_3_1, all_3_2, all_4_1, all_4_3
from symlab.grid import Scalar
from symlab.paper import Paper
from symlab.simulator import Simulator
from symlab.store import write_atomically
from symlab.table import csv_bytes, frame
from symlab.thread_rates import MANY, STRATEGIES

CONFIGS = Path("configs/sensitivity")
FILE = "sensitivity.csv"
LOCK = "guest.args.lock"  # a guess of the program, not of the machine: the delays of backoff
BACKOFF = "backoff"
RIVALS = ("xchgb", "read")


@dataclass(frozen=True)
class Headline:
    """A figure with main conclusions: `claims` of it, the sweep's size, and whether it has the
    locks whose delays are guessed."""

    part: str
    figure: Figure
    claims: tuple[str, ...]
    size: Mapping[str, Any]
    locks: bool = False

    @property
    def functions(self) -> Figure:
        chosen = tuple(c for c in self.figure.claims if c.__name__ in self.claims)
        assert len(chosen) == len(self.claims), self.claims
        return Figure(self.figure.id, "", chosen, self.figure.series, self.figure.draw)


HEADLINES = {
    "ALL": (
        Headline(
            "figure-3.1",
            all_3_1.FIGURE,
            ("all_05", "all_06", "all_09", "all_10", "all_11", "all_12", "all_13"),
            {"guest.args.threads": [200, 400], "guest.args.strategy": list(STRATEGIES)},
        ),
        Headline(
            "figure-3.2",
            all_3_2.FIGURE,
            ("all_20",),
            {**all_3_2.FIGURE.reduced, "machine.processors": [MANY]},
        ),
        Headline(
            "figure-4.1",
            all_4_1.FIGURE,
            ("all_43", "all_44", "all_45", "all_46", "all_48"),
            {"guest.args.increments": 1000},
            locks=True,
        ),
        Headline(
            "figure-4.3",
            all_4_3.FIGURE,
            ("all_52", "all_53", "all_54"),
            {"guest.args.rounds": 10, LOCK: [*RIVALS, BACKOFF]},
            locks=True,
        ),
    )
}


@dataclass(frozen=True)
class Guesses:
    """`machine`: key -> the calibrated value; `changes`: key and value, one at a time; `locks`:
    backoffs with other delays."""

    machine: dict[str, Scalar]
    changes: list[tuple[str, Scalar]]
    locks: list[str]

    @property
    def axis(self) -> dict[str, list[list[Scalar]]]:
        """The machine as it is, and each change, as one axis of a sweep."""
        rows = [self.machine, *({**self.machine, key: value} for key, value in self.changes)]
        return {", ".join(self.machine): [list(row.values()) for row in rows]}


def load_guesses(paper: Paper, simulator: Simulator) -> Guesses:
    """Raises UserError if there is no file of the paper's, or a range is not of single keys."""
    file = grid.load(CONFIGS / f"{paper.name}.toml")
    if joint := [axis.keys for axis in file.axes if len(axis.keys) > 1]:
        raise UserError(f"{file.config}: {', '.join(joint[0])}: a guess is one key; name each")
    ranges = {axis.keys[0]: [step[0] for step in axis.steps] for axis in file.axes}
    locks = [str(lock) for lock in ranges.pop(LOCK, [])]
    resolved = simulator.resolve(file.config, {})
    changes = [(key, value) for key, values in ranges.items() for value in values]
    return Guesses({key: resolved[key] for key in ranges}, changes, locks)


def sweeps(headline: Headline, guesses: Guesses) -> dict[str, dict[str, Any]]:
    """Name -> overrides of the figure's config, for each sweep of the headline."""
    made: dict[str, dict[str, Any]] = {headline.part: {**guesses.axis, **headline.size}}
    if headline.locks:
        locks = [*RIVALS, *guesses.locks]  # the rivals' runs are those of the sweep above
        made[f"{headline.part}-delays"] = {**headline.size, LOCK: locks}
    return made


def judged(
    headline: Headline, guesses: Guesses, runs: Mapping[str, pd.DataFrame]
) -> list[dict[str, Any]]:
    """Rows of sensitivity.csv from the frames of `sweeps`, by name."""
    columns = grid.short_names(guesses.machine)
    swept = runs[headline.part]
    rows = _verdicts(headline, "", "", _with(swept, columns, guesses.machine))
    for key, value in guesses.changes:
        changed = _with(swept, columns, {**guesses.machine, key: value})
        rows += _verdicts(headline, key, value, changed)
    for lock in guesses.locks if headline.locks else []:
        delays = runs[f"{headline.part}-delays"]
        own = delays[delays["lock"].isin([*RIVALS, lock])]
        rows += _verdicts(headline, LOCK, lock, own.assign(lock=own["lock"].replace(lock, BACKOFF)))
    return rows


def _with(runs: pd.DataFrame, columns: Mapping[str, str], machine: Mapping[str, Scalar]) -> Any:
    chosen = pd.Series(True, index=runs.index)
    for key, value in machine.items():
        chosen &= runs[columns[key]] == value
    return runs[chosen]


def _verdicts(
    headline: Headline, key: str, value: Scalar, runs: pd.DataFrame
) -> list[dict[str, Any]]:
    return [
        {
            "claim": v.id,
            "parameter": key,
            "setting": grid.format_value(value),
            "verdict": v.state,
            "value": v.value,
            "bound": v.bound,
            "margin": v.margin,
        }
        for v in headline.functions.judge(runs)
    ]


def write_sensitivity(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """Of these claims, in place of what was there of them, the machine as it is first. Raises
    LabError."""
    path = folder / FILE
    new = frame(rows, [], [])
    if (before := load_sensitivity(folder)) is not None:
        new = pd.concat([before[~before["claim"].isin(new["claim"])], new])
    write_atomically(path, csv_bytes(new.sort_values("claim", kind="stable")))
    return path


def load_sensitivity(folder: Path) -> pd.DataFrame | None:
    """What `write_sensitivity` wrote, None if it did not. Raises UserError."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        return pd.read_csv(path, dtype={"setting": str}).fillna({"parameter": "", "setting": ""})
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read: {error}; make it with --sensitivity") from error


def changed(found: pd.DataFrame) -> dict[str, list[str]]:
    """By claim, the settings, `key = value`, with which its verdict is not the machine's."""
    as_it_is = found[found["parameter"] == ""].set_index("claim")["verdict"]
    differs = found["verdict"] != found["claim"].map(as_it_is)
    names = found["parameter"] + " = " + found["setting"]
    return {claim: list(names[differs & (found["claim"] == claim)]) for claim in as_it_is.index}
