# SPDX-License-Identifier: MIT
"""What the page on Bershad, Anderson, Lazowska & Levy (1991) quotes: its claims with verdicts, both
tables beside the paper's, times in the paper's units, and calls on many processors."""

import pandas as pd
from symlab.plot import models
from symlab.plot.curves import chosen
from symlab.results.markdown import table
from symlab_papers.documents.claim_table import claim_numbers, claim_table
from symlab_papers.documents.data import Data, Frame, curves, grid, significant

from ..figures import urpc_processors, urpc_table_1, urpc_table_2
from ..figures.urpc_others import LRPC, LRPC_CACHED, LRPC_US, TRAP, TRAP_US, URPC

PAPER = "URPC"


def tables(data: Data) -> dict[str, list[str]]:
    return {
        "claims": claim_table(data, PAPER),
        "table-1": _table_1(data),
        "table-2": _table_2(data),
        "units": _units(data),
        "calls": _calls(data),
        "processors": _processors(data),
        "clients": _clients(data),
    }


def numbers(data: Data) -> dict[str, str]:
    return claim_numbers(data, PAPER)


def _table_1(data: Data) -> list[str]:
    times = curves(data.csv(f"{PAPER}/table-1"), "image", "quantity", "value")
    rows = []
    for operation, (user, kernel) in urpc_table_1.TABLE.items():
        here = [times(image, operation) for image in (urpc_table_1.USER, urpc_table_1.KERNEL)]
        rows.append(
            (
                operation.replace("_", " "), f"{user:g}", f"{here[0]:.1f}",
                f"{kernel:g}", f"{here[1]:.1f}", f"{kernel / user:.1f}", f"{here[1] / here[0]:.1f}",
            )
        )  # fmt: skip
    titles = (
        "Operation, us", "FastThreads, paper", "simulated", "Taos, paper", "kernel threads",
        "Kernel over user, paper", "simulated",
    )  # fmt: skip
    return table(titles, rows)


def _table_2(data: Data) -> list[str]:
    times = curves(data.csv(f"{PAPER}/table-2"), "urpc_loaded", "quantity", "value")
    rows = []
    for part in urpc_table_2.CLIENT:
        cells = [part]
        for side, printed in urpc_table_2.SIDES.items():
            cells += [f"{printed[part]:g}", f"{times(urpc_table_2.BLOCKS, f'{side}_{part}'):.1f}"]
        rows.append(cells)
    sums = ["sum"]
    for side, printed in urpc_table_2.SIDES.items():
        here = sum(times(urpc_table_2.BLOCKS, f"{side}_{part}") for part in printed)
        sums += [f"{sum(printed.values()):g}", f"{here:.1f}"]
    titles = "Part, us", "Client, paper", "simulated", "Server, paper", "simulated"
    return table(titles, [*rows, sums])


def _units(data: Data) -> list[str]:
    """Times of the paper and of the simulation, in procedure calls, traps and yields."""
    first = curves(data.csv(f"{PAPER}/table-1"), "image", "quantity", "value")
    others = curves(data.csv(f"{PAPER}/section-4.3-others"), "way", "processors", "call_us")
    rate = curves(data.csv(f"{PAPER}/figure-4"), "pair", "threads", "calls_per_s")
    user = urpc_table_1.TABLE
    paper = {
        "procedure call": user["procedure_call"][0],
        "trap": TRAP_US,
        "yield": user["yield"][0],
        "URPC": 93.0,
        "URPC, pipelined": 53.0,
        "LRPC": LRPC_US,
        "kernel fork": user["fork"][1],
        "kernel ping-pong": user["ping_pong"][1],
    }
    here = {
        "procedure call": first(urpc_table_1.USER, "procedure_call"),
        "trap": others(TRAP, 1),
        "yield": first(urpc_table_1.USER, "yield"),
        "URPC": others(URPC, 2),
        "URPC, pipelined": 1e6 / rate("C=1, S=1", 2),
        "LRPC": others(LRPC_CACHED, 2),
        "kernel fork": first(urpc_table_1.KERNEL, "fork"),
        "kernel ping-pong": first(urpc_table_1.KERNEL, "ping_pong"),
    }
    rows = [
        (name, *(f"{of[name] / of[unit]:.1f}" for unit in list(paper)[:3] for of in (paper, here)))
        for name in list(paper)[3:]
    ]
    titles = ["Time"]
    for unit in list(paper)[:3]:
        titles += [f"In {unit}s, paper", "simulated"]
    return table(titles, rows)


def _calls(data: Data) -> list[str]:
    frame = data.csv(f"{PAPER}/section-4.3-others")
    rows = [
        (way, f"{processors}", f"{us:.0f}")
        for way, processors, us in zip(
            frame["way"], frame["processors"], frame["call_us"], strict=True
        )
        if way in (URPC, LRPC, LRPC_CACHED, "messages")
    ]
    return table(("Null call by", "Processors", "us"), rows)


def _many(frame: pd.DataFrame, protocol: str, key: str) -> list[str]:
    here: Frame = chosen(frame, protocol=protocol)
    rate = here.set_index([key, "processors"])["calls_per_s"]
    found = {name: str(name) for name in dict.fromkeys(here[key])}

    def cell(name: object, processors: object) -> str:
        return significant(rate[name, processors]) if (name, processors) in rate.index else ""

    corner = f"{models.NAMES[protocol]}, calls/s, by processors"
    return grid(corner, found, sorted(set(here["processors"])), cell)


def _processors(data: Data) -> list[str]:
    frame = data.csv(f"{PAPER}/section-4.3-processors")
    return [*_many(frame, "write-through", "lock"), "", *_many(frame, "write-back", "lock")]


def _clients(data: Data) -> list[str]:
    """With the numbers of one client, whose channel's locks are tried once."""
    one = chosen(
        data.csv(f"{PAPER}/section-4.3-processors"), lock=urpc_processors.LOCKS["urpc_load"]
    )
    frame = pd.concat([one.assign(clients=1), data.csv(f"{PAPER}/section-4.3-clients")])
    return [*_many(frame, "write-through", "clients"), "", *_many(frame, "write-back", "clients")]
