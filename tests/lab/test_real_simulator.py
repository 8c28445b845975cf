# SPDX-License-Identifier: MIT
"""Tiny sweeps with the real simulator. They need SYMSIM_BINARY, which `make test` sets."""

import os
from collections import Counter
from pathlib import Path

import pytest
from symlab import run, sweep

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
POINTS = {
    "machine.processors": [1, 2],
    "guest.args.lock": ["xchgb", "read"],
    "guest.args.increments": 200,
}

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def test_a_real_sweep_has_consistent_sums_is_kept_and_is_reproducible(tmp_path):
    config = ROOT / "papers" / "ALL" / "figures" / "figure-4.1.toml"
    first = sweep(config, out=tmp_path / "a", settings=POINTS, simulator=BINARY)
    assert list(first.status) == ["finished"] * 4
    for column in ("elapsed_us", "increments", "bus_busy_us", "instructions"):
        assert (first[column] > 0).all(), column
    states = first.executing_us + first.waiting_us + first.served_us + first.halted_us
    for total, row in zip(states, first.itertuples(), strict=True):
        assert total == pytest.approx(row.processors * row.simulated_us, abs=0.01)
    assert ((first.bus_utilisation > 0) & (first.bus_utilisation <= 1)).all()

    stamps = {p: p.stat().st_mtime_ns for p in (tmp_path / "a" / "runs").glob("*/summary.json")}
    sweep(config, out=tmp_path / "a", settings=POINTS, simulator=BINARY)
    assert {p: p.stat().st_mtime_ns for p in stamps} == stamps

    sweep(config, out=tmp_path / "b", jobs=1, settings=POINTS, simulator=BINARY)
    for name in [f"figure-4.1{end}" for end in (".csv", ".svg", ".png", "-claims.json")]:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


TURN_US = 0.625  # an iteration of the work's loop, 10 clocks at 16 MHz (guest/locks/turns.h)
DRAW_US = 14  # the part of a thread's work that draws its length (guest/workloads/thread_work.h)
STORE_US = 0.2  # a store occupies the bus for two cycles at 10 MHz
THREADS, WARM, WORK_US = 400, 32, 2000


def user_part(folder: Path, store_turns: int, program: str = "loaded_threads") -> dict[str, float]:
    """User time, its bus time and its number of stores per thread, from a run on one processor."""
    summary = run(
        ROOT / "papers" / "ALL" / "figures" / "figure-5.3.toml",
        settings={
            "machine.processors": 1,
            "guest.args.program": program,
            "guest.args.threads": THREADS,
            "guest.args.warm": WARM,
            "guest.args.work_us": WORK_US,
            "guest.args.store_turns": store_turns,
        },
        out=folder,
        simulator=BINARY,
        strict=False,
    )
    assert summary["guest"]["exit_status"] == 0
    bus, ran = summary["bus"], THREADS + WARM
    return {
        "us": summary["processors"][0]["activities_us"]["user"] / ran,
        "stores": bus["transactions_by_activity"]["user"]["store"] / ran,
        "store_bus_us": bus["busy_us_by_activity"]["user"]["store"] / ran,
        "bus_us": sum(bus["busy_us_by_activity"]["user"].values()) / ran,
    }


@pytest.mark.parametrize(("store_turns", "bus_share"), [(5, 0.050), (11, 0.025)])
def test_the_work_of_a_loaded_thread_takes_the_requested_time_and_bus_use(
    tmp_path, store_turns, bus_share
):
    null = user_part(tmp_path / "null", 0, "null_threads")
    plain = user_part(tmp_path / "plain", 0)
    loaded = user_part(tmp_path / "loaded", store_turns)
    # three standard deviations of a mean of uniform random numbers, relative to the mean
    by_chance = 3 / (12 * THREADS) ** 0.5 * 2
    work_us = plain["us"] - null["us"]
    assert work_us == pytest.approx(WORK_US, rel=by_chance)
    turns = (work_us - DRAW_US) / TURN_US  # the loop iterations drawn, equal in both runs
    stores = loaded["stores"] - plain["stores"]
    assert stores == pytest.approx(turns / store_turns - 0.5, rel=0.005), "none at the very end"
    assert loaded["store_bus_us"] - plain["store_bus_us"] == pytest.approx(stores * STORE_US)
    assert loaded["us"] > plain["us"], "stores lengthen the work"
    share = (loaded["bus_us"] - null["bus_us"]) / (loaded["us"] - null["us"])
    assert share == pytest.approx(bus_share, abs=0.001), "what configs of Figure 5.4 say"


def management_counts(folder: Path, image: str, processors: int, threads: int) -> Counter[str]:
    """Bus transactions of thread management, by activity and kind, and all lock acquisitions."""
    summary = run(
        ROOT / "papers" / "ALL" / "figures" / "section-4.5.toml",
        settings={
            "guest.image": image,
            "guest.args.threads": threads * processors,
            "machine.processors": processors,
        },
        out=folder,
        simulator=BINARY,
        strict=False,
    )
    assert summary["guest"]["exit_status"] == 0
    counts = Counter(acquisitions=sum(lock["acquisitions"] for lock in summary["locks"]))
    for activity in ("threads", "critical"):
        kinds = summary["bus"]["transactions_by_activity"][activity]
        counts.update({f"{activity} {kind}": count for kind, count in kinds.items()})
    return counts


def test_private_copies_run_the_code_of_local_free_lists_and_share_nothing(tmp_path):
    def of_a_thread(image: str, processors: int) -> dict[str, float]:
        few, many = (
            management_counts(tmp_path / f"{image}-{processors}-{n}", image, processors, n)
            for n in (100, 500)
        )
        return {key: (many[key] - few[key]) / (400 * processors) for key in many}

    alone = of_a_thread("private_threads", 1)
    shared = of_a_thread("null_threads-local-freelist", 1)
    shared["threads store"] += 1  # a thread's call of thread_create, which counts as the program's
    assert alone == shared
    assert alone["acquisitions"] == 2
    sections = of_a_thread("private_sections", 1)
    assert all(sections[key] == alone[key] for key in alone if key != "threads store")
    assert sections["threads store"] == 0, "nothing but sections and their acquisition"
    together = of_a_thread("private_threads", 8)
    assert together == pytest.approx(alone, abs=0.001), "no read misses, no waits"
