# SPDX-License-Identifier: MIT
"""The figures of WKS: names of locks, variants of the machine, where a worker's time goes."""

import pandas as pd
import pytest
from claim_cases import table
from matplotlib.figure import Figure as Canvas
from symlab.runs.one_run import Run
from symlab_papers.finding import found
from symlab_papers.measures.processes import LOCKS, NAMES, OF_THE_KSR, measure

FILES = {name: file for file, name in LOCKS.items()}  # the paper's name -> the guest's
LEVELS = (1000, 1200, 1400, 1600, 1800, 2000)
FIGURE_4 = found("wks-4")


def levels() -> pd.DataFrame:
    """The sweep of Figure 4, in which a turn takes as many us as the level has thousandths."""
    return table(
        lambda level, lock: {
            "lock": FILES[lock], "workers": 7, "turns": 7000, "elapsed_us": 1000 * level,
            "multiprogramming": level, "background": level - 1000, "section_ns": 14_900,
            "outside_ns": 150_400,
        },
        LEVELS, NAMES,
    )  # fmt: skip


def with_variants(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs as those of Model B with the kernel; other variants take three times as long."""
    variants = [("write-back", "local"), ("write-through", "local"), ("write-back", "signals")]
    each = [runs.assign(protocol=protocol, kernel=kernel) for protocol, kernel in variants]
    for other in each[1:]:
        other["elapsed_us"] *= 3
    return pd.concat(each)


def test_without_any_finished_run_nothing_is_judged():
    failed = with_variants(levels()).assign(status="deadlock").drop(columns="elapsed_us")
    assert {verdict.state for verdict in FIGURE_4.judge(failed)} == {"not run"}


def test_of_several_machines_and_harnesses_one_is_drawn_and_judged():
    data = FIGURE_4.series(with_variants(levels()))
    assert list(data.columns[:4]) == ["protocol", "kernel", "lock", "multiprogramming"]
    assert len(data) == 3 * len(LEVELS) * len(NAMES)
    assert FIGURE_4.judge_data(data) == FIGURE_4.judge(levels())
    ax = Canvas().add_subplot()
    FIGURE_4.draw(ax, data)
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert set(lines) == set(NAMES)
    assert list(lines["SQ"].get_ydata()) == list(LEVELS)
    assert list(lines["SQ"].get_xdata()) == pytest.approx([m / 1000 for m in LEVELS])


@pytest.mark.parametrize("name", ["wks-symmetry-4", "wks-fast-8", "wks-4-later"])
def test_the_same_figures_of_other_machines_judge_nothing(name):
    assert found(name).claims == () and found(name).caption


def test_the_native_locks_of_the_ksr1_have_the_names_of_the_iris_ones():
    ksr = {FILES[name]: file for file, name in OF_THE_KSR.items()}
    runs = levels()
    of_the_ksr = runs.assign(lock=runs["lock"].replace(ksr))
    pd.testing.assert_frame_equal(FIGURE_4.series(of_the_ksr), FIGURE_4.series(runs))


def test_a_lock_with_compare_and_swap_in_hardware_is_another_curve():
    runs = pd.concat([levels().assign(isa=isa) for isa in ("i386", "i486")])
    names = set(found("wks-4-cas").series(runs)["lock"])
    assert {"SQ", "SQ, cmpxchg"} <= names and len(names) == 2 * len(NAMES)


def test_a_later_lock_is_drawn_under_its_own_name():
    runs = pd.concat([levels(), levels().assign(lock="clh-time-published")])
    assert "clh-time-published" in set(FIGURE_4.series(runs)["lock"])


def test_the_times_are_those_of_the_workers_alone(tmp_path):
    states = ["work", "acquire", "section", "release", "kernel", "preempted", "ready", "blocked"]
    ended_us = [None, 99.0, 98.0, None]
    rows = [[n, ended_us[n], *(10 * n + state for state in range(8))] for n in range(4)]
    columns = ["process", "ended_us", *(f"{state}_us" for state in states)]
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "processes.csv", index=False)
    locks = [{"name": "turns_lock", "hold_us": 5.5}, {"name": "other", "hold_us": 7}]
    found = measure(Run(tmp_path, {"locks": locks}))
    assert found["workers_work_us"] == 10 + 20, "neither main nor the background process"
    assert found["workers_ready_us"] == 16 + 26
    assert found["held_us"] == 5.5
