# SPDX-License-Identifier: MIT
"""The figures of MTH: each claim holds, fails and is not run on made-up runs."""

import pandas as pd
import pytest
from claim_cases import check_case, check_figure, figures_of, table
from symlab_papers.papers.MTH.figures import (
    mth_3,
    mth_14,
    mth_15,
    mth_16,
    mth_causes,
    mth_locks,
    mth_overhead,
    mth_parts,
    mth_synthetic,
)

PROCESSORS = (1, 2, 4, 8, 9, 10, 12, 16, 24, 32)
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
        mth_14.MCS: {p: 0.95 * p for p in PROCESSORS} | (mcs or {}),
        mth_14.CEN: {p: 0.9 * p if p <= 8 else 6 for p in PROCESSORS} | (cen or {}),
        mth_14.VTIME: {1: vtime},
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
        mth_15.MCS: {p: 100 * p if p <= 8 else 70 * p for p in PROCESSORS} | (mcs or {}),
        mth_15.CEN: {p: 200 / p for p in PROCESSORS} | (cen or {}),
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


def synthetic(reload=0.0) -> pd.DataFrame:
    """The synthetic load. `reload`: the gain of this model."""
    return table(
        lambda model, p: {
            "affinity": model, "processors": p,
            "locks_per_second": 1e6 * (1 + (reload if model == "reload" else 0.01)),
        },
        MODELS, (1, 8),
    )  # fmt: skip


def overhead(vtime=3100) -> pd.DataFrame:
    """Times of a lock with few threads. `vtime`: that of this model, in ns."""
    times = {
        "none": 3000,
        "vtime": vtime,
        "cmisses": 5000,
        "cmsum": 5000,
        "reload": 20000,
    }
    return table(
        lambda model: {
            "affinity": model,
            "threads": 32,
            "locks_per_second": 1e9 / times[model],
        },
        MODELS,
    )


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
CASES = [
    (mth_3, "mth_01", loads, {"far_ns": 3000}, {"count": 4}, "near at nodes=4"),
    (mth_3, "mth_02", loads, {"cache_mb": 0.0625}, {"count": 16}, "16 nodes"),
    (mth_14, "mth_03", jacobi, {"cen": {8: 5}}, {"processors": 8}, "P=8"),
    (mth_14, "mth_04", jacobi, {"mcs": {24: 8}},
     {"image": "jacobi_threads-memory-conscious"}, "memory-conscious"),
    (mth_14, "mth_05", jacobi, {"cen": {32: 9}},
     {"image": "jacobi_threads-central-pools"}, "central-pools"),
    (mth_14, "mth_06", jacobi, {"cen": {16: 14}}, {"processors": 16}, "P=16"),
    (mth_14, "mth_06", jacobi, {"cen": {4: 2}}, {"processors": 16}, "P=16"),
    (mth_14, "mth_17", jacobi, {"vtime": 0.99},
     {"image": "jacobi_threads-memory-conscious-vtime"}, "vtime"),
    (mth_15, "mth_07", couples, {"cen": {4: 250}}, {"strategy": mth_15.CEN}, "central-pools"),
    (mth_15, "mth_08", couples, {"mcs": {8: 500}},
     {"strategy": mth_15.MCS}, "processors up to 8"),
    (mth_15, "mth_09", couples, {"mcs": {9: 900}}, {"processors": 9}, "P=9"),
    (mth_15, "mth_10", couples, {"mcs": {24: 900}},
     {"strategy": mth_15.MCS}, "processors from 10 on"),
    (mth_16, "mth_13", affinity, {"cmisses": lambda p: 0.1}, {"affinity": "cmisses"}, "cmisses"),
    (mth_16, "mth_14", affinity, {"cmsum": lambda p: 0}, {"processors": 4}, "cmsum at P=4"),
    (mth_16, "mth_15", affinity, {"vtime": lambda p: 0.1 - p / 100},
     {"affinity": "vtime"}, "vtime"),
    (mth_16, "mth_16", affinity, {"reload": lambda p: 0}, {"processors": 4}, "P=4"),
    (mth_locks, "mth_25", turns, {"read": 1.1}, {"lock": "read"}, "read"),
    (mth_locks, "mth_26", turns, {"xchgb": 0.5}, {"lock": "ticket"}, "ticket"),
    (mth_locks, "mth_28", turns, {"backoff": 1.1}, {"lock": "backoff"}, "backoff"),
    (mth_synthetic, "mth_12", synthetic, {"reload": -0.8}, {"affinity": "none"}, "all models"),
    (mth_overhead, "mth_18", overhead, {"vtime": 2900}, {"affinity": "reload"}, "reload"),
    (mth_parts, "mth_11", parts, {"near": 0.9}, {"ring_interface_cycles": 0}, "four runs"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    check_case(case)


def test_every_claim_of_the_paper_has_a_case_and_each_figure_draws_something():
    for figure, runs in figures_of(CASES):
        check_figure(figure, runs, CASES)


def test_experiments_that_show_causes_judge_nothing():
    assert {name: figure.claims for name, figure in mth_causes.FIGURES.items()} == {
        "14": (), "14n": (), "15": (), "16": (),
    }  # fmt: skip
