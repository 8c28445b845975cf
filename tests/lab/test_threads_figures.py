# SPDX-License-Identifier: MIT
"""ALL Figures 3.1 to 3.3 and sections 4.4 and 4.5: each claim holds, fails and is not run.

All runs are made up.
"""

import math

import pandas as pd
import pytest
from claim_cases import check_three_states, claim_of, table, without
from matplotlib.figure import Figure as Canvas
from symlab_papers.finding import found
from symlab_papers.measures.differences import per_additional
from symlab_papers.model.private_copies import modelled_slowdown
from symlab_papers.names import CENTRAL, NULL, STRATEGIES, WORK
from symlab_papers.papers.ALL.figures import all_3_1, all_3_2, all_3_3, all_4_5

ALL_PROCESSORS = range(1, 21)


def named(curves: dict) -> dict:
    """The curves by name of the strategy: the keyword multiple_locks becomes multiple-locks."""
    return {name.replace("_", "-"): curve for name, curve in curves.items()}


# ---- Figures 3.2 and 3.3 ----

ONE_US = {
    "single-lock": 43.0,
    "multiple-locks": 64.0,
    "local-freelist": 47.0,
    "idle-queue": 50.0,
    "local-readyq-random": 53.0,
}
CEILINGS = {
    "single-lock": 25.0,
    "multiple-locks": 35.0,
    "local-freelist": 60.0,
    "idle-queue": 58.0,
    "local-readyq-random": 1e9,
}


def null_rate(strategy: str, p: int) -> float:
    """1000s per second. The rate is proportional to `p` up to the strategy's ceiling; with local
    ready queues it approaches the limit of the bus."""
    if strategy == "local-readyq-random":
        return 120 * (1 - math.exp(-p / 5))
    return min(1000 * p / ONE_US[strategy], CEILINGS[strategy])


def work_rate(strategy: str, p: int) -> float:
    """As `null_rate`, with 300 us of work per thread and a rounded knee."""
    straight = 1000 * p / (ONE_US[strategy] + 300)
    return (straight**-4 + CEILINGS[strategy] ** -4) ** -0.25


def rate_runs(processors=ALL_PROCESSORS, work=None, spin=0.05, bus=0.9, finish=0.02, **doctored):
    """Made-up runs. `doctored`: strategy -> rate by P; `work`: the same for threads with work."""
    null, worked = named(doctored), work or {}

    def row(p, strategy, program):
        rates = (null, null_rate) if program == NULL else (worked, work_rate)
        own = rates[0].get(strategy, lambda p: rates[1](strategy, p))
        elapsed_us = 1000 * 1e3 / own(p)
        return {
            "processors": p,
            "strategy": strategy,
            "program": program,
            "us_per_thread": 1000 * p / own(p),
            "elapsed_us": elapsed_us,
            "region_1_us": elapsed_us,
            "first_us": elapsed_us * (1 - finish),
            "simulated_us": elapsed_us,
            "spin_us": spin * p * elapsed_us,
            "bus_utilisation": bus,
        }

    return table(row, processors, STRATEGIES, (NULL, WORK))


def null_runs(**doctored) -> pd.DataFrame:
    runs = rate_runs(**doctored)
    return runs[runs["program"] == NULL].drop(columns="program")


@pytest.mark.parametrize(
    ("claim", "bad", "gap"),
    [
        (claim_of(all_3_2, "ALL-15"), {"single_lock": lambda p: min(23.0 * p, 36.0)}, "idle-queue"),
        (
            claim_of(all_3_2, "ALL-16"),
            {"multiple_locks": lambda p: min(15.0 * p, 25.0)},
            "multiple-locks",
        ),
        (
            claim_of(all_3_2, "ALL-17"),
            {"local_freelist": lambda p: min(21.0 * p, 34.9)},
            "local-freelist",
        ),
        (
            claim_of(all_3_2, "ALL-18"),
            {"local_freelist": lambda p: min(21.0 * p, 46.0)},
            "local-freelist",
        ),
        (claim_of(all_3_2, "ALL-18"), {"local_freelist": lambda p: 140.0}, "local-freelist"),
        (claim_of(all_3_2, "ALL-18"), {"local_freelist": lambda p: 5.0 * p}, "local-freelist"),
        (claim_of(all_3_2, "ALL-19"), {"idle_queue": lambda p: min(20.0 * p, 44.0)}, "idle-queue"),
        (claim_of(all_3_2, "ALL-19"), {"idle_queue": lambda p: min(20.0 * p, 67.0)}, "idle-queue"),
        (
            claim_of(all_3_2, "ALL-20"),
            {"local_freelist": lambda p: min(21.0 * p, 80.0)},
            "local-readyq-random",
        ),
        (
            claim_of(all_3_2, "ALL-21"),
            {"local_readyq_random": lambda p: 7.0 * p},
            "local-readyq-random",
        ),
        (claim_of(all_3_2, "ALL-21"), {"spin": 0.11}, "local-readyq-random"),
        (claim_of(all_3_2, "ALL-21"), {"bus": 0.79}, "local-readyq-random"),
        (
            claim_of(all_3_2, "ALL-22"),
            {"idle_queue": lambda p: 58.0 - p if p > 3 else 20 * p},
            "idle-queue",
        ),
        (claim_of(all_3_2, "ALL-41"), {"finish": 0.06}, "local-freelist"),
    ],
)
def test_claims_of_null_threads(claim, bad, gap):
    good = null_runs()
    gapped = without(good, strategy=gap, processors=18)
    check_three_states(all_3_2.FIGURE, claim, good, null_runs(**bad), gapped, f"{gap} at P=18")


# Rates that are equal for all judged strategies but one, with any number of processors.
ALIKE = {strategy: lambda p: 2.8 * p for strategy in STRATEGIES} | {
    "single-lock": lambda p: 2.7 * p
}


@pytest.mark.parametrize(
    ("claim", "bad", "gap"),
    [
        (claim_of(all_3_3, "ALL-23"), {"work": ALIKE}, "idle-queue"),
        (
            claim_of(all_3_3, "ALL-24"),
            {"work": {"local-readyq-random": lambda p: 2.0 * p}},
            "local-freelist",
        ),
        (
            claim_of(all_3_3, "ALL-24"),
            {"work": {"local-freelist": lambda p: 1.0 * p}},
            "single-lock",
        ),
        (
            claim_of(all_3_3, "ALL-25"),
            {"local_freelist": lambda p: 40.0 if p == 3 else null_rate("local-freelist", p)},
            "local-freelist",
        ),
    ],
)
def test_claims_of_threads_with_work(claim, bad, gap):
    good = rate_runs()
    gapped = without(good, strategy=gap, processors=18)
    check_three_states(all_3_3.FIGURE, claim, good, rate_runs(**bad), gapped, f"{gap} at P=18")


def test_a_curve_may_fall_once_ten_spin():
    def falls_after(p: int) -> str:
        low = {"idle_queue": lambda at: 20.0 if at > p else null_rate("idle-queue", at)}
        return claim_of(all_3_2, "ALL-22")(all_3_2.FIGURE.series(null_runs(**low))).state

    assert (falls_after(5), falls_after(14)) == ("fails", "holds")


def test_random_work_is_judged_only_where_something_can_be_missing_without_it():
    verdict = claim_of(all_3_3, "ALL-25")(all_3_3.FIGURE.series(rate_runs()))
    assert verdict.state == "holds"
    straight = {s.replace("-", "_"): lambda p: 20.0 * min(p, 2) for s in CENTRAL}
    none = claim_of(all_3_3, "ALL-25")(all_3_3.FIGURE.series(rate_runs(**straight)))
    assert none.state == "not run" and "the bound itself" in none.note


def test_rates_are_threads_per_millisecond():
    data = all_3_2.FIGURE.series(null_runs())
    one = data[(data["strategy"] == "single-lock") & (data["processors"] == 1)]
    values = one.set_index("quantity")["value"]
    assert values["rate"] == pytest.approx(1000 / 43)
    assert values["spin_share"] == pytest.approx(0.05)
    assert values["finish_spread"] == pytest.approx(0.02)


def test_rates_are_timed_by_probes_and_show_the_excess_of_the_clock():
    runs = null_runs()
    runs["region_1_us"] = runs["elapsed_us"] / 1.25
    data = all_3_2.FIGURE.series(runs).set_index(["quantity", "strategy", "processors"])["value"]
    assert data["rate", "single-lock", 1] == pytest.approx(1.25 * null_rate("single-lock", 1))
    assert data["clock_excess", "single-lock", 1] == pytest.approx(0.25)


# ---- Figure 3.1 ----


def latency_runs(instructions=100.0, locking_us=5.6, spin=0.0, **doctored) -> pd.DataFrame:
    times = ONE_US | named(doctored)

    def row(strategy, program, threads):
        us = times[strategy] + (locking_us if program == all_3_1.LOCKING else 0.0)
        return {
            "strategy": strategy,
            "program": program,
            "threads": threads,
            "simulated_us": 7000 + us * threads,
            "region_1_us": us * threads,
            "elapsed_us": (us + 0.001) * threads,
            "instructions": 30000 + instructions * threads,
            "spin_us": 37.0 + spin * threads,
            "us_per_thread": us + 0.001,
        }

    return table(row, STRATEGIES, (NULL, all_3_1.LOCKING), (1000, 2000))


@pytest.mark.parametrize(
    ("claim", "bad"),
    [
        (claim_of(all_3_1, "ALL-05"), {"single_lock": 25.0}),
        (claim_of(all_3_1, "ALL-05"), dict.fromkeys(ONE_US, 73.0)),
        (claim_of(all_3_1, "ALL-06"), {"single_lock": 34.0}),
        (claim_of(all_3_1, "ALL-06"), dict.fromkeys(ONE_US, 76.0)),
        (claim_of(all_3_1, "ALL-07"), dict.fromkeys(ONE_US, 101.0)),
        (claim_of(all_3_1, "ALL-07"), {"single_lock": 35.0}),
        (claim_of(all_3_1, "ALL-08"), {"instructions": 59.0}),
        (claim_of(all_3_1, "ALL-08"), {"instructions": 201.0}),
        (claim_of(all_3_1, "ALL-09"), {"local_freelist": 42.0}),
        (claim_of(all_3_1, "ALL-10"), {"multiple_locks": 54.0}),
        (claim_of(all_3_1, "ALL-11"), {"local_freelist": 53.0}),
        (claim_of(all_3_1, "ALL-12"), {"idle_queue": 48.0}),
        (claim_of(all_3_1, "ALL-13"), {"locking_us": 7.2}),
        (claim_of(all_3_1, "ALL-13"), {"locking_us": 4.0}),
        (claim_of(all_3_1, "ALL-13"), {"locking_us": 4.2}),  # under 7 % of 64 us
        (claim_of(all_3_1, "ALL-14"), {"spin": 0.1}),
    ],
)
def test_claims_of_one_processor(claim, bad):
    good = latency_runs()
    name = (
        "multiple-locks"
        if claim in (claim_of(all_3_1, "ALL-10"), claim_of(all_3_1, "ALL-11"))
        else "idle-queue"
    )
    gap = good[good["strategy"] != name]
    bad_runs = latency_runs(**{k.replace("-", "_"): v for k, v in bad.items()})
    check_three_states(all_3_1.FIGURE, claim, good, bad_runs, gap, name)


def test_the_time_of_a_thread_excludes_the_fixed_cost_of_a_run():
    data = all_3_1.FIGURE.series(latency_runs()).set_index(["program", "strategy"])
    row = data.loc[NULL, "single-lock"]
    assert row["latency_us"] == pytest.approx(43)
    assert row["instructions"] == pytest.approx(100)
    assert row["spin_us"] == 0
    assert row["difference_us"] == pytest.approx(0.001)


def test_the_phase_at_barriers_does_not_count_as_a_wait_for_a_lock():
    """On one processor, the barriers of two runs may differ by a clock or two."""
    runs = latency_runs()
    shorter = runs["spin_us"] - 0.125 * (runs["threads"] == 2000)
    data = all_3_1.FIGURE.series(runs.assign(spin_us=shorter))
    assert set(data["spin_us"]) == {0.0}
    assert claim_of(all_3_1, "ALL-14")(data).state == "holds"
    one_wait = runs["spin_us"] + 1.25 * (runs["threads"] == 2000)
    waited = all_3_1.FIGURE.series(runs.assign(spin_us=one_wait))
    assert set(waited["spin_us"]) == {0.00125}
    assert claim_of(all_3_1, "ALL-14")(waited).state == "fails"


def test_the_fastest_must_lead_by_more_than_the_spread_of_repeats():
    one = latency_runs().assign(seed=1)
    other = latency_runs(local_freelist=44.0).assign(seed=2)
    data = all_3_1.FIGURE.series(pd.concat([one, other])).set_index(["program", "strategy"])
    row = data.loc[NULL, "local-freelist"]
    assert (row["latency_us"], row["spread_us"]) == (pytest.approx(45.5), pytest.approx(1.5))
    assert data.loc[NULL, "single-lock"]["spread_us"] == 0
    assert claim_of(all_3_1, "ALL-09")(data.reset_index()).state == "holds", "45.5 - 1.5 over 43"
    wider = latency_runs(local_freelist=41.0).assign(seed=2)
    fails = claim_of(all_3_1, "ALL-09")(all_3_1.FIGURE.series(pd.concat([one, wider])))
    assert fails.state == "undecided", "44 - 3 under 43"


def test_differences_need_two_runs():
    runs = pd.DataFrame({"a": ["x", "x", "y"], "n": [10, 30, 10], "us": [5.0, 45.0, 7.0]})
    assert per_additional(runs, ["a"], "n", ["us"]).to_dict("records") == [{"a": "x", "us": 2.0}]


def test_compiler_table_names_the_claims_that_would_fail():
    runs = [
        latency_runs(instructions=count)
        .query("program == 'null_threads'")
        .assign(option=option, processors=processors)
        for option, count in (("O0", 300.0), ("O1", 100.0))
        for processors in (1, 18)
    ]
    figure = all_3_1.FIGURES["compiler"]
    data = figure.series(pd.concat(runs))
    assert set(data[data["option"] == "O0"]["claims_failing"]) == {"ALL-08"}
    assert set(data[data["option"] == "O1"]["claims_failing"]) == {""}
    assert figure.series(pd.concat(runs).iloc[:0]).empty


# ---- sections 4.4 and 4.5 ----


def create_runs() -> pd.DataFrame:
    def row(p, strategy, creates):
        each = 1.0 if strategy == "idle-queue" else p - 1
        return {
            "processors": p,
            "strategy": strategy,
            "creates": creates,
            "idle_reads": 3 * p + each * creates,
            "pool_accesses": 5 + 4 / p * creates,
            "whole_lists": 10 if strategy == "local-freelist" else None,
            "list_accesses": 5 * p if strategy == "local-freelist" else None,
        }

    return table(row, (4, 8, 12, 16, 20), STRATEGIES, (500, 1000))


CREATES = found("all-4.4")


def test_lists_of_blocks_are_counted_where_the_image_counts_them():
    good = create_runs()
    counted = CREATES.series(good.astype({"whole_lists": object, "list_accesses": object}))
    columns = counted[["whole_lists", "list_accesses"]]
    assert len(columns.select_dtypes(float).columns) == 2, "else keys of a table"
    uncounted = CREATES.series(good.drop(columns=["whole_lists", "list_accesses"]))
    verdict = next(claim for claim in CREATES.claims if claim.id == "ALL-39")(uncounted)
    assert verdict.state == "not run" and "whole_lists" in verdict.note


def management_runs(inferred=0.4, share=0.4, misses=2.0, enqueue=7.9, dequeue=7.9, counter=10.5):
    """Private copies of code that takes 50 us alone, 5 us of it at the bus, and of its sections."""
    demands = {"private_threads": 5.0, "private_sections": 5 * inferred}

    def row(p, image):
        threads = image == "null_threads-local-freelist"
        operations = image == "queue_operations"
        bus_us = demands.get(image.removesuffix("-O0"), 1.0)
        private_us = 50 * (1 + modelled_slowdown(p, 50.0, bus_us))
        return {
            "processors": p,
            "image": image,
            "threads": 1000 * p,
            "warm": 10,
            "increments": 1000,
            "elapsed_us": 1000 * (private_us if image.startswith("private") else counter),
            "threads_bus_us": 1 - share if threads else 1010 * p * bus_us,
            "threads_exchanges_bus_us": 0.1 if threads else 0.0,
            "critical_bus_us": share if threads else 0.0,
            "threads_reads": 500 * p * misses if p > 1 else 10,
            "critical_reads": 500 * p * misses if p > 1 else 0,
            "enqueue_us": enqueue if operations else None,
            "dequeue_us": dequeue if operations else None,
        }

    private = [image + compiled for image in demands for compiled in all_4_5.COMPILED]
    images = ("null_threads-local-freelist", "queue_operations", "counter-backoff", *private)
    return table(row, (1, *range(2, 21, 2)), images)


@pytest.mark.parametrize(
    ("claim", "bad", "gap"),
    [
        (claim_of(all_4_5, "ALL-61"), {"inferred": 0.34}, 20),
        (claim_of(all_4_5, "ALL-61"), {"inferred": 0.51}, 20),
        (claim_of(all_4_5, "ALL-61"), {"inferred": 0.51}, 8),
        (claim_of(all_4_5, "ALL-62"), {"enqueue": 10.1}, 1),
        (claim_of(all_4_5, "ALL-62"), {"dequeue": 10.1}, 1),
        (claim_of(all_4_5, "ALL-62"), {"counter": 16.0}, 1),
        (claim_of(all_4_5, "ALL-72"), {"misses": 0.001}, 8),
    ],
)
def test_claims_of_the_ready_queue(claim, bad, gap):
    good = management_runs()
    gapped = good[good["processors"] != gap]
    check_three_states(all_4_5.FIGURE, claim, good, management_runs(**bad), gapped, f"P={gap}")


def test_private_copies_give_the_demand_of_the_whole_and_of_its_sections():
    data = all_4_5.series(management_runs(inferred=0.4, share=0.3))
    values = data.set_index(["quantity", "processors"])["value"]
    for ending in ("", "_O0"):
        assert values[f"threads_inferred_us{ending}", 20] == pytest.approx(5, rel=1e-3)
        assert values[f"sections_inferred_us{ending}", 20] == pytest.approx(2, rel=1e-3)
        assert values[f"inferred_share{ending}", 20] == pytest.approx(0.4, rel=1e-3)
        assert values[f"threads_slowdown{ending}", 1] == 0
    for p in (1, *range(2, 21, 2)):
        assert values["threads_counted_us", p] == pytest.approx(5)
        assert values["sections_model", p] == pytest.approx(
            values["sections_slowdown", p], abs=1e-4
        )
        assert values["share", p] == pytest.approx(0.3), "counted in the runs with shared data"
    assert ("inferred_share", 8) not in values, "a demand is of the whole curve"


def test_repeats_of_private_copies_are_not_mixed():
    """Each repeat has its own curve: 5 and 10 us of the bus give a mean of 7.5."""
    runs = management_runs()
    slower = management_runs()
    private = slower["image"] == "private_threads"
    slower.loc[private, "elapsed_us"] = [
        50_000 * (1 + modelled_slowdown(p, 50.0, 10.0)) for p in slower["processors"][private]
    ]
    data = all_4_5.series(pd.concat([runs.assign(seed=1), slower.assign(seed=2)]))
    row = data[data["quantity"] == "threads_inferred_us"].iloc[0]
    assert row["value"] == pytest.approx(7.5, rel=1e-3)
    assert row["spread"] == pytest.approx(2.5, rel=1e-3)


@pytest.mark.parametrize(
    ("figure", "runs"),
    [
        (all_3_1.FIGURE, latency_runs()),
        (all_3_2.FIGURE, null_runs()),
        (all_3_3.FIGURE, rate_runs()),
        (CREATES, create_runs()),
        (all_4_5.FIGURE, management_runs()),
    ],
)
def test_figures_plot_the_runs(figure, runs):
    for some in (runs, runs.iloc[:0]):
        axes = Canvas().add_subplot()
        figure.draw(axes, figure.series(some))
        assert axes.get_xlabel() or axes.get_ylabel()
