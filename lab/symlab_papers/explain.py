# SPDX-License-Identifier: MIT
"""Explains a claim: what the paper says, how it is checked, and on which values it is judged."""

import inspect
import math
from collections.abc import Iterator

from symlab.errors import UserError
from symlab.plot.ranged import Ranged
from symlab.results.loading import read_runs
from symlab.results.markdown import shown

from symlab_papers.claims import Judge
from symlab_papers.expressions import Near
from symlab_papers.judging import Judged, judge
from symlab_papers.kept_rows import SPREADS, load_versions
from symlab_papers.paper import find_paper, known, parts, results_of
from symlab_papers.spread import widened


def is_claim(name: str) -> bool:
    """Whether `name` is the id of a claim, such as ALL-46."""
    return name.partition("-")[0] in known() and name.partition("-")[2].isdigit()


def explained(id: str) -> list[str]:
    """The lines about the claim. Raises UserError if there is none, or no results."""
    paper = find_paper(id.partition("-")[0])
    folder, everything = results_of(paper.name), parts(paper)
    with_table = [part for part in everything if (folder / f"{part.name}.csv").is_file()]
    found = next((j for j in judge(paper, with_table, folder) if j.row.id == id), None)
    if found is None:
        raise UserError(f"{id}: no such claim; papers/{paper.name}/paper.toml lists them")
    row, commits = found.row, load_versions(folder)
    lines = [f"{id}, {row.where}: {row.statement.strip()}", f"kind: {row.kind}"]
    lines += [f"paper: {row.paper}"] if row.paper else []
    lines += [f"bound: {row.why or 'none, it is an order'}; since {row.since}"]
    spreads = SPREADS.load(folder)
    for part in with_table:
        data = widened(part, part.figure.series(read_runs(folder, part.name)), spreads)
        for claim in part.figure.claims:
            if isinstance(claim, Judge) and claim.id == id:
                commit = commits.get(part.name, "unknown")
                lines += ["", f"check: {claim.claim.check}", *_code(claim)]
                lines += [f"data: {folder / part.name}.csv, made by commit {commit}"]
                lines += _values(claim.values(data))
    return [*lines, "", *_verdict(found)]


def _code(claim: Judge) -> Iterator[str]:
    """The expressions, or the function with its file."""
    yield from (f"code: {test}" for test in claim.tests)
    if not claim.tests:
        yield f"code: {inspect.getsourcefile(claim.function)}"
        yield from inspect.getsource(claim.function).rstrip().splitlines()


def _values(cases: list[tuple[str, list[object]]]) -> Iterator[str]:
    for note, compared in cases:
        yield f"  {', '.join(map(_value, compared))}{f'   {note}' if note else ''}"


def _value(value: object) -> str:
    if isinstance(value, Near):
        return f"{_value(value.value)}, the paper's {value.paper:g} +- {value.tolerance:g}"
    if isinstance(value, Ranged):
        spread = "" if math.isnan(value.spread) else f" +- {value.spread:.2g}"
        return f"{value:.6g}{spread}"
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)


def _verdict(found: Judged) -> list[str]:
    v = found.verdict
    lines = [f"verdict: {v.state}{', narrowly' if found.narrow else ''}"]
    compared = (("value", v.value), ("bound", v.bound), ("margin", v.margin))
    lines += [f"{name}: {shown(value)}" for name, value in compared if value is not None]
    lines += [f"of: {v.note}"] if v.note else []
    return lines + ([f"cause: {found.cause.strip()}"] if found.cause else [])
