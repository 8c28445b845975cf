# SPDX-License-Identifier: MIT
"""What the page on the queueing model quotes: ALL section 5."""

from typing import Any

import pandas as pd
from symlab.results.markdown import table
from symlab_papers.documents.data import Data, Frame, named, percent, significant, text, wide
from symlab_papers.documents.sweeps import sweeps
from symlab_papers.measures.thread_rates import curves as rate_curves
from symlab_papers.model.demands import Experiments, per_thread
from symlab_papers.model.threads import BOTH, MODEL, PLAIN, SIMULATED
from symlab_papers.names import FREELIST, LOCAL, NULL, WORK

from ..figures import all_5_1
from ..figures.all_5_4_trace import AXES

SECTIONS = "5.1 to 5.3"
SWEEPS = (
    "section-5.1-private", "figure-5.1", "figure-5.2", "figure-5.3", "figure-5.4",
    "figure-5.4-trace",
)  # fmt: skip
STRATEGIES = {LOCAL: "local ready queues", FREELIST: "local free lists"}
MANY, MOST = 18, 64  # processors of Figure 3.4; most of Figure 5.4
FULL, DROP = 5, 11  # turns of the work's loop from one store to the next: 5.0 and 2.5 % of the bus
SETTLED_US = (8000, 17500)  # the bins of the trace that count as settled
LATER_US = 3000  # from here on, with 40 processors, the crowd is gone


def tables(data: Data) -> dict[str, list[str]]:
    return {
        "sweeps": sweeps(data, "ALL", SWEEPS),
        "private": _private(data),
        "work": _rates(data, "figure-5.1", "processors", (1, 4, 7, 9, 11, 15, MANY, 20)),
        "finer-work": _rates(data, "figure-5.2", "work_us", (50, 100, 200, 400, 1600, 3200)),
        "bus-use": _rates(data, "figure-5.3", "store_turns", (0, 15, 7, 5, 3, 1)),
        "instability": _instability(data),
        "crowd": _crowd(data),
        "trace": _trace(data),
    }


def numbers(data: Data) -> dict[str, str]:
    return {
        **_demand_numbers(data),
        **_model_numbers(data),
        **_drop_numbers(data),
        **_trace_numbers(data),
    }


def _private(data: Data) -> list[str]:
    found = data.csv("ALL/section-5.1-private").set_index("processors").drop(1)
    rows = {"simulated": "simulated", "model": "exact MVA", "bus_utilisation": "bus used"}
    forms = {"simulated": ".1%", "model": ".1%", "bus_utilisation": ".0%"}
    return wide("Processors", rows, found.index, forms, found)


def _rates(data: Data, part: str, x: str, values: tuple[int, ...]) -> list[str]:
    """Thousands of threads per second by strategy and source, at these values of the column x."""
    rows = {
        (s, source): f"{title}, {source}"
        for s, title in STRATEGIES.items()
        for source in BOTH[::-1]
    }
    corner, columns = _axis(data.figure(part), x, values)
    of = (part, ("strategy", "source"), x, "value")
    return data.grid(corner, rows, columns, significant, *of, quantity="rate")


def _axis(found: Frame, x: str, values: tuple[int, ...]) -> tuple[str, dict[int, str]]:
    if x == "processors":
        return "Processors", named(values)
    alone = found.drop_duplicates(x).set_index(x)
    if x == "store_turns":
        return "Bus use of the work of one processor", {
            at: text(alone.loc[at, "alone_bus_share"], ".1%") for at in values
        }
    return "Work, us", {at: f"{alone.loc[at, 'alone_us']:.0f}" for at in values}


def _instability(data: Data) -> list[str]:
    """Figure 5.4, thousands of threads per second."""
    rows = {
        (strategy, turns, source): f"{STRATEGIES[strategy]}, {share}, {source}"
        for turns, share in {DROP: "2.5 %", FULL: "5.0 %"}.items()
        for strategy in (FREELIST, LOCAL)
        for source in BOTH[::-1]
    }
    of = ("figure-5.4", ("strategy", "store_turns", "source"), "processors", "value")
    columns = (1, 16, 24, 32, 40, 52, MOST)
    return data.grid("Processors", rows, columns, significant, *of, quantity="rate")


def _crowd(data: Data) -> list[str]:
    """ALL-78: section and spinners with local free lists."""
    rows = {
        (name, source): f"{title}, {source}"
        for name, title in {"section_us": "section, us", "spinners": "spinners"}.items()
        for source in BOTH[::-1]
    }
    of = ("figure-5.4", ("quantity", "source"), "processors", "value")
    where: dict[str, Any] = {"strategy": FREELIST, "store_turns": DROP}
    return data.grid("Processors", rows, (16, 24, 32, 40, 52, MOST), ".1f", *of, **where)


def _demand_numbers(data: Data) -> dict[str, str]:
    """Measured demands of the model at 6 and 18 processors."""
    rows = per_thread(data.csv("ALL/figure-5.1-runs"))
    experiments = Experiments(rows, all_5_1.MANAGEMENT_US)
    alone = (rows["processors"] == 1) & (rows["work_us"] != all_5_1.MANAGEMENT_US)
    work: Any = rows[alone & (rows["program"] != NULL) & (rows["strategy"] == FREELIST)].iloc[0]
    found = {}
    for p in (6, MANY):
        demands = experiments.demands(work, p)
        found[f"h-{p}"] = f"{demands.handoff_think_us:.1f}"
        found[f"spinner-bus-{p}"] = f"{demands.spinner_bus_us:.2f}"
    section = demands.section
    found["section"] = f"{section.think_us + section.bus_us:.2f}"
    found["section-bus"] = f"{section.bus_us:.2f}"
    return found


def _indexed(found: pd.DataFrame, *keys: str) -> pd.Series:
    return found.set_index([*keys])["value"].sort_index()


def _model_numbers(data: Data) -> dict[str, str]:
    """Figure 5.1: the model against the simulation, and the simulation against Figure 3.3."""
    found = data.figure("figure-5.1", quantity="rate")
    rate = _indexed(found, "strategy", "source", "processors")
    million = rate_curves(data.csv("ALL/figure-3.3"), "rate", WORK)
    off = {s: rate[s, MODEL] / pd.Series(million.curve(s)) - 1 for s in STRATEGIES}
    plain = rate[FREELIST, PLAIN][MANY] / rate[FREELIST, SIMULATED][MANY] - 1
    high = off[FREELIST]
    within = high[high <= 0.05].index.max()
    more = {s: rate[s, SIMULATED][MANY] / million[s, MANY] - 1 for s in STRATEGIES}
    ahead = {source: rate[LOCAL, source] / rate[FREELIST, source] - 1 for source in BOTH}
    wrong = [p for p in range(6, 21) if ahead[MODEL][p] * ahead[SIMULATED][p] < 0]
    lowest = []  # how far the model is too low at most in Figures 5.2 and 5.3
    for part, x in (("figure-5.2", "work_us"), ("figure-5.3", "store_turns")):
        rate = _indexed(data.figure(part, quantity="rate"), "source", "strategy", x)
        lowest.append((1 - rate[MODEL] / rate[SIMULATED]).max())
    least = min(
        p for p in range(2, 20) if all((ahead[source].loc[p:] > 0).all() for source in BOTH)
    )
    return {
        "model-local": percent(off[LOCAL].loc[:MANY].abs().max(), 1),
        "model-within": str(int(within)),
        "model-18": percent(high[MANY], 1),
        "plain-18": percent(plain),
        "million-freelist": percent(more[FREELIST], 1),
        "million-local": percent(more[LOCAL], 2),
        "ahead-simulated": percent(ahead[SIMULATED][7], 1),
        "ahead-model": percent(-ahead[MODEL][7], 1),
        "ahead-wrong": " and ".join(map(str, wrong)),
        "ahead-from": str(least),
        "full-low": percent(max(lowest)),
    }


def _drop_numbers(data: Data) -> dict[str, str]:
    """Figure 5.4: how much is lost from the maximum to the most processors."""
    found = data.figure("figure-5.4", quantity="rate")
    rate = _indexed(found, "store_turns", "source", "strategy", "processors")

    def lost(*of: Any) -> float:
        return float(1 - rate[of][MOST] / rate[of].max())

    central = rate[DROP, SIMULATED, FREELIST]
    model = rate[DROP, MODEL, LOCAL]
    return {
        "drop": percent(lost(DROP, SIMULATED, FREELIST)),
        "drop-from": str(central.idxmax()),
        "drop-full": percent(lost(FULL, SIMULATED, FREELIST)),
        "model-falls": percent(1 - model[MOST] / model[52], 1),
    }


def _trace(data: Data) -> list[str]:
    found = data.csv("ALL/figure-5.4-trace").set_index("processors")
    start = found[found["time_us"] == 0]
    settled = found[found["time_us"].between(*SETTLED_US)].groupby(level=0).mean()
    times = {"start": start, "settled": settled}
    rows = (
        (str(p), *(f"{at.loc[p, name]:.1f}" for at in times.values() for name in AXES))
        for p in found.index.unique()
    )
    head = (f"{name}, {when}" for when in times for name in ("spinners", "section, us"))
    return table(("Processors", *head), rows)


def _trace_numbers(data: Data) -> dict[str, str]:
    found = data.csv("ALL/figure-5.4-trace").set_index("processors")
    start, later = found[found["time_us"] == 0], found[found["time_us"] >= LATER_US]
    settled = found[found["time_us"].between(*SETTLED_US)]
    together = {
        p: of["spinners"].corr(of["section_us"]) for p, of in settled.groupby(level="processors")
    }
    few, risen = later.loc[40], found.loc[32].set_index("time_us").loc[17000]
    stays = later.loc[MOST].set_index("time_us")["spinners"]
    least_us = stays.idxmin()
    settles = stays.loc[least_us + 500 :]
    return {
        "start-least": f"{start['section_us'].min():.0f}",
        "start-most": f"{start['section_us'].max():.0f}",
        "few-spinners": f"{few['spinners'].min():.1f} and {few['spinners'].max():.0f}",
        "stays-least": f"{stays.min():.0f}",
        "stays-at-ms": f"{least_us / 1000:.1f}",
        "stays": f"{settles.min():.0f} to {settles.max():.0f}",
        "together-32": f"{together[32]:.2f}",
        "together-40": f"{together[40]:.2f}",
        "together-64": f"{together[MOST]:.2f}",
        "rise-spinners": f"{risen['spinners']:.1f}",
        "rise-section": f"{risen['section_us']:.1f}",
    }
