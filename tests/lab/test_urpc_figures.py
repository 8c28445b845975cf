# SPDX-License-Identifier: MIT
"""The figures of URPC: both models beyond the paper, shares of idle time, the parts of a call."""

import pandas as pd
from claim_cases import table
from matplotlib.figure import Figure as Canvas
from symlab.runs.one_run import Run
from symlab_papers.finding import found
from symlab_papers.measures.calls import measure
from symlab_papers.papers.URPC.figures import drawings, urpc_clients


def both_models(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([rows.assign(protocol=p) for p in ("write-through", "write-back")])


def test_the_figures_beyond_the_paper_judge_nothing_and_draw_both_models():
    image = table(
        lambda name, p: {"image": name, "processors": p, "threads": p, "calls": 10}
        | {"elapsed_us": 1000 / p, "all_transactions": 90 * p, "bus_utilisation": 0.5},
        drawings.LOCKS, (2, 20),
    )  # fmt: skip
    clients = table(
        lambda name, p: {"image": name, "processors": p, "threads": p, "calls": 10}
        | {f"elapsed_us_client{n + 1}": 1000 if n < urpc_clients.CLIENTS[name] else None
           for n in range(4)},
        urpc_clients.CLIENTS, (8, 16),
    )  # fmt: skip
    loads = table(
        lambda c, s, t: {"processors_client": c, "processors_server": s, "threads": t, "calls": 10}
        | {"call_ns": 93_000 * t, "elapsed_us": 1000.0},
        (1, 2), (0, 1, 2), (1, 2),
    )  # fmt: skip
    series = {}
    for name, runs in (("symmetry", loads), ("processors", image), ("clients", clients)):
        figure = found(f"urpc-{name}")
        assert figure.claims == ()
        series[name] = figure.series(both_models(runs))
        assert set(series[name]["protocol"]) == {"write-through", "write-back"}
        ax = Canvas().add_subplot()
        figure.draw(ax, series[name])
        assert len({line.get_linestyle() for line in ax.get_lines()}) == 2
    rates = series["clients"].set_index(["clients", "processors"])
    assert set(rates.loc[(4, 8), "calls_per_s"]) == {4 * 8 * 10 / 1000 * 1e6}
    assert set(series["processors"]["bus_per_call"]) == {9.0}
    assert "C=2, S=2" in set(series["symmetry"]["pair"])


def test_idle_is_a_share_of_each_processors_time(tmp_path):
    processors = [{"activities_us": {"idle": us}} for us in (30.0, 50.0)]
    run = Run(tmp_path, {"processors": processors, "simulated_us": 100.0})
    assert measure(run) == {"idle_least": 0.3, "idle_most": 0.5}


def test_parts_are_per_call_and_only_locks_of_every_call_count_as_waited_for(tmp_path):
    named = {f"{side}_{part}": 2.0 for side in drawings.SIDES for part in drawings.CLIENT}
    locks = [
        {"name": "client.urpc_channels+0x40", "wait_us": 50.0, "acquisitions": 10},
        {"name": "client.urpc_channels", "wait_us": 9.0, "acquisitions": 2},
        {"name": "server.local_queues", "wait_us": 70.0, "acquisitions": 10},
    ]
    calls = {"count": 10, "parts_per_call_us": named | {"idle": 7.0}}
    found = drawings.table_2_measure(Run(tmp_path, {"calls": calls, "locks": locks}))
    assert found.pop("channel_wait") == 5.0
    assert found == named
