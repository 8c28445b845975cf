# SPDX-License-Identifier: MIT
"""The figures of MTH: each claim with a function holds, fails, is not run on made-up runs."""

import pandas as pd
import pytest
from claim_cases import check_case, check_figure, figures_of, table
from symlab_papers.finding import found
from symlab_papers.papers.MTH.figures import mth_3, mth_14, mth_locks, mth_parts

PROCESSORS = (1, 2, 4, 8, 9, 10, 12, 16, 24, 32)
MCS, CEN = "memory-conscious", "central-pools"
MODELS = ("none", "vtime", "cmisses", "cmsum", "reload")


def loads(far_ns=2014, cache_mb=1.0) -> pd.DataFrame:
    """The sweep of Figure 3."""
    machine = {"node_processors": 8.0, "cache_mb": cache_mb, "ring_mb_per_s": 600.0}
    return table(
        lambda nodes: {"count": nodes, "hit_ns": 10, "near_ns": 504, "far_ns": far_ns, **machine},
        (4, 16),
    )


def jacobi(mcs=None, cen=None, vtime=1.25) -> pd.DataFrame:
    """The sweep of Figure 14. `mcs`, `cen`: other speedups by number of processors."""
    speedups = {
        MCS: {p: 0.95 * p for p in PROCESSORS} | (mcs or {}),
        CEN: {p: 0.9 * p if p <= 8 else 6 for p in PROCESSORS} | (cen or {}),
        "vtime": {1: vtime},
    }
    images = {name: image for image, name in mth_14.STRATEGIES.items()}
    points = [(mth_14.SEQUENTIAL, 1, 1.0)]
    points += [(images[s], p, j) for s, curve in speedups.items() for p, j in curve.items()]
    rows = [
        {"image": image, "processors": p, "elapsed_us": 1e6 / j, "status": "finished"}
        for image, p, j in points
    ]
    return pd.DataFrame(rows)


def couples(mcs=None, cen=None) -> pd.DataFrame:
    """The sweep of Figure 15. `mcs`, `cen`: other rates by number of processors."""
    rates = {
        MCS: {p: 100 * p if p <= 8 else 70 * p for p in PROCESSORS} | (mcs or {}),
        CEN: {p: 200 / p for p in PROCESSORS} | (cen or {}),
    }
    return table(
        lambda strategy, p: {
            "strategy": strategy, "processors": p, "locks_per_second": rates[strategy][p],
        },
        rates, PROCESSORS,
    )  # fmt: skip


def affinity(**other) -> pd.DataFrame:
    """The sweep of Figure 16. Other gains of a model, by number of processors."""
    gains = {
        "none": lambda p: 0,
        "vtime": lambda p: 0.1,
        "cmisses": lambda p: -0.1,
        "cmsum": lambda p: 0.0 if p <= 8 else 0.05,
        "reload": lambda p: -0.05 if p <= 8 else 0.2,
    } | other
    return table(
        lambda model, p: {
            "affinity": model, "processors": p, "elapsed_us": 1e6 / (1 + gains[model](p)),
        },
        MODELS, (1, 4, 8, 16, 32),
    )  # fmt: skip


def turns(**other) -> pd.DataFrame:
    """The sweep of section 6.2. Other powers of the number of processors, by lock."""
    powers = {
        "xchgb": 1.05,
        "read": 1.8,
        "ticket": 1.2,
        "backoff": 0.5,
        "mcs": 0.0,
    } | other
    columns = [f"{activity}_{kind}_transactions" for activity in mth_locks.WHILE
               for kind in mth_locks.MISSES]  # fmt: skip

    def run(lock: str, processors: int) -> dict:
        kinds = dict.fromkeys(columns, 0) | {
            "spin_read_transactions": 8000 * processors ** powers[lock]
        }
        return {"lock": lock, "processors": processors, "handoffs_to_others": 1000} | kinds

    return table(run, powers, (2, 4, 8, 16, 32))


def parts(near=1.2) -> pd.DataFrame:
    """The four runs of section 7.2.2. `near`: the gain with partners not far apart."""
    rates = {
        (mth_parts.CENTRAL, 22, 38): 1,
        ("mutex_pairs-local-readyq-random", 22, 38): 90,
        (mth_parts.CENTRAL, 0, 38): near,
        (mth_parts.CENTRAL, 22, 0): 2,
    }
    return table(
        lambda key: {
            "image": key[0], "ring_interface_cycles": key[1], "latency_cycles": key[2],
            "locks_per_second": 30000 * rates[key],
        },
        rates,
    )  # fmt: skip


# Figure, claim, function that makes the runs, arguments with which the claim fails, a row without
# which it is not run, and what the verdict then names.
FIGURE_15, FIGURE_16 = found("mth-15"), found("mth-16")
CASES = [
    (mth_3, "mth_02", loads, {"cache_mb": 0.0625}, {"count": 16}, "16 nodes"),
    (FIGURE_15, "mth_08", couples, {"mcs": {8: 500}}, {"strategy": MCS}, "processors up to 8"),
    (FIGURE_16, "mth_16", affinity, {"reload": lambda p: 0}, {"processors": 4}, "P=4"),
    (mth_locks, "mth_25", turns, {"read": 1.1}, {"lock": "read"}, "read"),
    (mth_locks, "mth_26", turns, {"xchgb": 0.5}, {"lock": "ticket"}, "ticket"),
    (mth_locks, "mth_28", turns, {"backoff": 1.1}, {"lock": "backoff"}, "backoff"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    check_case(case)


def test_every_claim_of_the_paper_has_a_case_and_each_figure_draws_something():
    for figure, runs in figures_of(CASES):
        check_figure(figure, runs, CASES)


def test_speedup_is_relative_to_the_program_without_threads():
    data = found("mth-14").series(jacobi()).set_index(["strategy", "processors"])["speedup"]
    assert data[MCS, 8] == pytest.approx(7.6) and data["vtime", 1] == pytest.approx(1.25)


def test_the_parts_of_a_loss_are_what_has_been_taken_away():
    data = found("mth-parts").series(parts()).set_index("without")["locks_per_second"]
    assert data.to_dict() == {
        "as it is": 30_000, "no queue in common": 2_700_000, "partners not far apart": 36_000,
        "cache state not lost": 60_000,
    }  # fmt: skip


@pytest.mark.parametrize("number", ["14", "14n", "15", "16"])
def test_experiments_that_show_causes_judge_nothing(number):
    assert found(f"mth-causes-{number}").claims == ()
