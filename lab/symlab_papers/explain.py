# SPDX-License-Identifier: MIT
"""`symlab paper PAPER claims` of one claim, which it explains: what the paper says, how the claim
is checked, and on which values it is judged. Or of one table, whose claims it judges."""

import inspect
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from symlab.errors import UserError
from symlab.files import write_all
from symlab.plot.figure import find_figure
from symlab.plot.ranged import Ranged
from symlab.results.loading import read_runs, read_table
from symlab.results.markdown import shown
from symlab.runs.sweep_terminal import print_verdicts
from symlab.terminal import console, print_json, wrote

from symlab_papers.claims import Judge
from symlab_papers.expressions import Near
from symlab_papers.gather import has_runs
from symlab_papers.judging import Judged, judge
from symlab_papers.kept_rows import SPREADS, load_versions
from symlab_papers.paper import Part, find_paper, known, parts, results_of
from symlab_papers.spread import widened


def is_claim(name: str) -> bool:
    """Whether `name` is the id of a claim, such as ALL-46."""
    return name.partition("-")[0] in known() and name.partition("-")[2].isdigit()


def explained(id: str) -> list[str]:
    """The lines about the claim. Raises UserError if there is none, or no results."""
    paper = find_paper(id.partition("-")[0])
    folder, everything = results_of(paper.name), parts(paper)
    with_table = [part for part in everything if has_runs(folder, part)]
    concerned = [part for part in with_table if _checks(part, id)]
    names = {part.name for part in concerned}
    names |= {part.figure.beside.sweep for part in concerned if part.figure.beside}
    needed = [part for part in with_table if part.name in names]
    found = next((j for j in judge(paper, needed, folder) if j.row.id == id), None)
    if found is None:
        raise UserError(f"{id}: no such claim; papers/{paper.name}/paper.toml lists them")
    row, commits = found.row, load_versions(folder)
    lines = [f"{id}, {row.where}: {row.statement.strip()}", f"kind: {row.kind}"]
    lines += [f"paper: {row.paper}"] if row.paper else []
    lines += [f"bound: {row.why or 'none, it is an order'}; since {row.since}"]
    spreads = SPREADS.load(folder)
    for part in concerned:
        data = widened(part, part.figure.series(read_runs(folder, part.name)), spreads)
        for claim in part.figure.claims:
            if isinstance(claim, Judge) and claim.id == id:
                commit = commits.get(part.name, "unknown")
                lines += ["", f"check: {claim.claim.check}", *_code(claim)]
                lines += [f"data: {folder / part.name}.csv, made by commit {commit}"]
                lines += _values(claim.values(data))
    return [*lines, "", *_verdict(found)]


def _checks(part: Part, id: str) -> bool:
    return any(isinstance(claim, Judge) and claim.id == id for claim in part.figure.claims)


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


def explain_or_judge(subject: str, figure: str | None, json: bool) -> None:
    """Explains a claim, or judges the claims of a table: <name>-claims.json and .md beside it get
    the verdicts. `figure`: whose claims, default that of the table's name. Raises LabError."""
    if is_claim(subject):
        lines = explained(subject)
        console.print("\n".join(lines))
        if json:
            print_json({"id": subject, "explanation": lines})
        return
    csv = Path(subject)
    if csv.suffix != ".csv":
        raise UserError(f"{subject}: is neither a claim, such as ALL-46, nor a CSV")
    name = csv.name.removesuffix(".csv")
    runs = read_table(csv)
    found = find_figure(figure or name, [])
    if not found.claims:
        raise UserError(f"no claims are known for {figure or name}; name a figure with --figure")
    verdicts = found.judge(runs)
    wrote(*write_all(csv.parent, found.files_of(verdicts, name)))
    print_verdicts(verdicts)
    if json:
        print_json([asdict(verdict) for verdict in verdicts])
