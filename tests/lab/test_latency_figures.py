# SPDX-License-Identifier: MIT
"""Figures of ALL sections 3.5 to 3.7: each claim holds, fails and is not run on made-up runs."""

from fractions import Fraction
from itertools import product

import pandas as pd
import pytest
from claim_cases import check_case, check_figure, claim_of, figures_of, table
from matplotlib.figure import Figure as Canvas
from search_means import arrival, both, expected
from symlab_papers.measures import latency
from symlab_papers.measures.searching import equation
from symlab_papers.names import STRATEGIES
from symlab_papers.papers.ALL.figures import all_3_4, all_3_5

WARM, EVENTS = 100, 500
CREATE_US = 20.0

# Strategy -> cost of a thread (us) by number of runnable threads.
COSTS = {
    "local-freelist": lambda n: 60.0 - n if n < 18 else 48.0,
    "idle-queue": lambda n: 35.0 if n < 18 else 51.0,
    "local-readyq-random": lambda n: 40.0 + 4 * float(equation(abs(n - 18) or 1, 18)),
}


def latency_row(n, processors, times, events, cost_us, management_us):
    """A run whose events after the first WARM ones cost `cost_us` each; the first ones differ."""
    counted = events - WARM
    idle = n < processors
    start_us = cost_us if idle else 300.0
    finish_us = 5000.0 if idle else cost_us - CREATE_US
    row = {
        "runnable": n,
        "processors": processors,
        "times": times,
        "events": events,
        "warm": WARM,
        "watch_create_us": 7000 + CREATE_US * counted,
        "watch_made_us": 9000 + 700.0 * counted,
        "watch_started_us": 8000 + (700.0 - start_us) * counted,
        "watch_finish_us": 5000 + finish_us * counted,
        "package_attempts": 300 + 2 * counted,
        "package_wait_us": 100.0 + 4 * counted,
        "idle_us": 1e6 * events,
        "threads_us": 500 + management_us * counted,
        "critical_us": 50.0,
        "spin_us": 5.0,
    }
    if times == "stamps":
        row |= {"create_us": 21 * counted, "finish_us": (cost_us - 20) * counted}
        row |= {"start_us": (cost_us + 1) * counted} if idle else {}
    return row


def latency_runs(management=lambda n: 45.0, **doctored) -> pd.DataFrame:
    """Made-up runs. `doctored`: strategy, with underscores -> its cost by n."""
    costs = COSTS | {name.replace("_", "-"): curve for name, curve in doctored.items()}

    def row(n, strategy, times, events):
        cost_us = costs[strategy](n)
        return latency_row(n, 18, times, events, cost_us, management(n)) | {"strategy": strategy}

    return table(row, range(1, 55), COSTS, ("probes", "stamps"), (WARM, EVENTS))


def null_runs(cost=lambda strategy, n: 50.0) -> pd.DataFrame:
    def row(processors, n, program, events):
        strategy = program.removeprefix("null_threads-").removeprefix("thread_latency-")
        if program.startswith("null"):
            measured = {"us_per_thread": 50.0 if processors == 1 else 9.0}
            given = {"processors": processors, "runnable": n, "events": events}
            return given | measured | {"image": program}
        cost_us = cost(strategy.removesuffix("-probes"), n) if processors == 18 else 10.0
        run = latency_row(n, processors, "probes", events, cost_us, 45.0)
        return run | {"image": program}

    programs = [f"null_threads-{name}" for name in STRATEGIES]
    programs += [f"thread_latency-{name}-probes" for name in STRATEGIES]
    runs = table(row, (1, 18), (30, 36, 42, 48, 54), programs, (WARM, EVENTS))
    return runs.drop(columns="times")


def queue_runs(height=lambda q: 2.0 * q) -> pd.DataFrame:
    def row(q, n, events):
        cost_us = 40.0 + (height(q) if n == q else 0.0)
        run = latency_row(n, q, "probes", events, cost_us, 45.0)
        return run | {"strategy": "local-readyq-random"}

    return table(row, (6, 12, 18), range(1, 55), (WARM, EVENTS))


def idle_runs(attempts=None) -> pd.DataFrame:
    def row(strategy, rest_us):
        more = (attempts or {}).get(strategy, 0) if rest_us > 10000 else 0
        given = {"strategy": strategy, "rest_us": rest_us, "idle_us": 17.0 * rest_us}
        return given | {"package_attempts": 300 + more}

    return table(row, all_3_4.SEARCHING, (10000, 60000))


def search_runs(factor=None) -> pd.DataFrame:
    """Made-up runs. `factor`: n -> factor for the number of queues counted."""

    def row(n):
        searching = max(18 - n, 1)
        counted = float(equation(abs(n - 18), 18)) * (factor or {}).get(n, 1.0)
        return {
            "runnable": n,
            "ready": max(n - 18, 1),
            "searching": searching,
            "rounds": 100,
            "examined": 100 * (counted + 18 * (searching - 1)),
        }

    return table(row, [n for n in range(1, 55) if n != 18])


def scan_runs(arriving=None, joint=None) -> pd.DataFrame:
    """Made-up runs. `arriving`, `joint`: queues counted by number of threads, if one arrives and if
    two search."""
    one = arriving or (lambda r: float(arrival(r, 18, 3)))
    two = joint or (lambda r: float(expected(r, 18) + expected(r - 1, 18)))

    def row(r, searchers, arrives):
        count = two(r) if searchers == 2 else one(r) if arrives else float(expected(r, 18))
        given = {"threads": r, "searchers": searchers, "arriving": arrives, "rounds": 100}
        return given | {"examined": 100 * count}

    return table(row, range(1, 11), (1, 2), (0, 1))


def unlocked_runs(times: float = 2.0) -> pd.DataFrame:
    def row(processors, strategy):
        lives = times if strategy == "unlocked-queues" else 1.0
        given = {"processors": processors, "strategy": strategy, "us": 1000}
        return given | {"elapsed_us": 1000 * lives}

    return table(row, (2, 6, 12, 18), ("local-freelist", "unlocked-queues"))


def but(name: str, n: int, factor: float):
    """The curve of a strategy, with another value at n."""
    return lambda at: COSTS[name](at) * (factor if at == n else 1.0)


NULL, QUEUES, IDLE = (all_3_4.FIGURES[name] for name in ("null", "queues", "idle"))
SCANS, UNLOCKED = (all_3_5.FIGURES[name] for name in ("scans", "unlocked"))
CASES = [
    # see claim_cases.check_case
    (
        all_3_4,
        "all_27",
        latency_runs,
        {"local_freelist": lambda n: 48.0},
        {"runnable": 17},
        "local-freelist at n=17",
    ),
    (
        all_3_4,
        "all_28",
        latency_runs,
        {"idle_queue": but("idle-queue", 16, 1.5)},
        {"runnable": 2},
        "n=2",
    ),
    (
        all_3_4,
        "all_29",
        latency_runs,
        {"local_freelist": but("local-freelist", 54, 1.1)},
        {"strategy": "idle-queue"},
        "idle-queue at n=20",
    ),
    (
        all_3_4,
        "all_30",
        latency_runs,
        {"local_freelist": lambda n: 30.0 + n},
        {"runnable": 14},
        "n=14",
    ),
    (
        all_3_4,
        "all_31",
        latency_runs,
        {"local_readyq_random": but("local-readyq-random", 15, 3.0)},
        {"runnable": 40},
        "n=40",
    ),
    (
        all_3_4,
        "all_31",
        latency_runs,
        {"local_readyq_random": but("local-readyq-random", 36, 1.5)},
        {"strategy": "local-readyq-random"},
        "local-readyq-random at n=1",
    ),
    (
        all_3_4,
        "all_35",
        latency_runs,
        {"local_readyq_random": lambda n: 40.0 + n},
        {"runnable": 17},
        "n=17",
    ),
    (
        NULL,
        "all_26",
        null_runs,
        {"cost": lambda strategy, n: 58.0 if (strategy, n) == ("idle-queue", 36) else 50.0},
        {"runnable": 54},
        "n=54",
    ),
    (
        NULL,
        "all_26",
        null_runs,
        {"cost": lambda strategy, n: 42.0},
        {"image": "thread_latency-single-lock-probes"},
        "single-lock at n=30",
    ),
    (QUEUES, "all_38", queue_runs, {"height": lambda q: q**4}, {"processors": 12}, "q=12"),
    (QUEUES, "all_38", queue_runs, {"height": lambda q: 40 - q}, {"runnable": 7}, "n=7"),
    (
        IDLE,
        "all_79",
        idle_runs,
        {"attempts": {"local-readyq": 1}},
        {"strategy": "idle-queue"},
        "idle-queue",
    ),
    (all_3_5, "all_32", search_runs, {"factor": {19: 1.06}}, {"runnable": 19}, "n=19"),
    (all_3_5, "all_33", search_runs, {"factor": {25: 0.94}}, {"runnable": 28}, "n=28"),
    (all_3_5, "all_34", search_runs, {"factor": {17: 0.94}}, {"runnable": 36}, "n=36"),
    (
        SCANS,
        "all_36",
        scan_runs,
        {"arriving": lambda r: 1.05 * float(equation(r, 18))},
        {"threads": 4},
        "r=4",
    ),
    (
        SCANS,
        "all_36",
        scan_runs,
        {"arriving": lambda r: 0.95 * float(equation(r + 1, 18))},
        {"arriving": 1},
        "r=1",
    ),
    (
        SCANS,
        "all_37",
        scan_runs,
        {"joint": lambda r: 2.2 * float(equation(r, 18))},
        {"searchers": 2},
        "r=2",
    ),
    (UNLOCKED, "all_40", unlocked_runs, {"times": 1.94}, {"processors": 2}, "P=2"),
    (
        UNLOCKED,
        "all_40",
        unlocked_runs,
        {"times": 2.06},
        {"strategy": "unlocked-queues"},
        "unlocked-queues at",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    check_case(case)


@pytest.mark.parametrize(("figure", "runs"), figures_of(CASES))
def test_every_claim_has_a_case_and_every_figure_draws(figure, runs):
    check_figure(figure, runs, CASES)


def test_the_cost_of_reading_the_clock_is_drawn():
    ax = Canvas().add_subplot()
    figure = all_3_4.FIGURES["stamps"]
    figure.draw(ax, figure.series(latency_runs()))
    lines = {tuple(line.get_ydata().round(6)) for line in ax.get_lines()}
    assert lines == {(1.0,) * 54}


def test_a_wrong_equation_makes_the_claim_fail(monkeypatch):
    monkeypatch.setattr(all_3_5, "equation", lambda r, q: equation(r, q) + Fraction(1, 500))
    verdict = claim_of(all_3_5, "ALL-33")(all_3_5.series(search_runs()))
    assert verdict.state == "fails" and "Equation 3.1 against derived" in verdict.note


def test_costs_exclude_the_warm_up_and_depend_on_whether_processors_idle():
    data = latency.costs(latency_runs()).set_index(["strategy", "runnable"])
    below, above = data.loc[("idle-queue", 5)], data.loc[("idle-queue", 30)]
    assert (below.start_us, below.cost_us, below.stamps_cost_us) == pytest.approx((35, 35, 36))
    assert pd.isna(below.finish_us) and pd.isna(above.start_us)
    assert (above.create_us, above.finish_us, above.cost_us) == pytest.approx((20, 31, 51))
    assert (above.stamps_more_us, above.management_us, above.attempts) == pytest.approx((1, 45, 2))


# ---- exact means of the search ----


def enumerated(r: int, q: int) -> Fraction:
    """Mean number of queues examined from queue 0 on, over all placements of r threads."""
    placings = product(range(q), repeat=r)
    return Fraction(sum(min(places) + 1 for places in placings), q**r)


@pytest.mark.parametrize(("r", "q"), [(1, 1), (1, 7), (2, 6), (3, 5), (4, 5), (5, 4), (7, 3)])
def test_both_formulas_agree_with_enumeration(r, q):
    assert equation(r, q) == expected(r, q) == enumerated(r, q)


def test_both_formulas_agree_for_18_queues():
    assert all(equation(r, 18) == expected(r, 18) for r in range(1, 37))


@pytest.mark.parametrize(("r", "q", "after"), [(1, 5, 0), (1, 5, 2), (2, 4, 1), (2, 5, 4)])
def test_an_arrival_agrees_with_enumeration(r, q, after):
    total = 0
    for *places, new in product(range(q), repeat=r + 1):
        seen = [*places, new] if new >= after else places
        total += min(seen) + 1
    assert arrival(r, q, after) == Fraction(total, q ** (r + 1))


def test_the_cost_with_an_arrival_is_between_those_with_r_and_r_plus_1():
    """Claim ALL-36, for every time of the arrival."""
    for q, r in product((2, 6, 18), (1, 2, 5, 10)):
        assert arrival(r, q, 0) == expected(r + 1, q)
        for after in range(q + 1):
            assert expected(r + 1, q) <= arrival(r, q, after) <= expected(r, q)


@pytest.mark.parametrize(("r", "q"), [(2, 4), (2, 18), (3, 8), (4, 6), (5, 5)])
def test_two_processors_that_search_together_cost_about_the_sum(r, q):
    """Claim ALL-37; with two threads the costs are exactly the sum."""
    total = expected(r, q) + expected(r - 1, q)
    assert both(r, q) == total if r == 2 else abs(both(r, q) / total - 1) < Fraction(5, 100)
