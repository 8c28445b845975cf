# SPDX-License-Identifier: MIT
"""Makes a paper's figures, claims.json and results page from the CSVs of its sweeps.

It simulates nothing: the CSVs that are committed suffice on any host.
"""

from pathlib import Path
from typing import Any

from symlab.files import write_all
from symlab.plot.render import rendered
from symlab.results.loading import read_runs

from symlab_papers.counts import by_kind, counted
from symlab_papers.judging import Judged, claims_json, claims_table, judge
from symlab_papers.kept_rows import SENSITIVITY, SPREADS, load_versions
from symlab_papers.pages import environment
from symlab_papers.paper import Paper, Part
from symlab_papers.sensitivity import headlines, rests, values
from symlab_papers.spread import REPEATS

TEMPLATES = Path(__file__).parent / "templates"
PAGE = "README.md"  # with all figures and claims of the paper


def gather(paper: Paper, parts: list[Part], folder: Path) -> list[Path]:
    """Writes figures, their data, claims.json and the page README.md into `folder`. Parts whose
    sweep has left no table are skipped. Returns the paths of the files. Raises UserError,
    OutputError."""
    files: dict[str, bytes] = {}
    for part in parts:
        if has_runs(folder, part):
            runs = read_runs(folder, part.name)
            files[f"{part.name}.svg"] = rendered(part.figure, runs)[1]
            if part.figure.tidy:
                files[f"{part.name}.csv"] = part.figure.csv(runs)
    files["claims.json"], files[PAGE] = judgement(paper, parts, folder)
    return write_all(folder, files)


def judgement(paper: Paper, parts: list[Part], folder: Path) -> tuple[bytes, bytes]:
    """What claims.json and the page say about the tables in `folder`."""
    swept = [part for part in parts if has_runs(folder, part)]
    judged = judge(paper, swept, folder)
    text = page(paper, swept, judged, folder)
    return claims_json(judged, {"paper": paper.citation}), text.encode()


def has_runs(folder: Path, part: Part) -> bool:
    """Whether `folder` has the table of the part's sweep."""
    return (folder / f"{part.name}.csv").is_file()


def page(paper: Paper, parts: list[Part], judged: list[Judged], folder: Path) -> str:
    """The page as Markdown, which ends with a line feed. Its links are relative to `folder`, which
    has spread.csv and sensitivity.csv."""
    found = SENSITIVITY.load(folder)
    kinds = [(j.row.id, j.row.kind, j.verdict.state) for j in judged]
    names: dict[str, Any] = {
        "paper": paper, "parts": parts, "judged": judged, "counted": counted, "repeats": REPEATS,
        "kinds": "\n".join(by_kind(kinds)), "commits": load_versions(folder),
        "claims": "\n".join(claims_table(judged, pages="../pages/")),
        "spreads": SPREADS.load(folder), "found": found,
    }  # fmt: skip
    if len(found):
        names["rests"] = "\n".join(rests(found))
        names["values"] = ["\n".join(values(found, of)) for of in headlines(paper, parts)]
    return environment(TEMPLATES).get_template("results.md.j2").render(names)
