# SPDX-License-Identifier: MIT
"""The run-to-run spread: measured on short runs, and applied to orderings at full size."""

from pathlib import Path

import pandas as pd
import pytest
from symlab.errors import UserError
from symlab.plot.figure import Figure
from symlab_papers.judging import judge
from symlab_papers.kept_rows import SPREADS
from symlab_papers.paper import Part, find_paper, parts
from symlab_papers.papers.ALL.figures import all_4_1
from symlab_papers.spread import REPEATS, measured, overrides, widened

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def part(monkeypatch) -> Part:
    monkeypatch.chdir(ROOT)
    return parts(find_paper("ALL"), "figure-4.1")[0]


def data(seconds: float = 10.0, spread_s: float = 0.5) -> pd.DataFrame:
    rows = [(1, "read", seconds, spread_s), (2, "read", 2 * seconds, 0.0), (3, "read", 0.0, 0.0)]
    return pd.DataFrame(rows, columns=["processors", "lock", "seconds", "spread_s"])


def test_a_spread_is_relative_to_its_mean_and_omitted_if_the_mean_is_zero(part):
    found = measured(part, data())
    assert list(found.columns) == SPREADS.columns
    assert found.to_dict("records")[0] == {
        "sweep": "figure-4.1",
        "quantity": "seconds",
        "point": "processors=1 lock=read",
        "mean": 10.0,
        "spread": 0.5,
        "part": 0.05,
    }
    assert list(found["part"]) == [0.05, 0.0]


def test_data_gets_its_points_spread_or_the_largest_unless_its_own_is_larger(part):
    spreads = measured(part, data())
    full = widened(part, data(seconds=100.0, spread_s=0.0), spreads)
    assert list(full["spread_s"]) == [5.0, 0.0, 0.0]
    assert list(full["seconds"]) == [100.0, 200.0, 0.0]
    other = data(100.0, 0.0).assign(lock="xchgb")
    assert list(widened(part, other, spreads)["spread_s"]) == [5.0, 10.0, 0.0], "the largest part"
    own = data(seconds=100.0, spread_s=7.0)
    assert list(widened(part, own, spreads)["spread_s"]) == [7.0, 0.0, 0.0]
    foreign = spreads.assign(sweep="figure-4.2")
    pd.testing.assert_frame_equal(widened(part, own, foreign), own)


def test_quantities_of_one_table_are_kept_apart(part):
    rows = [("rate", 1, 10.0, 0.1), ("share", 1, 0.5, 0.25), ("share", 2, 1e-9, 0.5)]
    columns = ["quantity", "processors", "value", "spread"]
    spreads = measured(part, pd.DataFrame(rows, columns=columns))
    assert list(spreads["part"]) == [0.01, 0.5], "of what rounds to nothing there is no part"
    full = [("rate", 1, 20.0, 0.0), ("rate", 9, 30.0, 0.0), ("share", 9, 0.5, 0.0)]
    full.append(("other", 1, 5.0, 0.0))
    found = widened(part, pd.DataFrame(full, columns=columns), spreads)
    assert list(found["spread"]) == pytest.approx([0.2, 0.3, 0.25, 0.0])


def test_each_repeat_has_another_seed_and_another_start(part):
    (axis,) = [value for key, value in overrides(part).items() if key.startswith("run.seed")]
    seeds, starts = zip(*axis, strict=True)
    assert len(set(seeds)) == len(set(map(len, starts))) == REPEATS
    assert overrides(part)["guest.args.increments"] < 10_000, "short runs"


def test_repeated_figures_have_a_spread_column(monkeypatch):
    monkeypatch.chdir(ROOT)
    repeated = [part for part in parts(find_paper("ALL")) if part.size("reduced")]
    orderings = {"figure-3.1", "figure-3.2", "figure-3.4", "figure-4.1", "figure-4.3"}
    model = {f"figure-5.{n}" for n in range(1, 5)} | {"section-5.1-demand", "section-5.1-private"}
    assert {part.name for part in repeated} >= orderings | model
    assert set(SPREADS.load(ROOT / "papers" / "ALL" / "results")["sweep"]) == {
        part.name for part in repeated
    }


def test_an_ordering_that_does_not_exceed_the_measured_spread_is_undecided(part, tmp_path):
    paper = find_paper("ALL")
    (tmp_path / "figure-4.1.csv").symlink_to(ROOT / "papers" / "ALL" / "results" / "figure-4.1.csv")

    def states(spread: float | None) -> dict[str, str]:
        if spread is not None:
            row = {"sweep": "figure-4.1", "quantity": "seconds", "point": "", "mean": 1}
            row |= {"spread": spread, "part": spread}
            SPREADS.replace(tmp_path, pd.DataFrame([row], columns=SPREADS.columns))
        return {j.row.id: j.verdict.state for j in judge(paper, [part], tmp_path)}

    assert states(None)["ALL-46"] == "holds"
    assert states(0.05)["ALL-46"] == "holds"
    assert states(0.2)["ALL-46"] == "holds"
    assert states(0.2)["ALL-48"] == "holds", "backoff is 1.8 times as fast as read"
    assert states(0.4)["ALL-46"] == "undecided", "12 and 23 s, each +- 40 %"
    assert states(0.4)["ALL-48"] == "undecided"


def test_a_figure_without_repeats_says_that_no_spread_was_measured(part, tmp_path):
    (tmp_path / "figure-4.1.csv").symlink_to(ROOT / "papers" / "ALL" / "results" / "figure-4.1.csv")
    (note,) = (
        j.verdict.note for j in judge(find_paper("ALL"), [part], tmp_path) if j.row.id == "ALL-46"
    )
    assert note.endswith("no spread measured")


def test_a_sweep_measured_again_replaces_its_rows_and_no_others(part, tmp_path):
    first = measured(part, data())
    SPREADS.replace(tmp_path, pd.concat([first, first.assign(sweep="figure-4.3")]))
    SPREADS.replace(tmp_path, measured(part, data(spread_s=1.0)))
    found = SPREADS.load(tmp_path)
    assert list(found["sweep"]) == ["figure-4.1"] * 2 + ["figure-4.3"] * 2
    assert list(found["part"]) == [0.1, 0.0, 0.05, 0.0]
    (tmp_path / "spread.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UserError, match="symlab paper PAPER spread"):
        SPREADS.load(tmp_path)


def test_ceilings_of_threads_count_their_spread():
    from symlab.plot.ranged import Ranged
    from symlab_papers.measures.thread_rates import Rates

    rate = Rates(
        {("a", 1): 1.0, ("a", 2): 3.0, ("b", 1): 5.0, ("b", 2): 4.0},
        {("a", 1): 9.0, ("a", 2): 0.25, ("b", 1): 0.5, ("b", 2): 9.0},
    )
    assert rate.ceilings("a", "b") == (Ranged(3.0, 0.25), Ranged(5.0, 0.5))


def test_judging_the_data_equals_judging_the_runs():
    figure: Figure = all_4_1.FIGURE
    runs = pd.read_csv(ROOT / "papers" / "ALL" / "results" / "figure-4.1.csv")
    assert figure.judge_data(figure.series(runs)) == figure.judge(runs)
