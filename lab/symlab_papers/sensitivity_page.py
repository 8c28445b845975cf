# SPDX-License-Identifier: MIT
"""The section "Sensitivity" of a paper's results page, in Markdown."""

from typing import Any

import pandas as pd
from symlab.results.markdown import shown, table

from symlab_papers.judging import Judged
from symlab_papers.markdown import state_cell
from symlab_papers.paper import Paper, Part
from symlab_papers.sensitivity import FILE, LOCK, changed, headlines

AS_IT_IS = "unchanged machine"
NOTHING = "no single guess"
# Key -> the guess behind it. An exchange (xchgb) is a locked read, a locked store for whose
# completion the processor waits, and an unlock.
GUESSES = {
    "cache.line_bytes": "line size",
    "cache.hit_wait_clocks": "waits of a cache hit",
    "cache.store_policy": "what waits for a store",
    "cache.protocol": "whether a store that misses allocates; for comparison, write-back",
    "memory.latency_cycles": "miss latency; cycles per `xchgb`, by its read",
    "memory.read_busy_cycles": "time for which a read keeps a memory controller busy",
    "memory.store_busy_cycles": "time for which a store keeps a memory controller busy",
    "memory.read_pipe": "reads that a memory controller takes at a time",
    "bus.width_bytes": "none: the bus's narrow mode, for comparison",
    "bus.arbitration": "none: the default is cited; whose turn it is, for comparison",
    "bus.arbitration_cycles": "cycles of arbitration",
    "bus.synchronise_cycles": "cycles until a processor gets the data of a reply",
    "bus.store_completion_cycles": "completion of stores; cycles per `xchgb`, by its store",
    "bus.unlock": "whether the unlock cycle follows the locked store at once",
    "bus.unlock_cycles": "cycles per `xchgb`, by its unlock",
    "bus.locked_request": "the arbiter's treatment of a locked address",
    "bus.locked_class": "the slot class of locked reads",
    "bus.line_unavailable_cycles": "time for which a line is unavailable after an unlock",
    LOCK: "delays of backoff, in the program's locks or the thread package's: "
    "`backoff-LEAST-MOST`; its form: `backoff-every`",
}


def sensitivity(
    found: pd.DataFrame | None, judged: list[Judged], parts: list[Part], paper: Paper
) -> list[str]:
    """The lines of the section: the guesses, each conclusion with the settings that change it, and
    all values by figure. No lines if `found` (sensitivity.csv) is None."""
    if found is None:
        return []
    changes = changed(found)
    settings = found[found["parameter"] != ""].groupby("parameter", sort=False)["setting"].unique()
    guesses = (
        (GUESSES.get(str(key), ""), str(key), ", ".join(values)) for key, values in settings.items()
    )
    lines = [
        "## Sensitivity",
        "",
        f"`symlab paper {paper.name} sensitivity` judges the main conclusions in short runs "
        "on the unchanged machine, and with one guess at a time changed over its range "
        f"([ranges](../sensitivity.toml), "
        f"[all numbers]({FILE})).",
        "",
        *table(("guess", "key", "over"), guesses),
        "",
        *table(("claim", "conclusion", AS_IT_IS, "rests on"), _rests(found, judged, changes)),
        "",
        paper.left_out,
        "",
        "The tables below have the value that decides, by setting: ✗ if the claim fails, ? if it "
        "is undecided, bold if the verdict differs from that of the unchanged machine.",
        "",
    ]
    for headline in headlines(paper, parts):
        lines += _values(headline.part.title, found[found["claim"].isin(headline.ids)], changes)
    return lines


def _rests(
    found: pd.DataFrame, judged: list[Judged], changes: dict[str, list[str]]
) -> list[tuple[str, ...]]:
    verdicts = found[found["parameter"] == ""].set_index("claim")["verdict"]
    statements = {j.row.id: j.row.statement for j in judged}
    names = found["parameter"] + " = " + found["setting"]
    rows: list[tuple[str, ...]] = []
    for claim, settings in changes.items():
        verdict = verdicts[claim]
        of_claim = found[(found["claim"] == claim) & names.isin(settings)]
        groups = of_claim.groupby("verdict", sort=False).groups.items()
        others = [f"{other} with {'; '.join(names[rows_of])}" for other, rows_of in groups]
        always = f"{verdict} with every setting"
        always = {"holds": NOTHING, "not run": "not run"}.get(verdict, always)
        rows.append((claim, statements[claim], state_cell(verdict), ". ".join(others) or always))
    return rows


def _values(title: str, found: pd.DataFrame, changes: dict[str, list[str]]) -> list[str]:
    """The table of one figure; no lines if its headlines have not been judged yet."""
    if found.empty:
        return []
    columns = list(found["claim"].unique())
    rows = []
    for (parameter, setting), cells in found.groupby(["parameter", "setting"], sort=False):
        by_claim = cells.set_index("claim")
        name = f"{parameter} = {setting}" if parameter else AS_IT_IS
        rows.append((name, *(_cell(by_claim, claim, changes, name) for claim in columns)))
    return [*table((title, *columns), rows), ""]


def _cell(by_claim: pd.DataFrame, claim: str, changes: dict[str, list[str]], name: str) -> str:
    row: dict[Any, Any] = by_claim.loc[claim].to_dict()
    mark = {"fails": " ✗", "undecided": " ?"}.get(row["verdict"], "")
    value = shown(row["value"]) if pd.notna(row["value"]) else row["verdict"]
    return f"**{value}{mark}**" if name in changes[claim] else value + mark
