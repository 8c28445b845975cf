# SPDX-License-Identifier: MIT
"""Figures that a config describes: their data, curves, drawing and claims, and mistakes in them."""

from pathlib import Path

import pandas as pd
import pytest
from claim_cases import table
from matplotlib.figure import Figure as Canvas
from symlab.errors import UserError
from symlab.results.loading import read_runs
from symlab_papers import described, rows
from symlab_papers.paper import find_paper, known, parts, results_of

CONFIG = """
[figure]
name = "{name}"

[figure.data]
caption = "A counter under two locks."
by = ["lock", "spinners"]
{data}

[figure.columns]
spinners = "processors - 1"
us = "elapsed_us / increments"
held_us = "us / 2"

[figure.plot]
y = "us"
label = "Time (us)"
x = "spinners / 10"
{plot}

[figure.curves]
T = {{ x = "spinners" }}
H = {{ y = "held_us", x = "spinners" }}

[figure.names]
MOST = 7
"""
PAPER = """
title = "X"
[claims.XYZ-01]
kind = "prediction"
where = "Fig 1"
statement = "a queue lock is faster"
figure = "xyz-1"
check = "T_mcs < T_read"
test = ["T['mcs', MOST] < T['read', MOST]", "H['read', MOST] >= 2"]
since = 2026-11-27
"""
TABLE = """
[figure]
name = "xyz-2"

[figure.data]
caption = "The same again."
like = "xyz-1"
"""
BY_CHANCE = ("mth-5.3", "mth-5.3-order")  # these also judge equations, without any run
ROOT = Path(__file__).resolve().parents[2]
ROW = 'y = "us"\nspread = "spread_us"\nothers = ["held_us"]'


@pytest.fixture
def paper(tmp_path: Path, monkeypatch):
    """A paper XYZ of these texts."""

    def made(data: str = ROW, plot: str = "", name: str = "xyz-1") -> None:
        folder = tmp_path / "XYZ" / "figures"
        folder.mkdir(parents=True)
        (folder.parent / "paper.toml").write_text(PAPER)
        (folder / "figure-1.toml").write_text(CONFIG.format(data=data, plot=plot, name=name))
        (folder / "figure-2.toml").write_text(TABLE)
        for module in (described, rows):
            monkeypatch.setattr(module, "PAPERS", tmp_path)
        for cached in (described._configs, rows.content, rows.rows):
            cached.cache_clear()

    yield made
    for cached in (described._configs, rows.content, rows.rows):
        cached.cache_clear()


RUNS = table(
    lambda lock, p, seed: {
        "lock": lock, "processors": p, "seed": seed, "increments": 10,
        "elapsed_us": 10 * p * (1 if lock == "mcs" else 2) + 10 * seed,
    },
    ("mcs", "read"), (2, 8), (1, 2),
)  # fmt: skip


def test_data_are_keys_value_spread_and_others(paper):
    paper()
    data = described.described("xyz-1").series(RUNS)
    assert list(data) == ["lock", "spinners", "us", "spread_us", "held_us"]
    assert data[data["lock"] == "read"].to_numpy().tolist() == [
        ["read", 1, 5.5, 0.5, 2.75], ["read", 7, 17.5, 0.5, 8.75],
    ]  # fmt: skip


def test_quantities_are_rows(paper):
    paper(data='quantities = ["us", "held_us"]')
    data = described.described("xyz-1").series(RUNS)
    assert list(data) == ["lock", "spinners", "quantity", "value", "spread"]
    assert set(data["quantity"]) == {"us", "held_us"} and len(data) == 8


def test_a_claim_uses_its_curves_and_names(paper):
    paper()
    figure = described.described("xyz-1")
    (verdict,) = figure.judge(RUNS)
    assert (verdict.id, verdict.state) == ("XYZ-01", "holds")
    (gap,) = figure.judge(RUNS[RUNS["processors"] == 2])
    assert (gap.state, gap.note) == ("not run", "missing mcs at P=7; read at P=7")
    slow = RUNS.assign(elapsed_us=RUNS["elapsed_us"].where(RUNS["lock"] == "read", 1e6))
    assert figure.judge(slow)[0].state == "fails"


def test_it_is_drawn_over_an_expression(paper):
    paper()
    figure, ax = described.described("xyz-1"), Canvas().add_subplot()
    figure.draw(ax, figure.series(RUNS))
    assert ax.get_ylabel() == "Time (us)"
    assert [list(line.get_xdata()) for line in ax.get_lines()] == [[0.1, 0.7], [0.1, 0.7]]


def test_a_figure_like_another_has_its_data_and_no_claims(paper):
    paper()
    first, second = (described.described(f"xyz-{n}") for n in (1, 2))
    pd.testing.assert_frame_equal(second.series(RUNS), first.series(RUNS))
    assert second.claims == () and second.caption == "The same again."


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"data": "yy = 3"}, "figure-1.toml: .*'yy'"),
        ({"plot": 'lable = "x"'}, "figure-1.toml: .*'lable'"),
        ({"name": "xyz-0"}, "figure-2.toml: .*'xyz-1'"),
    ],
)
def test_a_mistake_is_named_with_its_file(texts, message, paper):
    paper(**texts)
    with pytest.raises(UserError, match=message):
        described.described("xyz-2" if "name" in texts else "xyz-1")


@pytest.mark.parametrize("name", known())
def test_of_failed_runs_no_claim_is_judged_and_each_figure_has_a_caption(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    for part in parts(find_paper(name)):
        assert part.caption, part.name
        if part.file.figure not in BY_CHANCE:
            failed = read_runs(results_of(name), part.name).assign(status="deadlock")
            assert {v.state for v in part.figure.judge(failed)} <= {"not run"}, part.name
