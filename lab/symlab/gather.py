# SPDX-License-Identifier: MIT
"""Makes a paper's figures, claims.json and results page from the CSVs of its sweeps.

It simulates nothing: the CSVs that are committed under results/ suffice on any host.
"""

import json
from pathlib import Path

from symlab.figure import render
from symlab.judging import judge
from symlab.loading import read_runs
from symlab.paper import Paper, Part
from symlab.paper_page import page
from symlab.store import write_all
from symlab.table import csv_bytes


def gather(paper: Paper, parts: list[Part], results: Path) -> list[Path]:
    """Writes figures, their data and claims.json into results/<paper>, and results/README.md.

    Parts whose sweep has left no table are skipped. Returns the paths of the files. Raises
    UserError, OutputError.
    """
    folder = results / paper.name
    there = [part for part in parts if has_runs(folder, part)]
    judged = judge(paper, there, folder)
    files: dict[str, bytes] = {}
    for part in there:
        runs = read_runs(folder, part.name)
        files[f"{part.name}.svg"] = render(part.figure, runs)[0]
        if part.figure.tidy:
            files[f"{part.name}.csv"] = csv_bytes(part.figure.series(runs))
    document = {"schema_version": 1, "paper": paper.citation, "claims": [j.entry() for j in judged]}
    files["claims.json"] = (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
    text = page(paper, there, judged, folder)
    return write_all(folder, files) + write_all(results, {"README.md": text.encode()})


def has_runs(folder: Path, part: Part) -> bool:
    """Whether `folder` has the table of the part's sweep."""
    return (folder / f"{part.name}.csv").is_file()
