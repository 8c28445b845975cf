# SPDX-License-Identifier: MIT
"""Makes a paper's figures, claims.json and results page from the CSVs of its sweeps.

It simulates nothing: the CSVs that are committed under results/ suffice on any host.
"""

from pathlib import Path

from symlab.files import write_all
from symlab.plot.render import rendered
from symlab.results.loading import read_runs

from symlab_papers.claim_files import claims_json
from symlab_papers.judging import judge
from symlab_papers.page import page
from symlab_papers.paper import Paper, Part


def gather(paper: Paper, parts: list[Part], results: Path) -> list[Path]:
    """Writes figures, their data and claims.json into results/<paper>, and its page into
    results/.

    Parts whose sweep has left no table are skipped. Returns the paths of the files. Raises
    UserError, OutputError.
    """
    folder = results / paper.name
    files: dict[str, bytes] = {}
    for part in parts:
        if has_runs(folder, part):
            runs = read_runs(folder, part.name)
            files[f"{part.name}.svg"] = rendered(part.figure, runs)[1]
            if part.figure.tidy:
                files[f"{part.name}.csv"] = part.figure.csv(runs)
    claims, text = judgement(paper, parts, results)
    files["claims.json"] = claims
    return write_all(folder, files) + write_all(results, {paper.results_page: text})


def judgement(paper: Paper, parts: list[Part], results: Path) -> tuple[bytes, bytes]:
    """What claims.json and the page say about the tables in results/<paper>."""
    folder = results / paper.name
    swept = [part for part in parts if has_runs(folder, part)]
    judged = judge(paper, swept, folder)
    text = page(paper, swept, judged, folder)
    return claims_json(judged, {"paper": paper.citation}), text.encode()


def has_runs(folder: Path, part: Part) -> bool:
    """Whether `folder` has the table of the part's sweep."""
    return (folder / f"{part.name}.csv").is_file()
