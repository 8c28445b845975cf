# SPDX-License-Identifier: MIT
"""The sentence and the numbers of the first screen are true for each kind of run."""

import re

import pytest
from report_runs import NEEDS_SIMULATOR, guest_test, quickstart
from symlab.errors import RunFailed
from symlab.report.opening import headline, most_spun_for, tiles
from symlab.report.run_data import RunData, load_run, ps
from symlab.report.run_page import run_page
from symlab.report.section import Tile
from symlab.report.time_parts import PARTS, critical_parts, time_parts
from symlab.report.words import number, share, time

pytestmark = NEEDS_SIMULATOR

SPINNING = (
    "The processors spent N % of their time spinning; in critical sections they waited for the "
    "bus for N % of the time."
)
IDLE = "The processors spent N % of their time without work; the bus was busy for N % of the run."

# Name of the run -> what is set, and its sentence with N for each number.
RUNS: dict[str, tuple[dict[str, str | int | float], str]] = {
    "a log": (
        {"observe__transactions": True},
        SPINNING.replace("spinning", "spinning for counter_lock"),
    ),
    "no log": ({}, SPINNING),
    "a window": (
        {
            "observe__transactions": True,
            "observe__window__from_us": 2000.0,
            "observe__window__to_us": 2500.0,
        },
        SPINNING,
    ),
    "one processor": (
        {"machine__processors": 1},
        "The processor spent N % of its time being served by bus and memory; the bus was busy for "
        "N % of the run.",
    ),
    "a barrier": (
        {"guest__image": "barriers-counter", "guest__args__rounds": 100},
        "The processors spent N % of their time spinning, and the bus was busy with it for N % of "
        "the run.",
    ),
    "no lock": (
        {"guest__image": "tables", "guest__args__rounds": 1},
        "The processors spent N % of their time executing instructions; the largest loss was N %, "
        "being served by bus and memory.",
    ),
    "threads": ({"guest__image": "quicksort-single-lock", "machine__processors": 8}, IDLE),
    "a limit": ({"run__limit_ms": 3}, SPINNING),
    "a crash": ({"guest__image": guest_test("crash")}, IDLE),
    "an exit": ({"guest__image": guest_test("panic")}, IDLE),
}
FAILING = {"a limit", "a crash", "an exit"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunData]:
    found = {}
    for name, (settings, _) in RUNS.items():
        folder = tmp_path_factory.mktemp("opening") / name.replace(" ", "-")
        if name in FAILING:
            with pytest.raises(RunFailed):
                quickstart(folder, **settings)
        else:
            quickstart(folder, **settings)
        found[name] = load_run(folder)
    return found


def tile(run: RunData, label: str) -> Tile:
    [found] = [tile for tile in tiles(run) if tile.label.startswith(label)]
    return found


def percents(text: str) -> list[float]:
    return [float(value) for value in re.findall(r"([0-9.]+)\u00a0%", text)]


@pytest.mark.parametrize("name", RUNS)
def test_the_sentence_of_each_kind_of_run(runs, name):
    sentence = headline(runs[name])
    assert re.sub(r"(under |over )?[0-9.]+\u00a0%", "N %", sentence) == RUNS[name][1]
    assert len(sentence.split()) <= 30


@pytest.mark.parametrize("name", RUNS)
def test_the_numbers_of_the_sentence_agree_with_the_summary(runs, name):
    run = runs[name]
    whole = run.end_ps * len(run.processors)
    parts = time_parts(run.processors)
    assert sum(parts.values()) == whole
    first, second = percents(headline(run))
    largest = max(parts.values())
    assert first == pytest.approx(100 * largest / whole, abs=1 if name == "a log" else 0.06)
    critical = [p["states_us_by_activity"]["critical"] for p in run.processors]
    waited = sum(times["waiting"] for times in critical)
    if "critical sections" in headline(run):
        inside = sum(sum(times.values()) for times in critical)
        assert second == pytest.approx(100 * waited / inside, abs=0.06)
        assert tile(run, "Lock holders").value == f"{share(waited, inside)} waiting"
    assert tile(run, "Time of the processors").value.startswith(share(largest, whole))
    utilisation = run.summary["bus"]["utilisation"]
    assert percents(tile(run, "Bus").value) == [pytest.approx(100 * utilisation, abs=0.06)]


@pytest.mark.parametrize("name", RUNS)
def test_the_bars_are_whole(runs, name):
    for each in tiles(runs[name]):
        if each.bar:
            assert sum(part.size for part in each.bar) == pytest.approx(1, abs=1e-5)


def test_the_longest_wait_is_that_of_locks_csv_or_of_the_bus(runs):
    run = runs["no log"]
    longest = run.locks.loc[run.locks["max_wait_us"].idxmax()]
    found = tile(run, "Longest wait for a lock")
    assert found.value == time(longest["max_wait_us"])
    assert found.notes[0] == f"Processor {longest['processor']}, for counter_lock."
    bus = runs["no lock"].summary["bus"]
    assert tile(runs["no lock"], "Longest wait for the bus").value == time(bus["max_wait_us"])
    assert tile(runs["no lock"], "Lock holders").value == "none"


def test_a_wait_that_did_not_end_counts_as_the_longest(runs):
    run = runs["no log"]
    rows = run.locks.copy()
    rows["open_wait_us"] = [0.0, 54321.0, 0.0, 0.0]
    found = tile(RunData("stuck", run.summary, run.bus, rows), "Longest wait for a lock")
    assert found.value == time(54321)
    assert found.notes[:2] == [
        "Processor 1, for counter_lock.",
        "It had not ended when the run did.",
    ]


def test_spinning_for_a_lock_agrees_with_a_plain_loop(runs):
    run = runs["a log"]
    assert run.log is not None
    waits_since: dict[int, int] = {}
    spins_since: dict[int, int] = {}
    spun = 0
    for mark in sorted(run.log.marks.itertuples(), key=lambda mark: mark.time_ps):
        at, who, probe = int(mark.time_ps), int(mark.processor), str(mark.probe)
        activity = str(mark.activity) if mark.what == "activity" else ""
        ends = probe == "lock_acquired" or activity
        if who in waits_since and who in spins_since and ends:
            spun += at - max(waits_since[who], spins_since[who])
        if activity:
            spins_since.pop(who, None)
        if activity == "spin":
            spins_since[who] = at
        if probe == "lock_acquired":
            waits_since.pop(who, None)
        if probe == "lock_attempt":
            waits_since[who] = at
    assert most_spun_for(run) == ("counter_lock", spun)
    assert spun > 0
    assert most_spun_for(runs["a window"]) == ("", 0)


def test_failures_are_named_above_the_sentence(runs):
    [crash] = run_page(runs["a crash"]).warnings
    assert "divide error" in crash and "processor 0 at" in crash and "crash.c:9" in crash
    assert "All numbers are right up to" in crash
    [exited] = run_page(runs["an exit"]).warnings
    assert exited.startswith("The guest ended with exit status 1.")
    assert "panic on processor" in exited
    [limit] = run_page(runs["a limit"]).warnings
    assert "did not reach its end (time-limit)" in limit
    for name in ("a crash", "an exit"):
        assert run_page(runs[name]).sections[0].id == "guest"
    assert "Backtrace" in run_page(runs["a crash"]).sections[0].texts
    assert run_page(runs["no log"]).warnings == []


@pytest.mark.parametrize("name", RUNS)
def test_provenance_is_last(runs, name):
    assert run_page(runs[name]).sections[-1].id == "provenance"


def test_parts_of_critical_sections_are_states(runs):
    run = runs["no log"]
    parts = critical_parts(run.processors)
    assert parts.keys() == PARTS.keys()
    served = sum(ps(p["states_us_by_activity"]["critical"]["served"]) for p in run.processors)
    assert parts["served"] == served > 0
    assert parts["spinning"] == parts["idle"] == 0


def test_numbers_in_words():
    texts = ("0 %", "under 0.1 %", "0.1 %", "79.7 %", "99.9 %", "over 99.9 %", "100 %")
    found = [share(part, 1000) for part in (0, 0.4, 0.5, 797, 999.4, 999.6, 1000)]
    assert found == [text.replace(" %", "\u00a0%") for text in texts]
    assert share(0, 0) == "0\u00a0%"
    found = [number(value) for value in (53502.4, 240.6, 17.81, 2.874, 24.0)]
    assert found == ["53,502", "241", "17.8", "2.87", "24"]
