# SPDX-License-Identifier: MIT
"""The figures of WKS: each claim holds, fails and is not run on made-up runs; how they are made."""

import pandas as pd
import pytest
from claim_cases import check_case, check_figure, figures_of, table
from matplotlib.figure import Figure as Canvas
from symlab.runs.one_run import Run
from symlab_papers.measures.processes import LOCKS, NAMES, OF_THE_KSR, measure
from symlab_papers.papers.WKS.figures import (
    wks_4,
    wks_5,
    wks_6,
    wks_7,
    wks_8,
    wks_contention,
    wks_order,
    wks_quantum,
    wks_serial,
    wks_symmetry,
    wks_table_1,
    wks_work,
)

FILES = {name: file for file, name in LOCKS.items()}  # the paper's name -> the guest's
LEVELS, QUANTA = (1000, 1200, 1400, 1600, 1800, 2000), (2000, 20000)

# Growth of the time of a turn from m=1 to m=2, and the time at m=1, in us.
GROWTH = {"TAS": 2.4, "TASn": 2, "Q": 12, "Qn": 11, "QH": 2, "SQ": 2, "NAT": 2.3, "NATn": 2}
ALONE = {
    "TAS": 171,
    "TASn": 172,
    "Q": 190,
    "Qn": 192,
    "QH": 189,
    "SQ": 185,
    "NAT": 166,
    "NATn": 167,
}


def a_turn(lock: str, level: int) -> float:
    return ALONE[lock] * (1 + (GROWTH[lock] - 1) * (level - 1000) / 1000)


def row(lock: str, workers: int, turn_us: float, **more) -> dict:
    turns = 1000 * workers
    return {"lock": FILES[lock], "workers": workers, "turns": turns} | {
        "elapsed_us": turn_us * turns / workers,
        **more,
    }


def levels(turn=None, section_ns=14_900) -> pd.DataFrame:
    """The sweep of Figure 4. `turn`: lock -> time by level, other than `a_turn`."""
    others = turn or {}

    def run(level: int, lock: str) -> dict:
        time = others[lock](level) if lock in others else a_turn(lock, level)
        measured = {"section_ns": section_ns, "outside_ns": 150_400}
        configured = {"multiprogramming": level, "background": round(7 * (level - 1000) / 1000)}
        return row(lock, 7, time, **configured, **measured)

    return table(run, LEVELS, NAMES)


def processors(turn=None) -> pd.DataFrame:
    """The sweep of Figure 6. `turn`: lock -> time by number of processors."""
    slopes = {"TAS": 20, "Q": 1500, "Qn": 1400, "NAT": 18}
    others = turn or {}

    def run(workers: int, lock: str) -> dict:
        time = 2 * ALONE[lock] + slopes.get(lock, 1) * (workers - 1)
        return row(lock, workers, others[lock](workers) if lock in others else time)

    return table(run, range(1, 8), NAMES)


# The time of a turn on the KSR1 by level, in us.
TASN_OF_THE_KSR = dict(zip(LEVELS, (400, 350, 300, 320, 340, 360), strict=True))
OF_THE_KSR_BY_LEVEL = {
    "TAS": lambda m: m / 2,
    "TASn": TASN_OF_THE_KSR.get,
    "Q": lambda m: 250 + 3 * (m - 1000),
    "Qn": lambda m: 260 + 3 * (m - 1000),
    "QH": lambda m: 230 + 0.2 * (m - 1000),
    "SQ": lambda m: 200 + 0.17 * (m - 1000),
    "NAT": lambda m: 150 + 0.2 * (m - 1000),
    "NATn": lambda m: 140 + 0.15 * (m - 1000),
}


def ksr_levels(turn=None) -> pd.DataFrame:
    """The sweep of Figure 5. `turn`: lock -> time by level, other than above."""
    return levels(turn=OF_THE_KSR_BY_LEVEL | (turn or {}))


def ksr_processors(turn=None) -> pd.DataFrame:
    """The sweep of Figure 7. `turn`: lock -> time by number of processors."""
    slopes = {"TASn": (300, 20), "SQ": (400, 2), "NAT": (210, 1), "NATn": (200, 1)}
    others = turn or {}

    def run(workers: int, lock: str) -> dict:
        alone, slope = slopes.get(lock, (500, 30))
        time = others[lock](workers) if lock in others else alone + slope * workers
        return row(lock, workers, time)

    return table(run, (1, 2, 4, 8, 16, 24, 31), NAMES)


def programs(turn=None) -> pd.DataFrame:
    seconds = {
        "TAS": 2.2,
        "TASn": 2.0,
        "Q": 9,
        "Qn": 8,
        "QH": 2.1,
        "SQ": 1.5,
        "NAT": 1.9,
        "NATn": 1.4,
    }
    chosen = seconds | (turn or {})
    return table(
        lambda program, lock: row(lock, 7, 1e6 * chosen[lock], program=program),
        ("cholesky", "quicksort"), NAMES,
    )  # fmt: skip


def order(earlier=None) -> pd.DataFrame:
    shares = {"Q": 0, "QH": 20, "SQ": 20} | (earlier or {})
    return table(
        lambda level, lock: row(lock, 7, 170, multiprogramming=level, waiting=1000)
        | {"earlier": shares.get(lock, 300) if level > 1000 else 0},
        (1000, 1400, 2000), NAMES,
    )  # fmt: skip


def contention(growth=None) -> pd.DataFrame:
    growths = {"xchgb": 0.3, "read": 0.1, "mcs": 0.001} | (growth or {})
    return table(
        lambda p, lock: {"processors": p, "lock": lock, "turns_done": 100}
        | {"elapsed_us": 100 * 18 * (1 + growths[lock] * (p - 1))},
        range(1, 9), growths,
    )  # fmt: skip


def serial(held=0.64, rates=None) -> pd.DataFrame:
    """`rates`: turns a millisecond by number of processors."""
    by_workers = {7: 40, 11: 60, 14: 62, 17: 62, 20: 62} | (rates or {})

    def run(workers: int, lock: str) -> dict:
        one = row(lock, workers, 1000 * workers / by_workers[workers])
        return one | {"held_us": (held if workers == 7 else 0.9) * one["elapsed_us"]}

    return table(run, by_workers, ("TASn", "Q", "SQ"))


# By outside_us, for m = 1, 1.4 and 2: the printed seconds, and those of work.
SECONDS = {40: (49.3, 46.0, 36.3), 165: (41.7, 38.2, 30.2), 295: (34.5, 30.4, 44.0)}
WORK = {40: (2.8, 2.8, 2.8), 165: (10, 10, 10), 295: (19, 19, 18.9)}
RELEASE = (0.02, 0.055, 0.03)


def breakdown(seconds=None, work=None, section_s=0.6, release=RELEASE, preempted=0) -> pd.DataFrame:
    """The sweep of Table 1. `seconds`, `work`: other cells. `preempted`: share that is added."""
    elapsed, worked = SECONDS | (seconds or {}), WORK | (work or {})

    def run(outside: int, level: int) -> dict:
        at = (1000, 1400, 2000).index(level)
        all_s = elapsed[outside][at]
        own = {"work": worked[outside][at], "section": section_s, "kernel": 0.005 * all_s}
        own |= {"release": release[at] * all_s, "ready": 0.01 * all_s if at else 0.0}
        own["preempted"] = ((level - 1000) / 2000 + preempted) * all_s - own["ready"]
        own["acquire"] = all_s - sum(own.values())
        columns = {f"workers_{state}_us": 20e6 * of_s for state, of_s in own.items()}
        one = {"lock": "read-no-preempt", "workers": 20, "elapsed_us": 1e6 * all_s}
        return one | {"outside_us": outside, "multiprogramming": level} | columns

    return table(run, SECONDS, (1000, 1400, 2000))


def rising(slope: float):
    return lambda level: 100 + slope * (level - 1000)


# Figure, claim, function that makes the runs, arguments with which the claim fails, a row without
# which it is not run, and what the verdict then names.
CASES = [
    (wks_4, "wks_01", levels, {"section_ns": 18_000}, {"lock": "native"}, "NAT"),
    (wks_4, "wks_02", levels, {"turn": {"SQ": lambda m: 200 + 100 * (m == 1600)}},
     {"lock": "smart-q"}, "SQ"),
    (wks_4, "wks_03", levels, {"turn": {"Q": rising(0.1)}}, {"lock": "queued"}, "Q at"),
    (wks_4, "wks_04", levels, {"turn": {"Qn": rising(3)}}, {"lock": "queued"}, "Q at"),
    (wks_4, "wks_04", levels, {"turn": {"Qn": rising(1)}}, {"lock": "queued"}, "Q at"),
    (wks_4, "wks_05", levels, {"turn": {"QH": rising(3)}}, {"lock": "smart-q"}, "SQ at"),
    (wks_4, "wks_06", levels, {"turn": {"SQ": rising(1)}}, {"multiprogramming": 1600}, "1600"),
    (wks_4, "wks_07", levels, {"turn": {"TASn": rising(0.4)}}, {"multiprogramming": 1000}, "1000"),
    (wks_4, "wks_08", levels, {"turn": {"TAS": rising(0)}}, {"multiprogramming": 1200}, "1200"),
    (wks_4, "wks_09", levels, {"turn": {"NAT": rising(0)}}, {"lock": "native"}, "NAT at"),
    (wks_5, "wks_10", ksr_levels, {"turn": {"Q": lambda m: 250}}, {"lock": "queued"}, "Q at"),
    (wks_5, "wks_11", ksr_levels, {"turn": {"QH": lambda m: 5000}}, {"lock": "smart-q"}, "SQ at"),
    (wks_5, "wks_12", ksr_levels, {"turn": {"TAS": lambda m: 150}},
     {"multiprogramming": 1600}, "1600"),
    (wks_5, "wks_13", ksr_levels, {"turn": {"SQ": lambda m: 100}}, {"lock": "native"}, "NAT at"),
    (wks_5, "wks_14", ksr_levels, {"turn": {"TASn": rising(1)}},
     {"multiprogramming": 1400}, "1400"),
    (wks_5, "wks_15", ksr_levels, {"turn": {"TASn": lambda m: 3000 - m}},
     {"multiprogramming": 2000}, "2000"),
    (wks_5, "wks_16", ksr_levels, {"turn": {"SQ": lambda m: 100}}, {"lock": "smart-q"}, "SQ at"),
    (wks_6, "wks_24", processors, {"turn": {"Qn": lambda p: 300}}, {"workers": 7}, "Q at P=7"),
    (wks_6, "wks_25", processors, {"turn": {"NAT": lambda p: 300}}, {"workers": 2}, "TAS at P=2"),
    (wks_6, "wks_26", processors, {"turn": {"SQ": lambda p: 400 + 50 * p}}, {"workers": 3}, "P=3"),
    (wks_6, "wks_26", processors, {"turn": {"SQ": lambda p: 340}}, {"workers": 7}, "P=7"),
    (wks_7, "wks_27", ksr_processors, {"turn": {"SQ": lambda p: 2000}}, {"workers": 31}, "P=31"),
    (wks_7, "wks_27", ksr_processors, {"turn": {"SQ": lambda p: 100}}, {"workers": 2}, "P=2"),
    (wks_7, "wks_28", ksr_processors, {"turn": {"NAT": lambda p: 5000}},
     {"lock": "native-no-preempt"}, "NATn at"),
    (wks_8, "wks_29", programs, {"turn": {"QH": 1.3}}, {"program": "quicksort"}, "quicksort=0"),
    (wks_8.FIGURES["ksr"], "wks_29", programs, {"turn": {"NAT": 1.3}}, {"lock": "native"},
     "NAT at"),
    (wks_order, "wks_30", order, {"earlier": {"SQ": 0}}, {"lock": "smart-q"}, "SQ at"),
    (wks_contention, "wks_31", contention, {"growth": {"read": 0}}, {"processors": 8}, "P=8"),
    (wks_contention, "wks_31", contention, {"growth": {"mcs": 0.1}}, {"lock": "mcs"}, "mcs"),
    (wks_serial, "wks_32", serial, {"held": 0.4}, {"workers": 14}, "P=14"),
    (wks_serial, "wks_32", serial, {"rates": {20: 90}}, {"workers": 20}, "P=20"),
    (wks_table_1, "wks_17", breakdown, {"seconds": {40: (49, 50, 36)}},
     {"outside_us": 295}, "120"),
    (wks_table_1, "wks_17", breakdown, {"seconds": {295: (34, 40, 44)}},
     {"outside_us": 40}, "16.7"),
    (wks_table_1, "wks_18", breakdown, {"work": {165: (30, 10, 10)}},
     {"outside_us": 165}, "66.7"),
    (wks_table_1, "wks_19", breakdown, {"section_s": 2.0}, {"outside_us": 40}, "16.7"),
    (wks_table_1, "wks_20", breakdown, {"preempted": 0.05}, {"multiprogramming": 2000}, "2000"),
    (wks_table_1, "wks_21", breakdown, {"release": (0.06, 0.05, 0.03)},
     {"multiprogramming": 1400}, "1400"),
    (wks_table_1, "wks_22", breakdown, {"work": {165: (10, 10, 12)}},
     {"outside_us": 165}, "66.7"),
    (wks_table_1, "wks_23", breakdown, {"work": {40: (2.8, 2.8, 2.43)}},
     {"outside_us": 40}, "16.7"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    check_case(case)


def test_every_claim_of_the_paper_has_a_case_and_each_figure_draws_something():
    for figure, runs in [*figures_of(CASES), (wks_quantum.FIGURE, quanta)]:
        check_figure(figure, runs, CASES)
    check_figure(wks_work.FIGURE, work, CASES)
    check_figure(wks_5.FIGURES["interrupts"], interrupts, CASES)


def work() -> pd.DataFrame:
    """The sweep of section 4.2, work."""
    return table(
        lambda us, level, lock: row(lock, 31, us * level, outside_us=us, multiprogramming=level),
        (250, 1000, 1800), (1000, 1400, 2000), ("TASn", "Q", "SQ", "NATn"),
    )  # fmt: skip


def interrupts() -> pd.DataFrame:
    return ksr_levels().assign(lock="sub-page-interruptible")


def test_the_effect_of_the_work_is_drawn_without_background_processes():
    ax = Canvas().add_subplot()
    wks_work.draw(ax, wks_work.series(work()))
    assert [list(line.get_ydata()) for line in ax.get_lines()] == 4 * [[250e3, 1000e3, 1800e3]]


def quanta() -> pd.DataFrame:
    return table(lambda us, lock: row(lock, 7, 300, quantum_us=us), QUANTA, NAMES)


def with_variants(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs as those of Model B with the kernel; other variants take three times as long."""
    variants = [("write-back", "local"), ("write-through", "local"), ("write-back", "signals")]
    each = [runs.assign(protocol=protocol, kernel=kernel) for protocol, kernel in variants]
    for other in each[1:]:
        other["elapsed_us"] *= 3
    return pd.concat(each)


def test_without_any_finished_run_nothing_is_judged():
    failed = with_variants(levels()).assign(status="deadlock").drop(columns="elapsed_us")
    assert {verdict.state for verdict in wks_4.FIGURE.judge(failed)} == {"not run"}


def test_of_several_machines_and_harnesses_one_is_drawn_and_judged():
    data = wks_4.series(with_variants(levels()))
    assert list(data.columns[:4]) == ["protocol", "kernel", "lock", "multiprogramming"]
    assert len(data) == 3 * len(LEVELS) * len(NAMES)
    alone = wks_4.FIGURE.judge(levels())
    assert wks_4.FIGURE.judge_data(data) == alone
    ax = Canvas().add_subplot()
    wks_4.draw(ax, data)
    times = {line.get_label(): line.get_ydata()[0] for line in ax.get_lines()}
    assert times == pytest.approx({name: ALONE[name] for name in NAMES})


def test_the_share_of_the_kernel_is_not_taken_for_the_kernel_that_runs():
    data = wks_table_1.series(with_variants(breakdown()))
    assert set(data["kernel"]) == {"local", "signals"}
    verdicts = wks_table_1.FIGURE.judge_data(data)
    assert {verdict.state for verdict in verdicts} == {"holds"}


def test_a_lock_that_does_not_show_its_release_is_not_judged_on_it():
    hidden = breakdown(release=(0, 0, 0))
    states = {verdict.id: verdict.state for verdict in wks_table_1.FIGURE.judge(hidden)}
    assert states.pop("WKS-21") == "not run"
    assert set(states.values()) == {"holds"}


def test_the_same_figures_of_a_symmetry_judge_nothing():
    assert {name: figure.claims for name, figure in wks_symmetry.FIGURES.items()} == {
        "4": (), "6": (), "8": (), "quantum": (),
    }  # fmt: skip


def test_the_native_locks_of_the_ksr1_have_the_names_of_the_iris_ones():
    ksr = {FILES[name]: file for file, name in OF_THE_KSR.items()}
    runs = ksr_levels()
    pd.testing.assert_frame_equal(
        wks_5.series(runs.assign(lock=runs["lock"].replace(ksr))), wks_5.series(runs)
    )


def test_a_lock_with_compare_and_swap_in_hardware_is_another_curve():
    runs = pd.concat([levels().assign(isa=isa) for isa in ("i386", "i486")])
    names = set(wks_4.FIGURES["cas"].series(runs)["lock"])
    assert {"SQ", "SQ, cmpxchg"} <= names and len(names) == 2 * len(NAMES)


def test_a_later_lock_is_drawn_under_its_own_name():
    runs = pd.concat([levels(), levels().assign(lock="clh-time-published")])
    assert "clh-time-published" in set(wks_4.series(runs)["lock"])
    assert wks_4.FIGURE.judge(runs)[0].state == "holds"


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
