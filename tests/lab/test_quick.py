# SPDX-License-Identifier: MIT
"""Every figure of the paper at its quick size with the simulator itself, if SYMSIM_BINARY names it
(`make test` does), against results/quick/."""

import io
import os
from pathlib import Path

import pytest
from rich.console import Console
from symlab.paper import find_paper, parts
from symlab.quick import quick_tables
from symlab.reproduce import How, make
from symlab.screen import Screen

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY")
PAPER = find_paper("ALL")


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_the_quick_size_of_every_figure_is_what_is_committed(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    everything = parts(PAPER)
    how = How(tmp_path, simulator=Path(BINARY or ""), quick=True)
    for part in everything:
        made = make(part, how, lambda: Screen(Console(file=io.StringIO())))
        assert set(made.result.frame["status"]) == {"finished"}, part.name
        assert not made.result.problems, part.name
        assert not made.result.verdicts, "so few numbers judge nothing"
        states = {verdict.state for verdict in part.figure.judge(made.result.frame)}
        assert states <= {"holds", "fails", "not run"}, "nor do they break a check"
        assert len(part.figure.series(made.result.frame)) > 0, part.name
    for file in quick_tables(PAPER, everything, tmp_path):
        wanted = ROOT / "results" / "quick" / file.name
        changed = "run `symlab reproduce ALL --quick` if results were to change"
        assert file.read_text().splitlines() == wanted.read_text().splitlines(), changed
