# SPDX-License-Identifier: MIT
"""`symlab paper PAPER claims` of one claim, or of one table."""

from dataclasses import asdict
from pathlib import Path

from symlab.errors import UserError
from symlab.files import write_all
from symlab.plot.figure import find_figure
from symlab.results.loading import read_table
from symlab.runs.sweep_terminal import print_verdicts
from symlab.terminal import console, print_json, wrote

from symlab_papers.explain import explained, is_claim


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
