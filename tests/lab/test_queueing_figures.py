# SPDX-License-Identifier: MIT
"""ALL Figures 5.1 to 5.4: service demands from runs; each claim holds, fails and is not run."""

import pandas as pd
import pytest
from claim_cases import check_three_states, claim_of, name_of, table
from matplotlib.figure import Figure as Canvas
from symlab.runs.one_run import Run
from symlab_papers.model import threads
from symlab_papers.model.demands import Experiments, measure, per_thread
from symlab_papers.model.levels import Demand, solve
from symlab_papers.model.threads import MODEL, PLAIN, SIMULATED
from symlab_papers.names import FREELIST, LOCAL
from symlab_papers.papers.ALL.figures import all_5_1, all_5_1_private, all_5_2, all_5_3, all_5_4

SHARE, WARM = 100, 8


def run_of(program, strategy, processors, work_us, rate=None, store_turns=0, bus=0.0, **per):
    """A run with these averages per thread.

    `per`: activity -> us. A tenth of the time is bus time; for user work it is the part `bus`.
    `rate`: thousands of threads per second; by default, the rate without waiting.
    """
    us = {"user": work_us, "threads": 31.0, "critical": 11.0, "spin": 0.0} | per
    rate = rate or 1000 * processors / sum(us.values())
    number = (SHARE + WARM) * processors
    row = {
        "program": program,
        "strategy": strategy,
        "processors": processors,
        "work_us": work_us,
        "store_turns": store_turns,
        "threads": SHARE * processors + processors // 2,
        "warm": WARM,
        "inside_us": 1000 * SHARE * processors / rate,
        "lock_acquisitions": 2 * number,
        "bus_utilisation": 0.25,
    }
    for activity, time_us in us.items():
        part = bus if activity == "user" else 0.1
        row |= {f"{activity}_us": time_us * number, f"{activity}_bus_us": part * time_us * number}
    return row


def waiting_run(processors, spin_us=100.0):
    """A waiting experiment in which the lock is always busy: it is passed on every 15.5 us, which
    is a section of 5.5 us and a handoff of 10 us."""
    rate = 1000 / (2 * 15.5)
    return run_of("null_threads", FREELIST, processors, 10, rate, user=5.0, spin=spin_us)


def frame(rows) -> pd.DataFrame:
    return pd.DataFrame([{**row, "status": "finished"} for row in rows])


def test_costs_per_thread_are_averages_over_all_threads_of_a_run():
    row = per_thread(frame([run_of("work_threads", LOCAL, 4, 300, spin=6.0)])).iloc[0]
    assert (row["user_us"], row["threads_us"], row["passes"]) == (300.0, 31.0, 2.0)
    assert row["threads_bus_us"] == pytest.approx(3.1)
    assert row["rate"] == pytest.approx(4000 / 348)
    assert row["spinners"] == pytest.approx(4 * 6 / 348)


def test_a_failed_run_is_ignored():
    runs = frame([run_of("work_threads", LOCAL, 4, 300)])
    assert per_thread(runs.assign(status="deadlock")).empty


@pytest.fixture
def experiments():
    rows = [run_of("work_threads", s, p, 10_000) for s in (FREELIST, LOCAL) for p in (1, 8)]
    return Experiments(per_thread(frame([*rows, waiting_run(8)])), 10_000)


def alone(strategy):
    return per_thread(frame([run_of("loaded_threads", strategy, 1, 200, bus=0.05)])).iloc[0]


def test_demands_combine_work_alone_with_the_management_experiment(experiments):
    demands = experiments.demands(alone(FREELIST), 8)
    assert demands.outside.think_us == pytest.approx(200 * 0.95 + 31 * 0.9)
    assert demands.outside.bus_us == pytest.approx(200 * 0.05 + 31 * 0.1)
    assert demands.section == Demand(pytest.approx(5.5 * 0.9), pytest.approx(5.5 * 0.1))
    assert (demands.locks, demands.visits) == (1, 2)
    assert experiments.demands(alone(LOCAL), 8).locks == 8


def test_the_bus_time_of_a_spinner_between_two_acquisitions(experiments):
    """Per thread, spinners use 10 us of the bus in two acquisitions. Their mean number is the rate
    1000/31 per ms times 100 us, which is 3.23."""
    spinners = 1000 / 31 * 100 / 1000
    demands = experiments.demands(alone(FREELIST), 8)
    assert demands.spinner_bus_us == pytest.approx(10 / 2 / spinners)


def test_the_handoff_is_the_interval_minus_section_and_bus_time(experiments):
    demands = experiments.demands(alone(FREELIST), 8)
    assert 10.0 - 2 * demands.spinner_bus_us < demands.handoff_think_us
    assert demands.handoff_think_us < 10.0 - demands.spinner_bus_us


def test_with_too_few_waiters_the_next_larger_experiment_gives_the_handoff(experiments):
    one, eight = (experiments.demands(alone(FREELIST), p) for p in (1, 8))
    assert one.handoff_think_us == eight.handoff_think_us


def test_missing_experiments_are_named(experiments):
    assert experiments.missing(LOCAL, 8) == ""
    assert experiments.missing(LOCAL, 9) == f"management of {LOCAL} at P=9, waiting at P=9"
    rows = [run_of("work_threads", FREELIST, 8, 10_000), waiting_run(8, spin_us=1.0)]
    nobody_waits = Experiments(per_thread(frame(rows)), 10_000)
    assert nobody_waits.missing(FREELIST, 8) == "waiting at P=8"


def test_the_model_of_a_run_is_solved_with_its_demands(experiments):
    rows = [run_of("work_threads", s, p, 10_000) for s in (FREELIST, LOCAL) for p in (1, 8)]
    rows += [run_of("loaded_threads", FREELIST, p, 200, bus=0.05) for p in (1, 8)]
    data = threads.compared(frame([*rows, waiting_run(8)]), 10_000)
    assert set(data["alone_us"]) == {200.0}
    assert set(data["alone_bus_share"]) == {0.05}
    demands = experiments.demands(alone(FREELIST), 8)
    for source, handoff in ((MODEL, True), (PLAIN, False)):
        point = solve(8, demands, handoff)
        found = {
            quantity: threads.curves(data, quantity, source)[FREELIST, 8]
            for quantity in ("rate", "spinners", "section_us", "bus_utilisation")
        }
        assert found == {
            "rate": pytest.approx(1000 * point.occupancy.throughput, abs=1e-6),
            "spinners": pytest.approx(point.occupancy.spinners, abs=1e-6),
            "section_us": pytest.approx(point.times.section_us, abs=1e-6),
            "bus_utilisation": pytest.approx(point.bus_utilisation, abs=1e-6),
        }
    assert threads.curves(data, "section_us", SIMULATED)[FREELIST, 8] == pytest.approx(5.5)


def test_repeats_are_compared_each_with_its_own_experiments_and_then_averaged():
    def repeat(seed, spin_us):
        rows = [run_of("work_threads", s, p, 10_000) for s in (FREELIST, LOCAL) for p in (1, 8)]
        rows += [run_of("loaded_threads", FREELIST, p, 200, spin=spin_us) for p in (1, 8)]
        return frame([*rows, waiting_run(8)]).assign(seed=seed)

    one, other = (threads.compared(repeat(*case), 10_000) for case in ((1, 0.0), (2, 6.0)))
    both = threads.compared(pd.concat([repeat(1, 0.0), repeat(2, 6.0)]), 10_000)
    assert list(both.columns) == [*threads.POINT, "value", "spread", "alone_us", "alone_bus_share"]
    assert set(one["spread"]) == {0.0} and len(both) == len(one)
    means = (one["value"] + other["value"]) / 2
    assert list(both["value"]) == pytest.approx(list(means), abs=2e-6)
    halves = (one["value"] - other["value"]).abs() / 2
    assert list(both["spread"]) == pytest.approx(list(halves), abs=2e-6)
    assert both["spread"].max() > 0.1
    rate = threads.curves(both, "rate", SIMULATED)
    spread = rate.ranged(FREELIST, 8).spread
    assert spread == pytest.approx(8 * (1000 / 242 - 1000 / 248) / 2, abs=1e-5)


def test_bus_time_and_a_processors_own_time_come_from_the_summary(tmp_path):
    busy = {a: {"read": 2.0, "store": 0.5} for a in ("user", "threads", "critical", "spin")}
    summary = {
        "bus": {"busy_us_by_activity": {**busy, "idle": {"read": 9.0, "store": 0.0}}},
        "regions": [{"mean_inside_us": 123.5}],
    }
    columns = measure(Run(tmp_path, summary))
    assert columns == {f"{a}_bus_us": 2.5 for a in busy} | {"inside_us": 123.5}


# ---- claims, on data in the form of the figures' series ----


def data_of(rates, cases) -> pd.DataFrame:
    """Made-up data without a spread. `rates`: (source, quantity, strategy, processors, work_us,
    turns) -> value."""
    rows = []
    for source in (MODEL, SIMULATED):
        for strategy in (LOCAL, FREELIST):
            for p, work_us, turns in cases:
                for quantity in ("rate", "spinners", "section_us"):
                    value = rates(source, quantity, strategy, p, work_us, turns)
                    rows.append((strategy, p, work_us, turns, source, quantity, value, 0.0, 0.0))
    data = pd.DataFrame(rows, columns=threads.COLUMNS)
    data.insert(list(data).index("value") + 1, "spread", float("nan"))
    return data


def check_claim(claim, good, bad, gap, missing):
    held, *failed = (claim(data) for data in (good, *bad))
    assert held.state == "holds" and held.margin >= 0
    for verdict in failed:
        assert verdict.state == "fails"
        assert (verdict.id, verdict.check) == (held.id, held.check)
    assert held.id == claim.id
    for data in (gap, good.iloc[:0]):
        assert claim(data).state == "not run"
    assert missing in claim(gap).note


def lacking(data, **row):
    return data[~pd.concat([data[k] == v for k, v in row.items()], axis=1).all(axis=1)]


def beside_the_million(data: pd.DataFrame, factor=1.0) -> pd.DataFrame:
    """The data with rates of Figure 3.3: the simulated ones times `factor`."""
    data = data.assign(spread=0.0)
    rates = data[(data["source"] == SIMULATED) & (data["quantity"] == "rate")]
    million = rates.assign(program="work_threads", value=rates["value"] * factor)
    return all_5_1.with_million(data, million)


def near_the_model(error=1.03, at_18=1.1, few=2.0):
    def rates(source, quantity, strategy, p, work_us, turns):
        rate = min(p, few) + (p - few) * (0.9 if strategy == LOCAL else 0.7) if p > few else p
        if strategy == FREELIST and p == 18 and source == MODEL:
            return rate * at_18
        return rate * error if source == MODEL else rate

    return data_of(rates, [(p, 300, 0) for p in range(1, 21)])


def test_all_73():
    good = beside_the_million(near_the_model())
    bad = [{"error": 1.06}, {"error": 0.94}, {"at_18": 0.99}]
    bad = [beside_the_million(near_the_model(**one)) for one in bad]
    bad.append(beside_the_million(near_the_model(), factor=1.1))
    check_claim(
        claim_of(all_5_1, "ALL-73"), good, bad, lacking(good, source=MODEL, processors=7), "P=7"
    )
    alone = claim_of(all_5_1, "ALL-73")(near_the_model())
    assert alone.state == "not run" and "Figure 3.3" in alone.note
    own = all_5_1.with_own(near_the_model().assign(spread=0.0))
    assert claim_of(all_5_1, "ALL-73")(own).state == "holds"


def test_all_74():
    other = near_the_model()
    swapped = (other["source"] == MODEL) & (other["processors"] == 6)
    names = {LOCAL: FREELIST, FREELIST: LOCAL}
    other.loc[swapped, "strategy"] = other.loc[swapped, "strategy"].map(names)
    gap = lacking(near_the_model(), source=SIMULATED, processors=20)
    check_claim(claim_of(all_5_1, "ALL-74"), near_the_model(), [other], gap, "P=20")
    within = other.assign(spread=0.0)
    within.loc[within["processors"] == 6, "spread"] = 100.0
    held = claim_of(all_5_1, "ALL-74")(within)
    assert held.state == "holds" and held.note.endswith("within the spread: P=6")
    assert claim_of(all_5_1, "ALL-74")(other.assign(spread=100.0)).state == "undecided"


def by_work(finest=2.0, coarsest=1.0, bump=0.0, source_of_bump=SIMULATED):
    def rates(source, quantity, strategy, p, work_us, turns):
        if strategy == FREELIST:
            return 10.0
        ratio = max(coarsest, finest - all_5_2.WORKS_US.index(work_us) / 4 * (finest - coarsest))
        return 10 * (ratio + (bump if work_us == 400 and source == source_of_bump else 0))

    return data_of(rates, [(20, w, 5) for w in all_5_2.WORKS_US])


def test_all_75():
    bad = [by_work(finest=1.04), by_work(coarsest=1.06)]
    bad += [by_work(bump=0.3, source_of_bump=s) for s in (MODEL, SIMULATED)]
    gap = lacking(by_work(), source=MODEL, work_us=400)
    check_claim(claim_of(all_5_2, "ALL-75"), by_work(), bad, gap, "work us =400")


def by_load(local=1.0, central=0.5, gap=1.0):
    """Made-up data. `local`, `central`: steps by which the rates fall; `gap`: a factor for the step
    of the local queues."""

    def rates(source, quantity, strategy, p, work_us, turns):
        step = all_5_3.STORE_TURNS.index(turns)
        if strategy == LOCAL:
            return 30 - (local if source == SIMULATED else 1.0) * 2 * gap * step
        return 20 - (central if source == SIMULATED else 0.5) * step

    return data_of(rates, [(20, 200, t) for t in all_5_3.STORE_TURNS])


def test_all_76():
    bad = [by_load(local=-1.0), by_load(central=-0.1), by_load(gap=0.2)]
    gap = lacking(by_load(), source=SIMULATED, store_turns=7)
    check_claim(claim_of(all_5_3, "ALL-76"), by_load(), bad, gap, "=7")


def by_processors(fall=0.3, local_falls=0.0, grows=True, loads=(11, 5)):
    """Made-up data: the rate with the central queue rises up to 40 processors.

    Then it drops by `fall`, but only with the bus loads in `loads`.
    """

    def rates(source, quantity, strategy, p, work_us, turns):
        if quantity != "rate":
            return float(p if grows else -p) + 100
        past = max(0.0, (p - 40) / 24)
        rising = min(p, 40) / 40
        if strategy == LOCAL:
            return 10 * rising * (1 - local_falls * past)
        return 10 * rising * (1 - (fall if turns in loads else -0.01) * past)

    cases = [(p, 2000, t) for p in all_5_4.PROCESSORS for t in all_5_4.LOADS]
    return data_of(rates, cases)


def spread_over(data: pd.DataFrame, part: float) -> pd.DataFrame:
    return data.assign(spread=part * data["value"])


def test_all_77():
    bad = [by_processors(fall=0.19), by_processors(local_falls=0.05), by_processors(fall=-0.1)]
    gap = lacking(by_processors(), source=MODEL, processors=64)
    check_claim(claim_of(all_5_4, "ALL-77"), by_processors(), bad, gap, "P=64")
    far = [0.0, 0.04, 0.06]
    states = [
        claim_of(all_5_4, "ALL-77")(spread_over(by_processors(local_falls=f), 0.03)).state
        for f in far
    ]
    assert states == ["holds", "holds", "fails"], "each of two points may be off by 3 %"
    assert claim_of(all_5_4, "ALL-77")(by_processors(loads=(5,))).state == "holds"
    assert claim_of(all_5_4, "ALL-77")(by_processors(loads=(11,))).state == "holds"


def test_all_78():
    one = by_processors()
    one.loc[(one["quantity"] == "spinners") & (one["processors"] == 64), "value"] = 1.0
    bad = [by_processors(grows=False), by_processors(loads=(11,)), one]
    gap = lacking(by_processors(), source=SIMULATED, processors=8)
    check_claim(claim_of(all_5_4, "ALL-78"), by_processors(), bad, gap, "P=8")


def private_runs(excess=0.0, utilisation=0.2, processors=(1, 2, 3, 5, 8)):
    """Made-up runs: threads of 10 us, of which the part `utilisation` is on the bus.

    Each takes as long as a saturated bus requires, times 1 + `excess`.
    """

    def row(p):
        used = min(0.95, utilisation * p)
        each_us = 10 * max(1.0, utilisation * p) * (1 + excess * (p > 1))
        return {
            "image": "null_threads-local-readyq",
            "processors": p,
            "elapsed_us": each_us * 100,
            "threads": 100 * p,
            "warm": 10,
            "bus_busy_us": used * each_us * 110,
        }

    return table(row, processors)


def test_all_71():
    few = private_runs(processors=(1, 5))
    failed = check_three_states(
        all_5_1_private.FIGURE,
        claim_of(all_5_1_private, "ALL-71"),
        private_runs(),
        private_runs(excess=0.4),
        few,
        "null threads",
    )
    assert "P=" in failed.note


def test_processors_with_private_queues_are_modelled_by_the_demands_of_one():
    """With 2 of 10 us on the bus and two customers, R = 2 (1 + 2/10): the slowdown is 0.04."""
    data = all_5_1_private.series(private_runs())
    two = data[data["processors"] == 2]
    assert list(two["model"]) == pytest.approx([0.04])
    assert list(two["bus_utilisation"]) == pytest.approx([0.4])
    assert list(two["simulated"]) == [0.0]


def figure_runs(management_us, processors, store_turns=0) -> pd.DataFrame:
    rows = [waiting_run(processors)]
    for strategy in (FREELIST, LOCAL):
        for p in (1, processors):
            rows.append(run_of("work_threads", strategy, p, management_us))
            rows.append(run_of("loaded_threads", strategy, p, 200, store_turns=store_turns))
    return frame(rows)


@pytest.mark.parametrize(
    ("module", "runs", "claims"),
    [
        (all_5_1, figure_runs(10_000, 20), ["all_73", "all_74"]),
        (all_5_1_private, private_runs(), ["all_71"]),
        (all_5_2, figure_runs(10_000, 20), ["all_75"]),
        (all_5_3, figure_runs(10_000, 20), ["all_76"]),
        (all_5_4, figure_runs(20_000, 64, all_5_4.DRAWN), ["all_77", "all_78"]),
    ],
)
def test_each_figure_draws_and_each_claim_is_tested(module, runs, claims):
    figure = module.FIGURE
    assert [name_of(claim) for claim in figure.claims] == claims
    ax = Canvas().add_subplot()
    figure.draw(ax, figure.series(runs))
    drawn = [line for line in ax.get_lines() if len(line.get_xdata())]
    assert len(drawn) == (2 if module is all_5_1_private else 6)
    assert ax.get_xlabel() and ax.get_ylabel()
    assert {verdict.id for verdict in figure.judge(runs)} == {
        claim.upper().replace("_", "-") for claim in claims
    }
