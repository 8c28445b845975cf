# SPDX-License-Identifier: MIT
"""Judges the claims of a figure for `symlab claims` and prints the verdicts."""

from pathlib import Path

from symlab.errors import UserError
from symlab.paper.claim_files import write_claims
from symlab.paper.figure import find_figure
from symlab.runs.sweep_report import print_verdicts
from symlab.runs.table import read_csv
from symlab.terminal import wrote


def judge_on_terminal(csv: Path, figure: str | None) -> None:
    """Judges the claims of `figure` (an id, default the CSV's stem) on the runs in `csv`.

    Writes the files of the claims beside the CSV. Raises UserError.
    """
    name = csv.name.removesuffix(".csv")
    runs = read_csv(csv)
    found = find_figure(figure or name, [])
    if not found.claims:
        raise UserError(f"no claims are known for {figure or name}; name a figure with --figure")
    verdicts = found.judge(runs)
    wrote(*write_claims(verdicts, csv.parent, name))
    print_verdicts(verdicts)
