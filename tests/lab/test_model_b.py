# SPDX-License-Identifier: MIT
"""The tables of a Model B: the ideal machine, overhead per turn, and the files of results."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure as Canvas
from symlab.errors import UserError
from symlab.plot import styles
from symlab.plot.figure import Figure, find_figure
from symlab.runs import grid
from symlab.runs.sweeping import Order, run_sweep
from symlab_papers.figures import model_b
from symlab_papers.measures.ideal import Turns, ideal_ps, random_seed, xorshift

CONFIGS = Path(__file__).resolve().parents[2] / "configs" / "figures" / "model-b"


def work(**given: int) -> Turns:
    default = {"processors": 1, "turns": 1, "rounds": 1, "section_ps": 2_000_000}
    default |= {"section_moved_ps": 5_000_000, "pause_least_ps": 1_000_000}
    return Turns(**{**default, "pause_step_ps": 600_000, "pause_steps": 0, "seed": 1, **given})


def test_the_random_numbers_are_those_of_the_guest():
    assert xorshift(random_seed(1, 0)) == 3529842933  # tests/guest/random.expect


def test_with_one_processor_sections_and_pauses_add_up():
    x, pauses = xorshift(xorshift(random_seed(7, 0))), []
    for _ in range(5):
        x = xorshift(x)
        pauses.append(1_000_000 + (x * 40 >> 32) * 600_000)
    assert len(set(pauses)) > 1
    assert ideal_ps(work(turns=5, pause_steps=40, seed=7)) == 5 * 2_000_000 + sum(pauses)


def test_simultaneous_arrivals_are_served_in_order_and_each_moves_the_data():
    one = ideal_ps(work(processors=3, turns=3))
    assert one == 3 * 5_000_000 + 1_000_000
    assert ideal_ps(work(processors=3, turns=3, rounds=4)) == 4 * one
    # 5 turns on 3 processors: 2, 2 and 1
    assert ideal_ps(work(processors=3, turns=5)) == 5 * 5_000_000 + 1_000_000


def test_data_move_whenever_the_owner_changes_and_a_free_lock_costs_no_wait():
    # Processor 0 asks again 9 us after its first section, when the lock has been free for 4 us.
    alone = work(processors=2, turns=4, pause_least_ps=9_000_000)
    assert ideal_ps(alone) == 5_000_000 + 9_000_000 + 5_000_000 + 5_000_000 + 9_000_000
    # Processor 0 has two turns and processor 1 has one; they alternate.
    assert ideal_ps(work(processors=2, turns=3)) == 3 * 5_000_000 + 1_000_000
    assert ideal_ps(work(processors=1, turns=3)) == 3 * 3_000_000


def runs(**columns) -> pd.DataFrame:
    row = {
        "processors": 1,
        "lock": "read",
        "rounds": 2,
        "turns_done": 6,
        "elapsed_us": 50,
        "start_ps": 4_000_000,
        "section_ps": 2_003_000,
        "section_moved_ps": 2_003_000,
        "pause_least_ps": 1_000_000,
        "pause_step_ps": 600_000,
        "pause_steps": 0,
        "seed": 1,
        "status": "finished",
    }
    return pd.DataFrame([{**row, **columns}])


def test_overhead_is_the_time_of_a_turn_minus_the_ideal_time():
    data = model_b.of_turns(runs(), with_ideal=True)
    assert list(data.columns) == model_b.COLUMNS
    assert data.to_dict("records") == [
        {
            "processors": 1,
            "scheme": scheme,
            "section_us": 2.0,
            "elapsed_us_per_turn": elapsed,
            "overhead_us_per_turn": overhead,
        }
        for scheme, elapsed, overhead in (("ideal", 3.0, 0.0), ("read", 7.0, 4.0))
    ]


def test_other_seeds_are_averaged_and_failed_runs_left_out():
    both = pd.concat([runs(), runs(elapsed_us=62), runs(status="deadlock", elapsed_us=900)])
    data = model_b.of_turns(both)
    assert list(data["scheme"]) == ["read"]
    assert data["elapsed_us_per_turn"].iloc[0] == pytest.approx(8.0)
    assert len(model_b.of_turns(runs(status="deadlock"))) == 0
    with pytest.raises(UserError, match="no column start_ps"):
        model_b.of_turns(runs().drop(columns="start_ps"))


def test_the_whole_episode_of_a_barrier_is_overhead():
    table = pd.DataFrame(
        {"processors": [4], "barrier": ["counter"], "elapsed_us": [500], "episodes": [100]}
    ).assign(status="finished")
    row = model_b.barriers(table).iloc[0]
    assert (row.scheme, row.section_us) == ("counter", 0.0)
    assert row.elapsed_us_per_turn == row.overhead_us_per_turn == 5.0


def test_each_scheme_has_a_curve_the_longer_section_pale_and_no_zeros():
    table = pd.concat([runs(), runs(lock="other"), runs(section_ps=6_000_000)])
    ax = Canvas().add_subplot()
    model_b.draw(ax, model_b.of_turns(table, with_ideal=True), "overhead_us_per_turn", "us")
    shown = [(line.get_label(), line.get_linestyle()) for line in ax.get_lines()]
    assert shown[0] == ("TTAS (read)", "--")
    assert shown[1] == ("_", "--") and ax.get_lines()[1].get_alpha() == 0.5
    assert [label for label, _ in shown[2:]] == ["other"]


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.stem)
def test_each_config_has_its_figure_18_processors_and_styles(path: Path):
    file = grid.load(path)
    assert file.group == "model-b"
    assert file.figure == f"model-b-{path.stem}"
    figure = find_figure(file.figure, [])
    assert figure.tidy
    axes = {axis.keys[0]: axis.steps for axis in file.axes}
    assert len(axes["machine.processors"]) == 18
    schemes = [steps for key, steps in axes.items() if key.endswith((".lock", ".barrier"))]
    assert all(name in styles.STYLES for steps in schemes for (name,) in steps)


def test_a_group_shares_a_results_folder_with_tidy_data_named_after_the_config(
    lab, tmp_path, monkeypatch
):
    def counted(table: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"rows": [len(table)]})

    figure = Figure(counted, lambda ax, data: None, tidy=True)
    monkeypatch.setattr("symlab.runs.sweeping.find_figure", lambda name, keys, look: figure)
    config = tmp_path / "figures" / "several" / "mine.toml"
    config.parent.mkdir(parents=True)
    shutil.copy(lab.config, config)
    monkeypatch.chdir(tmp_path)
    result = run_sweep(Order(config, simulator=lab.simulator))
    assert not result.problems
    folder = tmp_path / "results" / "several"
    assert (folder / "mine.csv").read_text() == "rows\n6\n"
    assert len(pd.read_csv(folder / "mine-runs.csv")) == 6
    assert len(list((folder / "mine" / "runs").iterdir())) == 6
    assert {path.parent for path in result.files} == {Path("results/several")}
