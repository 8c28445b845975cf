# SPDX-License-Identifier: MIT
"""A complete reproduction: its targets in one command, the time left, and what it cost."""

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import CONFIG, Lab
from symlab.runs.executing import Outcome
from symlab.runs.sweeping import Order, SweepResult
from symlab_papers import cost
from symlab_papers.cost import Cost, Work, cost_lines, known_work, work_of
from symlab_papers.paper import find_paper, parts, results_of
from symlab_papers.reproduce import _announce, known_weights, time_left_s
from symlab_papers.targets import Target, targets

ROOT = Path(__file__).resolve().parents[2]


def frame(**runs: int) -> pd.DataFrame:
    """The frame of a sweep: runs with these instructions, each of 2 s and 3 transactions."""
    rows = [
        {"run": name, "simulated_us": 2e6, "instructions": number, "all_transactions": 3,
         "cpu_s": 0.5}
        for name, number in runs.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_the_work_of_a_sweep_is_summed_over_its_runs():
    points = pd.concat([frame(a=10, b=20), frame(b=20)])  # two points share a run
    assert work_of(points, {"b", "elsewhere"}) == Work(2, 4.0, 30, 6, 1.0, 1)
    invalid = pd.DataFrame([{"run": None, "status": "user-error"}])
    assert work_of(invalid, set()) == Work()
    failed = pd.DataFrame([{"run": "c.failed", "status": "deadlock"}])
    assert work_of(failed, {"c"}) == Work(runs=1, made=1)


def test_a_run_that_two_sweeps_need_belongs_to_the_first():
    made = Cost()
    made.add("figure-3.2", frame(a=10, b=20), {"a", "b"})
    made.add("figure-3.3", frame(b=20, c=5), {"c"})
    assert made.sweeps["figure-3.3"] == Work(1, 2.0, 5, 3, 0.5, 1)
    found = content(made)
    assert (found["runs"], found["made"], found["cpu_s"]) == (3, 3, 1.5)


def content(
    made: Cost, elapsed_s: float = 1.0, wake_ns: tuple[float | None, float | None] = (None, None),
    failed: bool = False,
) -> dict[str, Any]:  # fmt: skip
    return made.document(elapsed_s, 2, wake_ns, failed, {"cpu": "some"})


def test_the_elapsed_time_is_converted_to_a_host_of_67_ns():
    made = Cost()
    made.add("figure-3.2", frame(a=10), {"a"})
    found = content(made, 1000.0, (130.0, 138.0))
    assert found["elapsed_at_67_ns_s"] == 500
    assert (found["kernel_wake_before_ns"], found["kernel_wake_after_ns"]) == (130, 138)
    assert found["complete"] and found["sweeps"]["figure-3.2"]["instructions"] == 10
    text = "\n".join(cost_lines(found))
    assert "1 runs, 1 of them made now, in 0:16:40" in text
    assert "130 ns before, 138 ns after; at 67 ns it would be 0:08:20" in text
    assert "not complete" not in text


def test_without_kernel_wake_nothing_is_converted():
    found = content(Cost(), 1000.0)
    assert found["elapsed_at_67_ns_s"] is None and found["kernel_wake_after_ns"] is None
    assert len(cost_lines(found)) == 1


def test_the_cost_is_not_complete_if_a_run_was_there_before_or_failed():
    made = Cost()
    made.add("figure-3.2", frame(a=10, b=20), {"b"})
    assert not content(made)["complete"]
    assert "1 runs were there before" in cost_lines(content(made))[-1]
    whole = Cost()
    whole.add("figure-3.2", frame(a=10), {"a"})
    assert content(whole)["complete"]
    assert not content(whole, failed=True)["complete"]


def test_the_work_of_the_last_time_is_read_again_and_a_damaged_file_is_none(tmp_path):
    made = Cost()
    made.add("figure-3.2", frame(a=10), {"a"})
    (tmp_path / cost.FILE).write_text(json.dumps(content(made)))
    assert known_work(tmp_path) == made.sweeps
    for text in ("", "{}", '{"sweeps": {"a": 1}}', '{"sweeps": {"a": {"hours": 1}}}'):
        (tmp_path / cost.FILE).write_text(text)
        assert known_work(tmp_path) == {}


def test_a_transaction_weighs_more_than_an_instruction_and_a_run_has_a_weight_itself():
    assert Work(transactions=10).weight > Work(instructions=10).weight > 0
    assert Work(runs=1).weight > 0


# ---- the time left ----


def test_the_time_left_follows_the_work_at_the_pace_so_far():
    assert time_left_s([100, 300], None, 0) is None, "no pace is known yet"
    assert time_left_s([300, 50], 0.2, 0) == pytest.approx(350 * 0.2)
    assert time_left_s([300, 50], 0.2, 30) == pytest.approx(350 * 0.2 - 30)
    assert time_left_s([300, 50], 0.2, 1e6) == pytest.approx(50 * 0.2), "it takes longer"
    assert time_left_s([], 0.2, 0) == 0
    assert time_left_s([1, None, 2], 10.0, 0) is None, "the work of a sweep is not known"


def test_half_of_the_work_is_made_if_half_of_the_runs_were_kept():
    assert Work(runs=4, instructions=100, made=2).weight_made == Work(4, 0, 100).weight / 2
    assert Work().weight_made == 0


def test_the_work_is_known_from_the_last_time_or_else_from_a_figures_table(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    paper = find_paper("ALL")
    order, chosen = Order("ALL", shared=tmp_path), parts(paper)[:3]
    figures = targets(paper, chosen, order, tmp_path, "figures")
    spread = targets(paper, chosen, order, tmp_path, "spread")
    one, other, _ = (target.name for target in figures)
    for name in (one, other):
        (tmp_path / f"{name}.csv").write_text("instructions,all_transactions\n100,0\n50,0\n")
    made = Cost()
    made.add(other, frame(a=7, b=9), {"a"})
    (tmp_path / cost.FILE).write_text(json.dumps(content(made)))
    weights = known_weights(figures, tmp_path)
    assert weights[0] == Work(runs=2, instructions=150).weight
    assert weights[1] == made.sweeps[other].weight, "cost.json has shared runs once"
    assert weights[2] is None
    assert spread[0].name == "spread/figure-3.1"
    assert known_weights(spread, tmp_path)[0] == 160 * cost.SHORT_RUN_S, "32 points, five repeats"
    (tmp_path / f"{one}.csv").write_text("status\nuser-error\n")
    assert known_weights(figures, tmp_path)[0] is None, "every run has failed"


# ---- targets ----


def test_the_targets_of_a_paper_are_its_sweeps_with_names_of_their_own(monkeypatch):
    monkeypatch.chdir(ROOT)
    paper, folder = find_paper("ALL"), results_of("ALL")
    order, everything = Order("ALL", shared=folder), parts(paper)
    figures = targets(paper, everything, order, folder, "figures")
    assert [target.name for target in figures] == [part.name for part in everything]
    assert all(target.order.out is None for target in figures), "where `symlab sweep` keeps them"
    spread = targets(paper, everything, order, folder, "spread")
    of_spread = {target.name: target.order.out for target in spread}
    assert of_spread["spread/figure-4.1"] == folder / "spread" / "figure-4.1"
    assert len(of_spread) == sum(bool(part.size("reduced")) for part in everything) > 10


def test_without_a_size_there_is_no_target_and_no_guess_is_read(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    paper, order = find_paper("ALL"), Order("ALL", simulator="none", shared=tmp_path)
    alone = parts(paper, "table-3.1")  # it has no [sweep.reduced] and no [sweep.sensitivity]
    for what in ("spread", "sensitivity"):
        assert targets(paper, alone, order, tmp_path, what) == []


@pytest.mark.parametrize(("status", "failed"), [("time-limit", False), ("guest-failure", True)])
def test_a_variant_that_livelocks_is_no_failure_of_the_sensitivity(status, failed, monkeypatch):
    monkeypatch.chdir(ROOT)
    (part,) = parts(find_paper("ALL"), "table-3.1")
    target = Target("sensitivity/x", "X", part, Order("ALL"), lambda result: None, "time-limit")
    result = SweepResult(pd.DataFrame(), failures=[("processors=20", Outcome(status))])
    assert target.failed(result) is failed


# ---- the command, with a fake simulator ----

# The fake simulator takes only keys that its config has.
KEYS = CONFIG.replace("increments = 1000", 'increments = 1000\nstart = ""') + "[run]\nseed = 1\n"
REDUCED = KEYS + '[sweep.reduced]\n"machine.processors" = 2\n'


@pytest.fixture
def small(lab: Lab) -> Lab:
    """The command, in a folder with two figures of the paper, one of which is repeated."""
    folder = lab.folder / "papers" / "ALL" / "figures"
    folder.mkdir(parents=True)
    # Both have the same points, so the second takes the runs of the first.
    (folder / "figure-4.1.toml").write_text(REDUCED)
    (folder / "figure-5.1.toml").write_text(KEYS)
    return lab


def reproduce(lab: Lab, *more: str) -> tuple[int, str]:
    return lab.symlab("paper", "ALL", *more, "--simulator", str(lab.simulator))


def test_a_complete_reproduction_makes_all_targets_and_records_what_they_cost(small):
    code, output = reproduce(small, "complete")
    assert code == 0, output
    titles = re.findall(r"^(\S.*), (\d) of 3; 0:\d\d:\d\d elapsed", output, re.MULTILINE)
    wanted = ["Spread of Figure 4.1", "Figure 4.1", "Figure 5.1"]
    assert titles == [(title, str(n)) for n, title in enumerate(wanted, 1)]
    folder = small.folder / results_of("ALL")
    assert (folder / "spread.csv").is_file() and not (folder / "sensitivity.csv").exists()
    assert "### Figure 5.1" in (small.folder / results_of("ALL") / "README.md").read_text()
    found = json.loads((folder / "cost.json").read_text())
    assert found["complete"] and found["runs"] == found["made"] == len(small.events("finish"))
    runs = {name: work["runs"] for name, work in found["sweeps"].items()}
    assert runs == {"spread/figure-4.1": 10, "figure-4.1": 6, "figure-5.1": 0}
    assert found["sweeps"]["figure-4.1"]["instructions"] == 2 * (10 + 20 + 30)
    assert f"{found['runs']} runs, {found['made']} of them made now" in output


def test_a_second_time_all_is_kept_and_fresh_makes_it_again(small):
    reproduce(small, "complete")
    runs = len(small.events("start"))
    code, output = reproduce(small, "complete")
    assert code == 0 and len(small.events("start")) == runs
    assert "cost.json is marked as not complete" in output
    cost_file = small.folder / results_of("ALL") / "cost.json"
    found = json.loads(cost_file.read_text())
    assert not found["complete"] and found["made"] == 0 and found["runs"] == runs
    code, output = reproduce(small, "complete", "--fresh")
    assert code == 0 and f"removed {runs + 6} runs" in output  # six have two names
    assert len(small.events("start")) == 2 * runs
    assert json.loads(cost_file.read_text())["complete"]


def test_the_sensitivity_is_between_the_spread_and_the_figures(small):
    config = small.folder / "papers" / "ALL" / "figures" / "figure-4.1.toml"
    config.write_text(config.read_text() + '[sweep.sensitivity]\n"machine.processors" = 1\n')
    guesses = small.folder / "papers" / "ALL" / "sensitivity.toml"
    text = CONFIG[: CONFIG.index("[sweep]")] + '[run]\nseed = 1\n[sweep]\n"run.seed" = [7, 8]\n'
    guesses.write_text(text)
    code, output = reproduce(small, "complete")
    assert code == 0, output
    found = json.loads((small.folder / results_of("ALL") / "cost.json").read_text())
    names = ["spread/figure-4.1", "sensitivity/figure-4.1", "figure-4.1", "figure-5.1"]
    assert list(found["sweeps"]) == names
    assert found["sweeps"]["sensitivity/figure-4.1"]["runs"] == 2 * 3, "two locks, three machines"
    table = pd.read_csv(small.folder / results_of("ALL") / "sensitivity.csv")
    assert set(table["setting"].dropna()) == {7, 8}
    assert "## Sensitivity" in (small.folder / results_of("ALL") / "README.md").read_text()


def test_other_modes_record_no_cost(small):
    for more in ([], ["complete", "--figure", "5.1"], ["spread"]):
        code, output = reproduce(small, *more)
        assert code == 0, output
    assert not (small.folder / results_of("ALL") / "cost.json").exists()


def test_a_paper_without_sweeps_for_the_sensitivity_is_no_error(small):
    code, output = reproduce(small, "sensitivity")
    assert code == 0, output
    assert "no sweep of ALL that was chosen has a size for sensitivity" in output
    assert not (small.folder / results_of("ALL") / "sensitivity.csv").exists()
    code, output = reproduce(small, "spread", "--figure", "5.1")
    assert code == 0 and "has a size for spread" in output


def test_a_failed_run_is_in_the_cost_which_is_not_complete(small):
    small.fail(_2_read=3)
    code, output = reproduce(small, "complete")
    assert code == 1 and "failed: spread/figure-4.1, figure-4.1, figure-5.1" in output
    found = json.loads((small.folder / results_of("ALL") / "cost.json").read_text())
    assert not found["complete"] and found["runs"] == 16


def test_fresh_needs_a_mode_that_runs_something(small):
    code, output = reproduce(small, "claims", "--fresh")
    assert code == 2 and "--fresh: claims runs nothing" in output


def test_a_log_has_the_whole_line_above_a_sweep(capsys):
    title = "Spread of " + "a long name " * 20
    _announce(title)
    assert title in capsys.readouterr().out
