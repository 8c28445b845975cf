# SPDX-License-Identifier: MIT
"""trace.pftrace of real runs, read with Perfetto's own classes, agrees with the summary to the
picosecond."""

import csv
import itertools
import json
import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from pftrace import Slice, Trace, read_trace

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
PS_PER_US = 1_000_000
LOCK = {"machine.processors": 4, "guest.args.increments": 40, "guest.args.lock": "read"}

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

Runner = Callable[..., Path]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A function that makes a run, and returns the same run if it is asked for again."""
    done: dict[str, Path] = {}

    def once(config: str, perfetto: bool = True, **settings: Any) -> Path:
        wanted = {"observe.perfetto": perfetto, **settings}
        key = json.dumps([config, wanted])
        if key not in done:
            out = tmp_path_factory.mktemp("run")
            command = [str(BINARY), str(ROOT / "configs" / config), "--quiet", "--out", str(out)]
            for name, value in wanted.items():
                text = json.dumps(value) if isinstance(value, bool) else str(value)
                command += ["--set", f"{name}={text}"]
            subprocess.run(command, check=False, capture_output=True, cwd=ROOT)
            done[key] = out
        return done[key]

    return once


def summary_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "summary.json").read_text())


def ps(us: float) -> int:
    return round(us * PS_PER_US)


def total(slices: Iterable[Slice]) -> int:
    return sum(s.duration for s in slices)


def check_processors(trace: Trace, summary: dict[str, Any]) -> None:
    end = ps(summary["simulated_us"])
    for processor in summary["processors"]:
        name = f"processor {processor['processor']}"
        activities: dict[str, int] = Counter()
        for s in trace.on(name):
            activities[s.name] += s.duration
        states: dict[tuple[str, str], int] = Counter()
        for s in trace.on(name, "bus"):
            states[s.category, s.name] += s.duration
        assert sum(activities.values()) == end
        for activity, us in processor["activities_us"].items():
            assert activities[activity] == ps(us), (name, activity)
        for activity, by_state in processor["states_us_by_activity"].items():
            for state, us in by_state.items():
                if state != "executing":
                    assert states[activity, state] == ps(us), (name, activity, state)


def check_bus(trace: Trace, summary: dict[str, Any]) -> None:
    bus = summary["bus"]
    uses = trace.on("bus")
    busy: dict[tuple[str, str], int] = Counter()
    count: dict[tuple[str, str], int] = Counter()
    wait: dict[str, int] = Counter()
    busy_of: dict[int, int] = Counter()
    for s in uses:
        kind = s.name.removesuffix(" reply")
        busy[s.category, kind] += s.duration
        busy_of[int(s.notes["processor"])] += s.duration
        if s.name == kind:
            count[s.category, kind] += 1
            wait[kind] += int(s.notes["wait_ps"])
    assert total(uses) == ps(bus["busy_us"])
    assert sum(count.values()) == bus["all_transactions"]
    assert len(uses) - sum(count.values()) == bus["replies"]
    assert sum(wait.values()) == ps(bus["wait_us"])
    for activity, kinds in bus["transactions_by_activity"].items():
        for kind, number in kinds.items():
            assert count[activity, kind] == number, (activity, kind)
            assert busy[activity, kind] == ps(bus["busy_us_by_activity"][activity][kind])
    for processor in summary["processors"]:
        assert busy_of[processor["processor"]] == ps(processor["bus_busy_us"])


def check_locks(trace: Trace, summary: dict[str, Any]) -> None:
    assert summary["locks"]
    for lock in summary["locks"]:
        track = f"lock {lock['name']}"
        holds, waits = trace.on(track, "holder"), trace.on(track, "waiters")
        for slices, key in ((holds, "hold"), (waits, "wait")):
            whole = [s for s in slices if "open" not in s.notes]
            assert total(whole) == ps(lock[f"{key}_us"])
            assert max((s.duration for s in whole), default=0) == ps(lock[f"max_{key}_us"])
            assert total(set_apart(slices)) == ps(lock[f"open_{key}_us"])
        assert len(waits) - len(set_apart(waits)) == lock["acquisitions"]
        assert len(holds) - len(set_apart(holds)) == lock["releases"]


def set_apart(slices: list[Slice]) -> list[Slice]:
    return [s for s in slices if "open" in s.notes]


def check_counters(trace: Trace, folder: Path) -> None:
    """Checks that each row of bus.csv has the values of the counters at the row's beginning."""
    with (folder / "bus.csv").open() as file:
        rows = list(csv.DictReader(file))
    for name, column in [
        ("mean queue length", "mean_queue_length"),
        ("share spin", "share_activity_spin"),
        ("share critical", "share_activity_critical"),
    ]:
        steps = dict(trace.counters["bus", name])
        value = 0.0
        for row in rows:
            value = steps.get(ps(float(row["start_us"])), value)
            assert value == pytest.approx(float(row[column]), abs=1e-6), (name, row["start_us"])


def check_spinners(trace: Trace, summary: dict[str, Any]) -> None:
    """Checks that the counter of spinners equals the number of spinning processors at any time."""
    steps: dict[int, int] = Counter()
    for processor in summary["processors"]:
        for s in trace.on(f"processor {processor['processor']}"):
            if s.name == "spin":
                steps[s.start // 1000] += 1
                steps[s.end // 1000] -= 1
    end = ps(summary["simulated_us"]) // 1000
    count, expected = 0, {}
    for at in sorted(steps):
        count += steps[at]
        expected[at] = count
    for at, value in trace.counters["spinners",]:
        if at // 1000 in expected and at // 1000 < end:
            # If the counter changes several times within a nanosecond, the last value counts.
            last = [v for t, v in trace.counters["spinners",] if t == at][-1]
            assert last == expected[at // 1000]
        elif at > 0:
            pytest.fail(f"spinners change to {value} at {at} ps, where nobody begins or ends")
    assert {at for at in expected if at < end} <= {
        t // 1000 for t, _ in trace.counters["spinners",]
    }


def check_all(folder: Path) -> Trace:
    trace, summary = read_trace(folder / "trace.pftrace"), summary_of(folder)
    assert summary["perfetto"] == {
        "file": "trace.pftrace",
        "complete": True,
        "from_us": 0,
        "until_us": summary["simulated_us"],
    }
    check_processors(trace, summary)
    check_bus(trace, summary)
    check_counters(trace, folder)
    check_spinners(trace, summary)
    return trace


def test_the_lock_trace_agrees_with_the_summary(run: Runner) -> None:
    folder = run("quickstart.toml", **LOCK)
    trace = check_all(folder)
    check_locks(trace, summary_of(folder))
    holders = sorted(trace.on("lock counter_lock", "holder"), key=lambda s: s.start)
    assert all(a.end <= b.start for a, b in itertools.pairwise(holders))
    assert {s.name for s in holders} == {f"processor {p}" for p in range(4)}
    symbols = {s.notes["symbol"] for s in trace.on("bus") if s.name == "locked_read"}
    assert "counter_lock" in symbols


def test_an_interrupted_run_shows_what_was_in_progress(run: Runner) -> None:
    whole = read_trace(run("quickstart.toml", **LOCK) / "trace.pftrace")
    longest = max(whole.on("lock counter_lock", "waiters"), key=lambda s: s.duration)
    middle_us = (longest.start + longest.end) // 2 / PS_PER_US
    folder = run("quickstart.toml", **LOCK, **{"run.limit_ms": middle_us / 1000})
    summary = summary_of(folder)
    assert summary["status"] == "time-limit"
    check_locks(check_all(folder), summary)
    assert summary["locks"][0]["open_wait_us"] > 0


def test_both_engines_write_the_same_bytes(run: Runner) -> None:
    settings = {**LOCK, "guest.args.increments": 400}
    fast = run("quickstart.toml", **settings)
    reference = run("quickstart.toml", **settings, **{"run.engine": "reference"})
    for name in ("trace.pftrace", "summary.json", "bus.csv", "locks.csv"):
        assert (fast / name).read_bytes() == (reference / name).read_bytes(), name


def test_a_trace_changes_no_number(run: Runner) -> None:
    settings = {**LOCK, "guest.args.increments": 400}
    traced, plain = run("quickstart.toml", **settings), run("quickstart.toml", False, **settings)
    for name in ("bus.csv", "locks.csv", "console.txt"):
        assert (traced / name).read_bytes() == (plain / name).read_bytes(), name
    a, b = summary_of(traced), summary_of(plain)
    assert a.pop("config") != b.pop("config")
    assert a.pop("perfetto") is not None
    assert b.pop("perfetto") is None
    assert a == b
    assert not (plain / "trace.pftrace").exists()


def overlap(s: Slice, begin: int, end: int) -> int:
    return max(0, min(s.end, end) - max(s.start, begin))


def test_a_window_equals_that_part_of_the_whole_trace(run: Runner) -> None:
    whole = read_trace(run("quickstart.toml", **LOCK) / "trace.pftrace")
    begin, end = ps(1100.03125), ps(1400.1)
    folder = run(
        "quickstart.toml",
        **LOCK,
        **{"observe.window.from_us": 1100.03125, "observe.window.to_us": 1400.1},
    )
    part = read_trace(folder / "trace.pftrace")
    note = summary_of(folder)["perfetto"]
    assert (note["from_us"], note["until_us"], note["complete"]) == (1100.03125, 1400.1, True)
    uses = [s for s in whole.on("bus") if begin <= s.start < end]
    assert len(uses) > 100
    assert part.on("bus") == uses
    sums: dict[tuple[tuple[str, ...], str], int] = defaultdict(int)
    for s in whole.slices:
        if s.path != ("bus",):
            sums[s.path, s.name] += overlap(s, begin, end)
    for s in part.slices:
        if s.path != ("bus",):
            assert begin <= s.start <= s.end <= end
            sums[s.path, s.name] -= s.duration
    assert {key: rest for key, rest in sums.items() if rest} == {}


def test_a_window_around_an_event_is_the_same_on_both_engines(run: Runner) -> None:
    settings = {
        **LOCK,
        "observe.vcd": True,
        "observe.window.around": "lock_release",
        "observe.window.around_value": "counter_lock",
        "observe.window.around_us": 40.5,
    }
    fast = run("quickstart.toml", **settings)
    reference = run("quickstart.toml", **settings, **{"run.engine": "reference"})
    whole = read_trace(run("quickstart.toml", **LOCK) / "trace.pftrace")
    first = min(s.end for s in whole.on("lock counter_lock", "holder"))
    note = summary_of(fast)["perfetto"]
    assert (ps(note["from_us"]), ps(note["until_us"])) == (
        first - 40_500_000,
        first + 40_500_000,
    )
    part = read_trace(fast / "trace.pftrace")
    assert total(part.on("processor 0")) == 81_000_000
    assert part.on("bus") == [s for s in whole.on("bus") if abs(s.start + 1 - first) <= 40_500_000]
    for name in ("trace.pftrace", "trace.vcd"):
        assert (fast / name).read_bytes() == (reference / name).read_bytes(), name


def test_a_window_at_the_end_of_a_failing_run(run: Runner) -> None:
    settings = {**LOCK, "run.limit_ms": 1.3333, "observe.window.last_ms": 0.25}
    folder = run("quickstart.toml", **settings)
    note = summary_of(folder)["perfetto"]
    assert (note["from_us"], note["until_us"]) == (1083.3, 1333.3)
    part = read_trace(folder / "trace.pftrace")
    assert total(part.on("processor 2")) == 250_000_000
    whole = read_trace(run("quickstart.toml", **LOCK, **{"run.limit_ms": 1.3333}) / "trace.pftrace")
    assert part.on("bus") == [s for s in whole.on("bus") if s.start >= ps(1083.3)]


def test_at_its_size_limit_the_trace_ends_on_all_tracks_and_reports_it(run: Runner) -> None:
    settings = {**LOCK, "guest.args.increments": 1500, "observe.perfetto_limit_mb": 4}
    folder = run("quickstart.toml", **settings)
    summary = summary_of(folder)
    note = summary["perfetto"]
    assert not note["complete"]
    assert 0 < note["until_us"] < summary["simulated_us"]
    assert (folder / "trace.pftrace").stat().st_size <= 4 << 20
    trace = read_trace(folder / "trace.pftrace")
    until = ps(note["until_us"])
    for processor in range(4):
        assert total(trace.on(f"processor {processor}")) == until
    assert all(s.end <= until for s in trace.slices)
    assert all(at < until for steps in trace.counters.values() for at, _ in steps)


def test_threads_run_on_their_processors(run: Runner) -> None:
    settings = {"guest.args.threads": 40, "machine.processors": 3, "run.engine": "fast"}
    folder = run("bench/null-threads-single.toml", **settings)
    trace = check_all(folder)
    runs = [s for s in trace.slices if s.path[1:] == ("threads",)]
    finished = [s for s in runs if s.category == "finish"]
    created = [s for s in trace.instants if s.path[1:] == ("threads",) and s.name == "create"]
    assert len(finished) == len(created) >= 40
    assert {s.path[0] for s in runs} <= {f"processor {p}" for p in range(3)}
    assert Counter(s.notes["thread"] for s in finished) == Counter(
        s.notes["thread"] for s in created
    )
