# SPDX-License-Identifier: MIT
"""The tables of a paper's results page that say what its conclusions rest on, in Markdown."""

from typing import Any

import pandas as pd
from symlab.results.markdown import shown, table

from symlab_papers.markdown import state_cell
from symlab_papers.sensitivity import Headline, changed

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
