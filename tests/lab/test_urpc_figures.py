# SPDX-License-Identifier: MIT
"""The figures of URPC: each claim holds, fails and is not run on made-up runs."""

import pandas as pd
import pytest
from claim_cases import check_case, figures_of, name_of, table
from matplotlib.figure import Figure as Canvas
from symlab.runs.one_run import Run
from symlab_papers.measures.calls import PAIRS, PROCESSORS, measure
from symlab_papers.papers.URPC.figures import (
    urpc_3,
    urpc_4,
    urpc_clients,
    urpc_others,
    urpc_processors,
    urpc_symmetry,
    urpc_table_1,
    urpc_table_2,
    urpc_words,
)

THREADS = range(1, 11)


def latency(pair: str, threads: int) -> float:
    """As in the paper: us."""
    if pair == "C=1, S=0":
        return 200 + 100 * threads
    return 93 if threads == 1 else 53 * max(2, threads * 2 / PROCESSORS[pair])


def loads(us=None, calls=100_000, idle=0.45) -> pd.DataFrame:
    """The sweep of Figures 3 and 4. `us`: (pair, threads) -> latency other than the paper's."""
    other = us or {}

    def run(pair: str, threads: int) -> dict:
        time = other.get((pair, threads), latency(pair, threads))
        rate = threads / time
        if (pair, threads) == ("C=2, S=2", 2) and (pair, threads) not in other:
            rate *= 1.1  # the spike
        client, server = pair[2], pair[-1]
        return {
            "processors_client": int(client), "processors_server": int(server),
            "threads": threads, "calls": calls, "call_ns": 1000 * time,
            "elapsed_us": threads * calls / rate, "idle_least": idle, "idle_most": idle,
        }  # fmt: skip

    return table(run, PAIRS, THREADS)


def words(slope=1.0) -> pd.DataFrame:
    return table(lambda n: {"words": n, "call_ns": 93_000 + 2000 * slope * n}, (0, 4, 8, 12))


def operations(**changed) -> pd.DataFrame:
    """The sweep of Table I. `changed`: operation_user or operation_kernel, us; processors."""
    processors = {"urpc_threads": 1, "urpc_kernel": 4, "urpc_null": 2, "urpc_processes": 4}

    def run(image: str) -> dict:
        row = {f"{name}_ns": None for name in urpc_table_1.OPERATIONS}
        column = {"urpc_threads": 0, "urpc_kernel": 1}.get(image)
        if column is not None:
            for name, both in urpc_table_1.TABLE.items():
                side = ("user", "kernel")[column]
                row[f"{name}_ns"] = 1000 * changed.get(f"{name}_{side}", both[column])
        if image == "urpc_null":
            row["round_trip_ns"] = 1000 * changed.get("round_trip", 2 * 55 + 37)
        if image == "urpc_processes":
            row["fork_join_ns"] = 1000 * changed.get("process", 5000)
        count = changed.get("processors", processors[image])
        return row | {"image": image, "processors": count}

    return table(run, processors)


def yields(**changed) -> pd.DataFrame:
    """Runs whose user-level yield is as long as the switch of the paper's section 2."""
    return operations(**{"yield_user": 15, "round_trip": 2 * 55 + 15} | changed)


def parts(saved=14.0, wait=0.0, **changed) -> pd.DataFrame:
    """The sweep of Table II. `changed`: part -> us; `saved`: by a context that stays loaded."""
    printed = {f"client_{part}": us for part, us in urpc_table_2.CLIENT.items()}
    printed |= {f"server_{part}": us for part, us in urpc_table_2.SERVER.items()}
    here = printed | changed

    def run(loaded: int) -> dict:
        both = sum(here.values())
        row = {"urpc_loaded": loaded, "channel_wait": wait, **here}
        return row | {"call_ns": 1000 * (both - saved * loaded)}

    return table(run, (0, 1))


def others(urpc=93, lrpc=157, trap=20, share=0.7) -> pd.DataFrame:
    columns = dict.fromkeys(("call_ns", "lrpc_ns", "message_ns", "trap_ns"))
    rows = [
        ("urpc_load", 2, "", 1, "call_ns", urpc),
        ("urpc_kernel", 1, "lrpc", 0, "lrpc_ns", 180),
        ("urpc_kernel", 2, "lrpc", 1, "lrpc_ns", lrpc),
        ("urpc_kernel", 1, "message", 0, "message_ns", 464),
        ("urpc_kernel", 1, "", 0, "trap_ns", trap),
    ]
    return pd.DataFrame(
        [
            {
                **columns, "image": image, "processors": n, "only": only, "lrpc_caching": caching,
                "kernel_share": share, "status": "finished", column: 1000 * us,
            }
            for image, n, only, caching, column, us in rows
        ]
    )  # fmt: skip


SLOW = {("C=1, S=1", t): 300.0 for t in THREADS}
FLAT = {("C=1, S=0", t): 250.0 * t for t in THREADS}

# Figure, claim, function that makes the runs, arguments with which the claim fails, a row without
# which it is not run, and what the verdict then names.
CASES = [
    (urpc_3, "urpc_01", loads, {"us": SLOW}, {"threads": 1}, "T=1"),
    (urpc_3, "urpc_21", loads, {"us": {("C=2, S=2", 8): 50.0}}, {"threads": 7}, "T=7"),
    (urpc_3, "urpc_24", loads, {"idle": 0.7}, {"threads": 1}, "T=1"),
    (urpc_3, "urpc_25", loads, {"calls": 1000}, {"threads": 10}, "T=10"),
    (urpc_3, "urpc_26", loads, {"us": FLAT}, {"threads": 3}, "T=3"),
    (urpc_4, "urpc_03", loads, {"us": SLOW}, {"threads": 2}, "T=2"),
    (urpc_4, "urpc_19", loads, {"us": {("C=2, S=2", 2): 300.0}}, {"threads": 3}, "T=3"),
    (urpc_4, "urpc_22", loads, {"us": {("C=1, S=2", 7): 300.0}}, {"threads": 7}, "T=7"),
    (urpc_4, "urpc_22", loads, {"us": {("C=1, S=1", 2): 300.0}}, {"threads": 2}, "T=2"),
    (urpc_4, "urpc_23", loads, {"us": {("C=1, S=0", 5): 150.0}}, {"threads": 5}, "T=5"),
    (urpc_table_1, "urpc_04", operations, {"fork_user": 50}, {"image": "urpc_threads"}, "fork"),
    (urpc_table_1, "urpc_05", operations, {"fork_kernel": 800}, {"image": "urpc_kernel"}, "fork"),
    (urpc_table_1, "urpc_06", operations, {"fork_join_kernel": 200},
     {"image": "urpc_kernel"}, "fork_join"),
    (urpc_table_1, "urpc_07", operations, {"yield_user": 50}, {"image": "urpc_threads"}, "yield"),
    (urpc_table_1, "urpc_08", operations, {"lock_pair_kernel": 29},
     {"image": "urpc_kernel"}, "lock_pair"),
    (urpc_table_1, "urpc_09", operations, {"ping_pong_user": 80},
     {"image": "urpc_threads"}, "ping_pong"),
    (urpc_table_1, "urpc_10", operations, {"fork_join_user": 120},
     {"image": "urpc_kernel"}, "fork"),
    (urpc_table_1, "urpc_12", yields, {"yield_user": 20}, {"image": "urpc_threads"}, "yield"),
    (urpc_table_1, "urpc_13", yields, {"round_trip": 300}, {"image": "urpc_null"}, "round_trip"),
    (urpc_table_1, "urpc_28", operations, {"process": 500}, {"image": "urpc_processes"},
     "fork_join"),
    (urpc_table_1, "urpc_30", operations, {"processors": 2}, {"image": "urpc_kernel"},
     "processors"),
    (urpc_table_2, "urpc_14", parts, {"client_send": 30}, {"urpc_loaded": 0}, "client_send"),
    (urpc_table_2, "urpc_15", parts, {"server_poll": 9}, {"urpc_loaded": 0}, "server_send"),
    (urpc_table_2, "urpc_16", parts, {"server_send": 40}, {"urpc_loaded": 0}, "client_send"),
    (urpc_table_2, "urpc_17", parts, {"client_dispatch": 90}, {"urpc_loaded": 0}, "client_send"),
    (urpc_table_2, "urpc_18", parts, {"saved": 40}, {"urpc_loaded": 1}, "latency"),
    (urpc_table_2, "urpc_29", parts, {"wait": 1.0}, {"urpc_loaded": 1}, "channel_wait"),
    (urpc_words, "urpc_20", words, {"slope": 3}, {"words": 0}, ""),
    (urpc_others, "urpc_02", others, {"lrpc": 80}, {"image": "urpc_load"}, "URPC"),
    (urpc_others, "urpc_11", others, {"trap": 40}, {"only": "lrpc"}, "LRPC"),
    (urpc_others, "urpc_27", others, {"share": 0.9}, {"only": "lrpc"}, "LRPC"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_claim_holds_fails_and_is_not_run(case):
    if case[1] == "urpc_20":  # a line through three points is as good as through four
        case = (*case[:2], words, case[3], {"status": "finished"}, "3 numbers of words")
    check_case(case)


def test_every_claim_of_the_paper_has_a_case_and_each_figure_draws_something():
    for figure, runs in figures_of(CASES):
        tested = {case[1] for case in CASES if case[0].FIGURE is figure}
        assert {name_of(claim) for claim in figure.claims} == tested
        ax = Canvas().add_subplot()
        figure.draw(ax, figure.series(runs()))
        assert ax.get_ylabel() and (ax.get_lines() or ax.patches)


def symmetry(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([rows.assign(protocol=p) for p in ("write-through", "write-back")])


def test_the_figures_beyond_the_paper_judge_nothing_and_draw_both_models():
    image = table(
        lambda name, p: {"image": name, "processors": p, "threads": p, "calls": 10}
        | {"elapsed_us": 1000 / p, "all_transactions": 90 * p, "bus_utilisation": 0.5},
        urpc_processors.LOCKS, (2, 20),
    )  # fmt: skip
    clients = table(
        lambda name, p: {"image": name, "processors": p, "threads": p, "calls": 10}
        | {f"elapsed_us_client{n + 1}": 1000 if n < urpc_clients.CLIENTS[name] else None
           for n in range(4)},
        urpc_clients.CLIENTS, (8, 16),
    )  # fmt: skip
    for module, runs in (
        (urpc_symmetry, loads()), (urpc_processors, image), (urpc_clients, clients)
    ):  # fmt: skip
        assert module.FIGURE.claims == ()
        data = module.series(symmetry(runs))
        assert set(data["protocol"]) == {"write-through", "write-back"}
        ax = Canvas().add_subplot()
        module.draw(ax, data)
        assert len({line.get_linestyle() for line in ax.get_lines()}) == 2
    rates = urpc_clients.series(symmetry(clients)).set_index(["clients", "processors"])
    assert set(rates.loc[(4, 8), "calls_per_s"]) == {4 * 8 * 10 / 1000 * 1e6}
    per_call = urpc_processors.series(symmetry(image)).set_index("processors")["bus_per_call"]
    assert set(per_call) == {9.0}


def test_idle_is_a_share_of_each_processors_time(tmp_path):
    processors = [{"activities_us": {"idle": us}} for us in (30.0, 50.0)]
    run = Run(tmp_path, {"processors": processors, "simulated_us": 100.0})
    assert measure(run) == {"idle_least": 0.3, "idle_most": 0.5}


def test_parts_are_per_call_and_only_locks_of_every_call_count_as_waited_for(tmp_path):
    named = dict.fromkeys(urpc_table_2.PARTS, 2.0)
    locks = [
        {"name": "client.urpc_channels+0x40", "wait_us": 50.0, "acquisitions": 10},
        {"name": "client.urpc_channels", "wait_us": 9.0, "acquisitions": 2},
        {"name": "server.local_queues", "wait_us": 70.0, "acquisitions": 10},
    ]
    calls = {"count": 10, "parts_per_call_us": named | {"idle": 7.0}}
    found = urpc_table_2.measure(Run(tmp_path, {"calls": calls, "locks": locks}))
    assert found.pop("channel_wait") == 5.0
    assert found == named
