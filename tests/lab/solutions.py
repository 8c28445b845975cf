# SPDX-License-Identifier: MIT
"""The numbers in the solutions of the teaching kit, computed again from runs.

A table is found by the beginning of its head. A number has as many decimals as the page shows.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from doc_tables import DOCS, rows_behind
from symlab import cc, sweep

Rows = list[list[object]]
CACHES = ("write-through", "write-back")
QUEUE_LOCKS = ("read", "backoff", "ticket", "array", "clh", "mcs")


def compare(solution: str, head: str, expected: Rows) -> None:
    """Asserts that the table of a solution has these numbers. None: a cell that is not a number."""
    rows = rows_behind(f"teaching/solutions/{solution}.md", head)
    assert len(rows) == len(expected)
    for cells, values in zip(rows, expected, strict=True):
        shown = [text.replace(",", "").removesuffix(" %") for text in cells]
        for text, value in zip(shown, values, strict=True):
            if value is not None:
                decimals = len(text.partition(".")[2])
                assert text == f"{value:.{decimals}f}", f"{head}: {cells} but {values}"


def says(solution: str, sentence: str) -> None:
    """Asserts that the page has these words, with any line breaks."""
    text = " ".join((DOCS / f"teaching/solutions/{solution}.md").read_text().split())
    assert sentence in text, sentence


def pivot(runs: pd.DataFrame, keys: Sequence[str], value: str | pd.Series) -> dict:
    column = runs[value] if isinstance(value, str) else value
    return dict(zip(runs[[*keys]].itertuples(index=False, name=None), column, strict=True))


def spun(runs: pd.DataFrame) -> pd.Series:
    return runs.filter(regex="^spin_.*_transactions$").sum(axis=1) / runs["increments"]


def tas_ttas(runs: pd.DataFrame) -> None:
    keys = ["processors", "lock"]
    columns = [
        pivot(runs, keys, runs["elapsed_us"] / runs["increments"]),
        pivot(runs, keys, runs["lock_hold_us"] / runs["lock_acquisitions"]),
        pivot(runs, keys, runs["critical_us"] / runs["increments"]),
        pivot(runs, keys, spun(runs)),
    ]
    rows = [[p, *(of[p, k] for of in columns for k in ("xchgb", "read"))] for p in (1, 4, 20)]
    compare("1-tas-ttas", "| Processors | Increment, us: TAS", rows)


def tas_ttas_varied(folder: Path) -> None:
    machines: list[Mapping[str, object]] = [
        {},
        {"bus.locked_request": "keep-turn"},
        {"bus.locked_request": "skip"},
        {"bus.locked_request": "hold-bus"},
        {"bus.unlock": "cycle"},
        {"bus.unlock": "cycle", "bus.locked_request": "hold-bus"},
        {"cache.protocol": "write-back"},
    ]
    rows: Rows = []
    for number, machine in enumerate(machines):
        runs = varied(folder / f"one-{number}", "tas-ttas", machine, **{"machine.processors": 20})
        time = pivot(runs, ["lock"], runs["elapsed_us"] / runs["increments"])
        rows.append([None, time["xchgb",], time["read",]])
    compare("1-tas-ttas", "| Machine |", rows)


def varied(folder: Path, config: str, machine: Mapping, **more: object) -> pd.DataFrame:
    """The runs of the exercise's sweep at the notebook's size, with other settings."""
    return sweep(f"configs/teaching/{config}.toml", out=folder, settings={**machine, **more})


def false_sharing(runs: pd.DataFrame) -> None:
    time = pivot(
        runs, ["processors", "protocol", "stride"], runs["elapsed_us"] / runs["increments"]
    )
    rows = [[p, *(time[p, c, s] for c in CACHES for s in (4, 16))] for p in (1, 4, 8, 20)]
    compare("2-false-sharing", "| Processors | Write-through", rows)


def false_sharing_varied(folder: Path) -> None:
    cc("guest/workloads/false_sharing.c", output="false_sharing.elf")
    more = {"machine.processors": [4, 20], "guest.args.stride": [4, 8, 16, 32]}
    runs = varied(folder / "two", "false-sharing", more)
    time = pivot(
        runs, ["processors", "protocol", "stride"], runs["elapsed_us"] / runs["increments"]
    )
    rows = [[s, *(time[p, c, s] for p in (4, 20) for c in CACHES)] for s in (4, 8, 16, 32)]
    compare("2-false-sharing", "| Stride |", rows)
    eight = {"machine.processors": 8, "guest.args.stride": 16, "cache.protocol": "write-back"}
    [long, short] = (
        varied(folder / f"two-{n}", "false-sharing", eight | {"cache.line_bytes": n})["elapsed_us"]
        for n in (32, 16)
    )
    says(
        "2-false-sharing",
        f"take {long.item() / 1000:.1f} ms instead of {short.item() / 1000:.1f} ms",
    )


def backoff(runs: pd.DataFrame) -> None:
    keys = ["cap", "processors"]
    time = pivot(runs, keys, runs["elapsed_us"] / runs["increments"])
    wait = pivot(runs, keys, runs["lock_max_wait_us"] / 1000)
    fewest, most = (pivot(runs, keys, f"share_{end}imum") for end in ("min", "max"))
    caps = (4, 16, 64, 256, 1024, 4096)
    rows = [[c, time[c, 4], time[c, 20], wait[c, 4], wait[c, 20], None] for c in caps]
    compare("3-backoff", "| Cap, iterations |", rows)
    for cells, cap in zip(
        rows_behind("teaching/solutions/3-backoff.md", "| Cap, it"), caps, strict=True
    ):
        assert cells[-1] == f"{fewest[cap, 20]:.0f} and {most[cap, 20]:.0f}"


def backoff_varied(folder: Path) -> None:
    twenty, two, shares = [], [], []
    for least in (1, 4, 64, 256):
        options = ["-DDELAY_MOST=256", f"-DDELAY_LEAST={least}"]
        cc(
            "guest/workloads/counter.c",
            output="counter-cap-256.elf",
            lock="backoff",
            options=options,
        )
        more = {"guest.args.cap": 256, "machine.processors": [2, 20]}
        runs = varied(folder / f"three-{least}", "backoff", more).set_index("processors")
        time = runs["elapsed_us"] / runs["increments"]
        two.append(time[2])
        twenty.append(f"{time[20]:.1f}")
        shares.append(f"{runs['share_minimum'][20]:.0f} to {runs['share_maximum'][20]:.0f}")
    says("3-backoff", f"takes {', '.join(twenty[:3])} and {twenty[3]} us with a shortest mean")
    says("3-backoff", f"the time is {min(two):.1f} to {max(two):.1f} us in all four cases")
    says("3-backoff", f"not fairer: {shares[3]} increments by one processor, against {shares[0]}")


def queue_locks(runs: pd.DataFrame) -> None:
    keys = ["processors", "lock"]
    time = pivot(runs, keys, runs["elapsed_us"] / runs["increments"])
    spins, waits = pivot(runs, keys, spun(runs)), pivot(runs, keys, "lock_max_wait_us")
    rows: Rows = [[None, *(time[p, lock] for lock in QUEUE_LOCKS)] for p in (1, 2, 4, 12, 20)]
    rows += [[None, *(of[20, lock] for lock in QUEUE_LOCKS)] for of in (spins, waits)]
    compare("4-queue-locks", "| Increment, us |", rows)


def queue_locks_varied(folder: Path) -> None:
    locks = {"processor.isa": "i486", "guest.args.lock": ["mcs-cas", "ticket-xadd", "array-xadd"]}
    runs = varied(folder / "four-486", "queue-locks", locks, **{"machine.processors": [2, 4, 20]})
    time = pivot(runs, ["processors", "lock"], runs["elapsed_us"] / runs["increments"])
    one = {key: f"{value:.1f}" for key, value in time.items()}
    says("4-queue-locks", f"(`mcs-cas` on a 486): {one[2, 'mcs-cas']} us with two processors")
    says("4-queue-locks", f"it takes {one[4, 'mcs-cas']} us, with 20 {one[20, 'mcs-cas']}, as")
    ticket, array = ([one[p, f"{name}-xadd"] for p in (20, 2)] for name in ("ticket", "array"))
    says("4-queue-locks", f"`ticket-xadd` takes {ticket[0]} us and `array-xadd` {array[0]} us")
    says("4-queue-locks", f"With two they take {ticket[1]} and {array[1]} us")
    back = {"cache.protocol": "write-back", "machine.processors": [4, 20]}
    runs = varied(folder / "four-back", "queue-locks", back)
    time = pivot(runs, ["processors", "lock"], runs["elapsed_us"] / runs["increments"])
    rows = [[p, *(time[p, lock] for lock in QUEUE_LOCKS)] for p in (4, 20)]
    compare("4-queue-locks", "| Processors | `read`", rows)


def barriers(runs: pd.DataFrame) -> None:
    most = runs[runs["processors"] == 20]
    keys, episodes = ["protocol", "barrier"], most["episodes"]
    time = pivot(most, keys, most["elapsed_us"] / episodes)
    each = pivot(most, keys, most["all_transactions"] / episodes / most["processors"])
    use = pivot(most, keys, 100 * most["bus_utilisation"])
    names = ("counter", "arrival-tree", "mcs-tree", "combining", "dissemination", "tournament")
    rows = [[None, *(of[c, name] for c in CACHES for of in (time, each, use))] for name in names]
    compare("5-barriers", "| 20 processors |", rows)


def store_buffering(runs: pd.DataFrame) -> None:
    keys = ["store_policy", "fence", "processors"]
    pairs = [pivot(runs, keys, f"r0_r1_{pair}") for pair in ("00", "01", "10", "11")]
    cases = [("stall", 0, 2), ("block-port", 0, 2), *(("buffered", 0, p) for p in (2, 8, 16))]
    cases += [("buffered", 1, 2), ("buffered", 1, 16)]
    rows = [[None, None, case[2], *(of[case] for of in pairs)] for case in cases]
    compare("6-store-buffering", "| Policy | Fence |", rows)


def store_buffering_varied(folder: Path) -> None:
    cc("guest/workloads/store_buffering.c", output="store_buffering.elf")
    more = {"cache.write_buffer_depth": [1, 4], "cache.protocol": [*CACHES]}
    fixed = {"cache.store_policy": "buffered", "guest.args.fence": 0}
    runs = varied(folder / "six", "store-buffering", more | fixed)
    found = pivot(runs, ["processors", "protocol", "write_buffer_depth"], "r0_r1_00")
    rows = [[p, *(found[p, c, d] for c in CACHES for d in (1, 4))] for p in (2, 4, 8, 16)]
    compare("6-store-buffering", "| Processors | Write-through, depth 1", rows)


OF_NOTEBOOK: dict[str, Callable[[pd.DataFrame], None]] = {
    "1-tas-ttas": tas_ttas, "2-false-sharing": false_sharing, "3-backoff": backoff,
    "4-queue-locks": queue_locks, "5-barriers": barriers, "6-store-buffering": store_buffering,
}  # fmt: skip
VARIED = (tas_ttas_varied, false_sharing_varied, backoff_varied, queue_locks_varied,
          store_buffering_varied)  # fmt: skip
