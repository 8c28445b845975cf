# SPDX-License-Identifier: MIT
"""Every figure of the papers at its quick size, with the real simulator, against results/quick/.

The tests need SYMSIM_BINARY, which `make test` sets.
"""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from distributed import LocalCluster
from symlab.plot import render
from symlab.plot.figure import Figure
from symlab.runs.sweeping import Order, run_sweep
from symlab_papers.paper import find_paper, parts
from symlab_papers.quick import quick_tables
from symlab_papers.targets import targets

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")


def without_pixels(figure: Figure, runs: pd.DataFrame, folder: Path, name: str) -> list[Path]:
    """Makes the axes with all that is on them; test_published_figures.py draws these figures."""
    render.drawn(figure, runs)
    return []


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize("name", ["ALL", "WKS", "URPC", "MTH"])
def test_the_quick_size_of_every_figure_gives_the_committed_tables(name, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(render, "save_figure", without_pixels)
    paper = find_paper(name)
    everything = parts(paper)
    folder = tmp_path / name
    order = Order(name, simulator=BINARY, shared=folder)
    for target in targets(paper, everything, order, folder, "quick"):
        part, result = target.part, run_sweep(target.order)
        assert set(result.frame["status"]) == {"finished"}, part.name
        assert not result.problems, part.name
        assert not result.verdicts, "so few numbers judge nothing"
        states = {verdict.state for verdict in part.figure.judge(result.frame)}
        assert states <= {"holds", "fails", "not run"}, "nor do they break a check"
        assert len(part.figure.series(result.frame)) > 0, part.name
    for file in quick_tables(paper, everything, folder):
        wanted = ROOT / "results" / "quick" / file.name
        changed = f"run `symlab paper {name} quick` if results were to change"
        assert file.read_text().splitlines() == wanted.read_text().splitlines(), changed


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_a_cluster_gives_the_same_bytes(tmp_path):
    def reproduced(out: Path, *where: str) -> dict[str, bytes]:
        command = ["paper", "ALL", "quick", "--figure", "4.1", "--out", str(out), *where]
        made = subprocess.run(
            [sys.executable, "-m", "symlab", *command, "--simulator", str(BINARY)],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert made.returncode == 0, made.stdout + made.stderr
        tables = (file for file in out.rglob("*.csv") if not file.stem.endswith("-host"))
        return {str(file.relative_to(out)): file.read_bytes() for file in tables}

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        local_directory=str(tmp_path / "workers"),
    ) as cluster:
        there = reproduced(tmp_path / "there", "--scheduler", cluster.scheduler_address)
    here = reproduced(tmp_path / "here")
    assert {"ALL-runs.csv", "ALL/figure-4.1.csv", "ALL/table-4.1.csv"} <= set(here)
    assert there == here
