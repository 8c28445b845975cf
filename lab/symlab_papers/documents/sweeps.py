# SPDX-License-Identifier: MIT
"""The table of a page's sweeps: what each measures, its claims with their verdicts, its size."""

from symlab.results.loading import read_runs
from symlab.results.markdown import table

from symlab_papers.documents.data import Data, significant
from symlab_papers.paper import find_paper, parts


def sweeps(data: Data, paper: str, names: tuple[str, ...]) -> list[str]:
    """The lines of the table of these parts of a paper, in this order. Raises UserError."""
    part_of = {part.name: part for part in parts(find_paper(paper))}
    rows = []
    for name in names:
        runs = read_runs(data.folder(paper), name)
        instructions = significant(float(runs["instructions"].sum()) / 1e6, 2)
        rows.append((f"`{name}`", part_of[name].caption, _claims(data, paper, name), instructions))
    return table(("Config", "What it measures", "Claims, **fails**", "10^6 instructions"), rows)


def _claims(data: Data, paper: str, part: str) -> str:
    """The numbers of the claims that the part checks: `05 to 08, **09**, 10`."""
    checked = [claim for claim in data.claims(paper) if part in claim["results"]]
    groups: list[list[tuple[int, bool]]] = []
    for claim in checked:
        number, fails = int(claim["id"].rpartition("-")[2]), claim["verdict"] == "fails"
        if groups and groups[-1][-1] == (number - 1, False) and not fails:
            groups[-1].append((number, fails))
        else:
            groups.append([(number, fails)])
    return ", ".join(_range(group) for group in groups)


def _range(group: list[tuple[int, bool]]) -> str:
    (first, fails), (last, _) = group[0], group[-1]
    if fails:
        return f"**{first:02}**"
    if len(group) == 2:
        return f"{first:02}, {last:02}"
    return f"{first:02}" if first == last else f"{first:02} to {last:02}"
