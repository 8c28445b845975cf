# SPDX-License-Identifier: MIT
"""Sensitivity: which conclusions of a paper depend on guessed parameters of the machine.

papers/PAPER/sensitivity.toml has a range for each guess. Short sweeps run the figures with main
conclusions, the headlines, on the unchanged machine, and with one guess changed at a time. The
claim functions of the figures judge each variant. `rests` and `values` are the tables of the
results page, in Markdown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from symlab import places
from symlab.errors import UserError
from symlab.plot.curves import chosen
from symlab.plot.figure import Figure
from symlab.results.markdown import shown, table
from symlab.runs import grid
from symlab.runs.settings import Scalar, format_value
from symlab.runs.simulator import Simulator

from symlab_papers.claims import Judge
from symlab_papers.counts import state_cell
from symlab_papers.paper import PAPERS, Paper, Part
from symlab_papers.spread import widened

LOCK = "guest.args.lock"
BACKOFF = "backoff"


@dataclass(frozen=True)
class Headline:
    """A part of a paper with main conclusions. `figure`: the part's figure with only their claims.
    `ids`: the claims. The part's config has a table `[sweep.sensitivity]`."""

    part: Part
    figure: Figure
    ids: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def size(self) -> Mapping[str, Any]:
        """Overrides that make the sweep short: the reduced size, changed by that table."""
        return {**self.part.size("reduced"), **self.part.size("sensitivity")}

    @property
    def delays(self) -> Mapping[str, Any] | None:
        """Further overrides, `[sweep.delays]`, for a sweep over backoff locks with other delays.
        None if the part has no lock contention."""
        return self.part.file.sizes.get("delays")

    @property
    def rivals(self) -> Sequence[str]:
        """The locks that backoff is compared with: the value of LOCK in `delays`."""
        return (self.delays or {}).get(LOCK, [])


def headlines(paper: Paper, parts: list[Part]) -> list[Headline]:
    """Those of `parts` that have main conclusions of `paper`."""
    found = []
    for part in parts:
        judges = [claim for claim in part.figure.claims if isinstance(claim, Judge)]
        claims = [claim for claim in judges if claim.id in paper.headlines]
        if claims and "sensitivity" in part.file.sizes:
            figure = replace(part.figure, claims=tuple(claims))
            found.append(Headline(part, figure, tuple(claim.id for claim in claims)))
    return found


@dataclass(frozen=True)
class Guesses:
    """The guesses and their variants. `machine`: guessed key -> its value in the unchanged machine.
    `changes`: (key, value) pairs, applied one at a time. `locks`: backoff locks with other delays,
    which are a guess about the programs and not about the machine."""

    machine: dict[str, Scalar]
    changes: list[tuple[str, Scalar]]
    locks: list[str]

    @property
    def axis(self) -> dict[str, list[Any]]:
        """The axis of a sweep: the unchanged machine, then the machine with each change."""
        machines = [self.machine, *({**self.machine, key: value} for key, value in self.changes)]
        if len(self.machine) == 1:
            return {key: [machine[key] for machine in machines] for key in self.machine}
        return {", ".join(self.machine): [list(machine.values()) for machine in machines]}


def load_guesses(paper: Paper, simulator: Simulator) -> Guesses:
    """Reads papers/<paper>/sensitivity.toml; `simulator` resolves the unchanged values. Raises
    UserError if the file is missing, or if an axis has several keys."""
    file = grid.load(places.find(PAPERS / paper.name / "sensitivity.toml"))
    if joint := [axis.keys for axis in file.axes if len(axis.keys) > 1]:
        raise UserError(f"{file.config}: {', '.join(joint[0])}: a guess is one key; name each")
    ranges = {axis.keys[0]: [step[0] for step in axis.steps] for axis in file.axes}
    locks = [str(lock) for lock in ranges.pop(LOCK, [])]
    resolved = simulator.resolve(file.config, {})
    changes = [(key, value) for key, values in ranges.items() for value in values]
    return Guesses({key: resolved[key] for key in ranges}, changes, locks)


def sweeps(headline: Headline, guesses: Guesses) -> dict[str, dict[str, Any]]:
    """Name of each sweep of the headline -> overrides of the figure's config."""
    made: dict[str, dict[str, Any]] = {headline.name: {**guesses.axis, **headline.size}}
    if headline.delays is not None:
        locks = [*headline.rivals, *guesses.locks]
        delays = {**headline.size, **headline.delays, LOCK: locks}
        made[f"{headline.name}-delays"] = delays
    return made


def judged(
    headline: Headline,
    guesses: Guesses,
    runs: Mapping[str, pd.DataFrame],
    spreads: pd.DataFrame,
) -> list[dict[str, Any]]:
    """The rows of SENSITIVITY, the unchanged machine first. `runs`: name of each sweep in `sweeps`
    -> its frame. `spreads`: those of the unchanged machine, which all variants get."""
    columns = grid.short_names(guesses.machine)
    rows = []
    for key, value in [("", ""), *guesses.changes]:
        machine = guesses.machine | ({key: value} if key else {})
        of_machine = {columns[name]: setting for name, setting in machine.items()}
        variant = chosen(runs[headline.name], **of_machine)
        rows += _verdicts(headline, key, value, variant, spreads)
    for lock in guesses.locks if headline.delays is not None else []:
        delays = runs[f"{headline.name}-delays"]
        own = delays[delays["lock"].isin([*headline.rivals, lock])]
        renamed = own.assign(lock=own["lock"].replace(lock, BACKOFF))
        rows += _verdicts(headline, LOCK, lock, renamed, spreads)
    return rows


def _verdicts(
    headline: Headline, key: str, value: Scalar, runs: pd.DataFrame, spreads: pd.DataFrame
) -> list[dict[str, Any]]:
    figure = headline.figure
    data = widened(headline.part, figure.series(runs), spreads)
    data = figure.beside.own(data) if figure.beside else data
    return [
        {"claim": v.id, "parameter": key, "setting": format_value(value)}
        | {"verdict": v.state, "value": v.value, "bound": v.bound, "margin": v.margin}
        for v in figure.judge_data(data)
    ]


def changed(found: pd.DataFrame) -> dict[str, list[str]]:
    """Claim -> the settings, `key = value`, that change its verdict on the unchanged machine."""
    as_it_is = found[found["parameter"] == ""].set_index("claim")["verdict"]
    differs = found["verdict"] != found["claim"].map(as_it_is)
    names = found["parameter"] + " = " + found["setting"]
    return {claim: list(names[differs & (found["claim"] == claim)]) for claim in as_it_is.index}


AS_IT_IS = "unchanged machine"
NOTHING = "no single guess"


def rests(found: pd.DataFrame) -> list[str]:
    """The table of the main conclusions with the settings that change them."""
    changes = changed(found)
    verdicts = found[found["parameter"] == ""].set_index("claim")["verdict"]
    names = found["parameter"] + " = " + found["setting"]
    rows: list[tuple[str, ...]] = []
    for claim, settings in changes.items():
        verdict = verdicts[claim]
        of_claim = found[(found["claim"] == claim) & names.isin(settings)]
        groups = of_claim.groupby("verdict", sort=False).groups.items()
        others = [f"{other} with {'; '.join(names[rows_of])}" for other, rows_of in groups]
        always = f"{verdict} with every setting"
        always = {"holds": NOTHING, "not run": "not run"}.get(verdict, always)
        rows.append((claim, state_cell(verdict), ". ".join(others) or always))
    return table(("claim", AS_IT_IS, "rests on"), rows)


def values(found: pd.DataFrame, headline: Headline) -> list[str]:
    """The table of one figure; no lines if its headlines have not been judged yet."""
    changes = changed(found)
    found = found[found["claim"].isin(headline.ids)]
    if found.empty:
        return []
    columns = list(found["claim"].unique())
    rows = []
    for (parameter, setting), cells in found.groupby(["parameter", "setting"], sort=False):
        by_claim = cells.set_index("claim")
        name = f"{parameter} = {setting}" if parameter else AS_IT_IS
        rows.append((name, *(_cell(by_claim, claim, changes, name) for claim in columns)))
    return table((headline.part.title, *columns), rows)


def _cell(by_claim: pd.DataFrame, claim: str, changes: dict[str, list[str]], name: str) -> str:
    row: dict[Any, Any] = by_claim.loc[claim].to_dict()
    mark = {"fails": " ✗", "undecided": " ?"}.get(row["verdict"], "")
    value = shown(row["value"]) if pd.notna(row["value"]) else row["verdict"]
    return f"**{value}{mark}**" if name in changes[claim] else value + mark
