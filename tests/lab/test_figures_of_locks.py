# SPDX-License-Identifier: MIT
"""The figures of ALL sections 4 and 5.1: each claim holds, fails and is not run on made-up runs."""

import numpy as np
import pandas as pd
import pytest
from claim_cases import check_case, check_figure, claim_of, figures_of, table
from symlab_papers.papers.ALL.figures import (
    all_4_1_exchange,
    all_4_2,
    all_4_3,
    all_4_6,
    all_5_1_demand,
    all_fairness,
    all_quiescence,
    all_table_4_1,
)

SPEEDS = {
    "read": lambda s: 1 - 2 / (s + 3),
    "xchgb": lambda s: 0.4,
    "backoff": lambda s: 0.95,
}


def section_runs(**doctored) -> pd.DataFrame:
    speeds = {**SPEEDS, **doctored}

    def row(processors, lock, work):
        section_us = 3.0 + 2 * work
        slower = 1.0 if processors == 1 else 1 / speeds[lock](section_us)
        return {
            "processors": processors,
            "lock": lock,
            "work": work,
            "elapsed_us": 1000 * section_us * slower,
            "lock_hold_us": 100 * section_us * slower,
            "lock_acquisitions": 100,
        }

    return table(row, (1, 8), SPEEDS, (0, 2, 5, 10, 40))


BARRIERS = {
    "xchgb": lambda p: 5.0 + p,
    "read": lambda p: 8.0 + 0.5 * p,
    "backoff": lambda p: 9.0 + 0.5 * p,
    "backoff-capped": lambda p: 7.0 + 0.5 * p,
}


def barrier_runs(use=None, **doctored) -> pd.DataFrame:
    times = {**BARRIERS, **{name.replace("_", "-"): curve for name, curve in doctored.items()}}
    used = use or {"xchgb": 0.4, "read": 0.3, "backoff": 0.1, "backoff-capped": 0.1}

    def row(processors, lock):
        return {
            "processors": processors,
            "lock": lock,
            "rounds": 10,
            "elapsed_us": 10 * processors * times[lock](processors),
            "bus_utilisation": used[lock],
        }

    return table(row, range(1, 21), BARRIERS)


SLOWDOWNS = {
    "xchgb": lambda q: 0.01 * q,
    "backoff": lambda q: 0.001 * q,
    "read": lambda q: 0.001 * q**2,
}


def demand_runs(**doctored) -> pd.DataFrame:
    slowdowns = {**SLOWDOWNS, **doctored}

    def row(spinners, lock):
        elapsed_us = 1000 * (1 + slowdowns[lock](spinners))
        given = {"spinners": spinners, "lock": lock, "private": 4, "private_sections": 400}
        return {**given, "elapsed_us": elapsed_us}

    return table(row, range(16), SLOWDOWNS)


def quiescence_runs(**doctored) -> pd.DataFrame:
    """Made-up runs. `doctored`: <column> -> its value by protocol, lock and number of spinners."""
    slow = {"write-update": 0.5}

    def row(processors, lock, protocol):
        n = processors - 1
        every = lock == "backoff-every"
        columns = {
            "settle_us": lambda protocol, lock, n: slow.get(protocol, 1.0) * n**2,
            "release_transactions": lambda protocol, lock, n: n * (n + 3.0),
            "release_reads": lambda protocol, lock, n: 1 + (n - 1) * (1.0 if every else 2.1),
            "handover_us": lambda protocol, lock, n: 300.0 if every else 10.0,
        } | doctored
        values = {name: value(protocol, lock, n) for name, value in columns.items()}
        given = {"processors": processors, "lock": lock, "protocol": protocol, "rounds": 4}
        return given | values

    locks = ("read", "backoff", "backoff-every")
    return table(row, range(2, 21), locks, ("write-through", "write-back", "write-update"))


def fairness_runs(share=None, longest=None, locked=0) -> pd.DataFrame:
    shares = {"xchgb": 0.5, "read": 0.52, "backoff": 0.8, "array-xadd": 0.01} | (share or {})
    most = {"xchgb": 4.0, "read": 5.0, "backoff": 20.0, "array-xadd": 2.0} | (longest or {})

    def row(processors, lock, seed):
        return {
            "processors": processors,
            "lock": lock,
            "seed": seed,
            "waiting": 1000,
            "earlier": 1000 * shares[lock],
            "critical_locked_read_transactions": locked if lock == "array-xadd" else 50,
            "lock_acquisitions": 50,
            "lock_wait_us": 500.0,
            "lock_max_wait_us": 10 * most[lock] + seed,
        }

    return table(row, (8, 12, 16, 20), shares, (1, 2))


def queue_runs(growth: float = 0.05) -> pd.DataFrame:
    def row(processors, lock):
        count = 1000 * (9 + growth * processors)
        return {
            "processors": processors,
            "lock": lock,
            "increments": 1000,
            "all_transactions": count,
        }

    return table(row, (1, *range(4, 19)), ("read", "array-xadd"))


def exchange_runs(written: int = 102, caused: int = 1) -> pd.DataFrame:
    def row(processors, access):
        exchanges = access == "exchange"
        reads = 30 + (99 * (processors - 1) * caused if exchanges else 0)
        stores = written if exchanges else 2
        given = {"processors": processors, "access": access, "rounds": 100}
        return given | {"read_transactions": reads, "locked_store_transactions": stores}

    return table(row, (2, 8, 20), ("exchange", "read"))


PROTOCOLS = ("write-through", "write-back", "write-update", "write-through-on-change", "none")


def protocol_runs(**doctored) -> pd.DataFrame:
    """Made-up runs. `doctored`: <column> -> its value by protocol, lock and P."""

    def row(processors, lock, protocol):
        factor = {"xchgb": 3.0, "read": 2.0, "backoff": 1.0}[lock]
        better = 0.8 if protocol == "write-through-on-change" else 1.0
        columns = {
            "elapsed_us": lambda protocol, lock, p: 1e3 * factor * better * (5 + p),
            "spin_read_transactions": lambda protocol, lock, p: (
                0 if protocol == "write-update" else 1e3 * p
            ),
            "spin_store_transactions": lambda protocol, lock, p: 0,
            "spin_locked_store_transactions": lambda protocol, lock, p: 1e3 * factor * p,
            "spin_fetch_transactions": lambda protocol, lock, p: 7,
            "bus_utilisation": lambda protocol, lock, p: 0.95,
        } | doctored
        values = {name: value(protocol, lock, processors) for name, value in columns.items()}
        given = {"processors": processors, "lock": lock, "protocol": protocol, "increments": 1000}
        return given | values

    return table(row, (1, 4, 8, 10, 12, 14, 16, 18, 20), ("xchgb", "read", "backoff"), PROTOCOLS)


CASES = [
    (all_4_2, "all_49", section_runs, {"read": lambda s: 0.9 - s / 200}, {"lock": "read"}, "read"),
    (all_4_2, "all_49", section_runs, {"read": lambda s: 0.8 + s / 1e3}, {"lock": "read"}, "read"),
    (all_4_2, "all_50", section_runs, {"xchgb": lambda s: s / 100}, {"lock": "xchgb"}, "xchgb"),
    (all_4_2, "all_50", section_runs, {"xchgb": lambda s: 0.99}, {"lock": "read"}, "read"),
    (all_4_2, "all_51", section_runs, {"backoff": lambda s: 1.06}, {"lock": "read"}, "read"),
    (
        all_4_3,
        "all_52",
        barrier_runs,
        {"read": lambda p: 5.0 + p},
        {"processors": 3},
        "read at P=3",
    ),
    (all_4_3, "all_53", barrier_runs, {"xchgb": lambda p: 9.0}, {"processors": 20}, "P=20"),
    (all_4_3, "all_54", barrier_runs, {"backoff": lambda p: 30.0}, {"processors": 4}, "P=4"),
    (all_4_3, "all_55", barrier_runs, {"backoff_capped": lambda p: 40.0}, {"processors": 5}, "P=5"),
    (
        all_4_3,
        "all_55",
        barrier_runs,
        {"use": dict.fromkeys(BARRIERS, 0.1) | {"backoff": 0.3}},
        {"lock": "backoff-capped"},
        "backoff-capped at P=4",
    ),
    (all_5_1_demand, "all_70", demand_runs, {"xchgb": lambda q: q % 2}, {"spinners": 9}, "read"),
    (all_5_1_demand, "all_70", demand_runs, {"backoff": np.sqrt}, {"lock": "backoff"}, "backoff"),
    (all_5_1_demand, "all_70", demand_runs, {"read": np.sqrt}, {"lock": "read"}, "read at"),
    (
        all_5_1_demand,
        "all_70",
        demand_runs,
        {"read": lambda q: 0.1 * q + 0.001 * q**2, "backoff": lambda q: 0.1 * q + 0.002 * q**2},
        {"spinners": 3, "lock": "read"},
        "read at",
    ),
    (
        all_quiescence,
        "all_56",
        quiescence_runs,
        {"release_transactions": lambda protocol, lock, n: 6.0 * n},
        {"processors": 16},
        "spinners=15",
    ),
    (
        all_quiescence,
        "all_56",
        quiescence_runs,
        {"release_transactions": lambda protocol, lock, n: n * (5 - 1 / n)},
        {"processors": 20},
        "spinners=19",
    ),
    (
        all_quiescence,
        "all_56",
        quiescence_runs,
        {"release_transactions": lambda protocol, lock, n: n * (n if n != 11 else 7)},
        {"processors": 8},
        "spinners=7",
    ),
    (
        all_quiescence,
        "all_57",
        quiescence_runs,
        {"release_reads": lambda protocol, lock, n: 1.6 * (n - 1) + 1},
        {"processors": 9, "lock": "backoff"},
        "backoff at spinners=8",
    ),
    (
        all_quiescence,
        "all_58",
        quiescence_runs,
        {"release_reads": lambda protocol, lock, n: 2.0 * (n - 1) + 1},
        {"lock": "backoff-every"},
        "backoff-every",
    ),
    (
        all_quiescence,
        "all_58",
        quiescence_runs,
        {"handover_us": lambda protocol, lock, n: 10.0},
        {"lock": "backoff"},
        "backoff",
    ),
    (
        all_quiescence,
        "all_64",
        quiescence_runs,
        {"release_transactions": lambda p, lock, n: n * (n if p == "write-through" else 5)},
        {"protocol": "write-back"},
        "read at spinners=3,7,11,15,19",
    ),
    (
        all_quiescence,
        "all_66",
        quiescence_runs,
        {"settle_us": lambda protocol, lock, n: n},
        {"protocol": "write-update"},
        "read at",
    ),
    (all_fairness, "all_59", fairness_runs, {"share": {"backoff": 0.54}}, {"lock": "backoff"}, ""),
    (all_fairness, "all_59", fairness_runs, {"share": {"xchgb": 0.56}}, {"processors": 8}, "P=8"),
    (all_fairness, "all_59", fairness_runs, {"longest": {"read": 30}}, {"lock": "read"}, "read"),
    (all_fairness, "all_69", fairness_runs, {"share": {"array-xadd": 0.06}}, {"processors": 8}, ""),
    (all_fairness, "all_69", fairness_runs, {"locked": 1}, {"lock": "array-xadd"}, "array-xadd at"),
    (all_table_4_1, "all_68", queue_runs, {"growth": 0.3}, {"processors": 4}, "array-xadd at P=4"),
    (all_4_1_exchange, "all_42", exchange_runs, {"written": 60}, {"processors": 8}, "P=8"),
    (all_4_1_exchange, "all_42", exchange_runs, {"caused": 0}, {"access": "read"}, "read at"),
    (
        all_4_6,
        "all_63",
        protocol_runs,
        {
            "elapsed_us": lambda p, lock, n: (
                1e3 * (4 if (p == "write-back") == (lock == "read") else 2)
            )
        },
        {"protocol": "write-back"},
        "write-back P=8",
    ),
    (
        all_4_6,
        "all_65",
        protocol_runs,
        {"elapsed_us": lambda p, lock, n: 1e3 * n},
        {"protocol": "write-through-on-change"},
        "read at",
    ),
    (
        all_4_6,
        "all_65",
        protocol_runs,
        {"spin_read_transactions": lambda p, lock, n: 1e3 * n**3},
        {"processors": 18},
        "P=18",
    ),
    (
        all_4_6,
        "all_66",
        protocol_runs,
        {"spin_read_transactions": lambda p, lock, n: 100},
        {"protocol": "write-update"},
        "read at",
    ),
    (
        all_4_6,
        "all_66",
        protocol_runs,
        {"bus_utilisation": lambda p, lock, n: 0.8},
        {"lock": "xchgb"},
        "xchgb at write-update P=18",
    ),
    (
        all_4_6,
        "all_67",
        protocol_runs,
        {"spin_locked_store_transactions": lambda p, lock, n: 5},
        {"lock": "backoff"},
        "backoff at",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    check_case(case)


@pytest.mark.parametrize(("figure", "runs"), figures_of(CASES))
def test_every_claim_has_a_case_and_every_figure_draws(figure, runs):
    check_figure(figure, runs, CASES)


def test_who_serves_in_turn_is_fairer_than_at_random():
    orderly = all_fairness.series(fairness_runs(share={"xchgb": 0.0}))
    assert claim_of(all_fairness, "ALL-59")(orderly).state == "holds"


def test_relative_speed_is_plotted_over_the_section_on_one_processor():
    data = all_4_2.series(section_runs())
    first = data[data.lock == "read"].iloc[0]
    assert (first.section_us, first.relative_speed) == pytest.approx((3.0, 1 - 2 / 6))
