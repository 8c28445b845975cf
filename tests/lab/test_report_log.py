# SPDX-License-Identifier: MIT
"""Sections made from the log of a real run agree with plain loops over the log's rows."""

import csv
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from report_runs import NEEDS_SIMULATOR, quickstart
from symlab.errors import UserError
from symlab.report.distributions import cumulative, quantile, table
from symlab.report.episodes import NEVER, episodes
from symlab.report.handoff import handoff, handoffs
from symlab.report.holder_waits import LOCKED, locked_lines, waits_of_holders
from symlab.report.lines import lines, suspects, uses_of_lines
from symlab.report.locks import hold_times, wait_times
from symlab.report.occupied import union
from symlab.report.processors import time_chart
from symlab.report.profile import by_function, parse, profile
from symlab.report.run_data import RunData, load_run, ps
from symlab.report.timelines import (
    UNKNOWN,
    activity_spans,
    covered,
    stacked,
    state_spans,
    timeline,
)
from symlab.report.utilisation import shares_of_processors

pytestmark = NEEDS_SIMULATOR


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("log") / "run"
    return quickstart(where, guest__args__increments=150, observe__transactions=True)


@pytest.fixture(scope="module")
def run(folder: Path) -> RunData:
    return load_run(folder)


def lock_marks(run: RunData) -> list[tuple[int, int, str, int]]:
    """(time in ps, processor, probe, lock) of all lock probes, in order of time."""
    assert run.log is not None
    rows: Any = run.log.marks.itertuples()
    return [
        (int(m.time_ps), int(m.processor), str(m.probe), int(m.value))
        for m in rows
        if str(m.probe).startswith("lock_")
    ]


def test_waits_and_holds_sum_to_locks_csv(folder, run):
    waits, holds = run.episodes.ended_waits, run.episodes.holds
    with (folder / "locks.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    for row in rows:
        mine = waits[waits["processor"] == int(row["processor"])]
        times = mine["acquired_ps"] - mine["attempt_ps"]
        assert times.sum() == Fraction(row["wait_us"]) * 10**6
        assert times.max() == Fraction(row["max_wait_us"]) * 10**6
        mine = holds[holds["processor"] == int(row["processor"])]
        times = mine["released_ps"] - mine["acquired_ps"]
        assert times.sum() == Fraction(row["hold_us"]) * 10**6
        assert len(times) == int(row["releases"])
    [name] = run.lock_names.values()
    assert len(wait_times(run)[name]) == len(hold_times(run)[name]) == 150


def marks(*rows: tuple[int, int, str]) -> pd.DataFrame:
    """A table of marks from tuples (time in ps, processor, probe) for one lock."""
    data = [(at, who, f"lock_{probe}", 64) for at, who, probe in rows]
    return pd.DataFrame(data, columns=["time_ps", "processor", "probe", "value"])


def test_a_second_attempt_replaces_the_first_and_an_open_wait_is_kept():
    found = episodes(
        marks(
            (1, 0, "attempt"),
            (3, 0, "attempt"),
            (7, 0, "acquired"),
            (8, 1, "attempt"),
            (9, 1, "release"),
        )
    )
    assert found.waits.to_numpy().tolist() == [[64, 0, 3, 7], [64, 1, 8, NEVER]]
    assert len(found.ended_waits) == 1
    assert len(found.holds) == 0
    assert found.releases["time_ps"].tolist() == [9]


def test_a_handoff_goes_to_a_waiting_processor():
    found = handoffs(
        episodes(
            marks(
                (1, 0, "attempt"),
                (2, 0, "acquired"),
                (3, 1, "attempt"),
                (4, 2, "attempt"),
                (10, 0, "release"),
                (13, 2, "acquired"),
                (20, 2, "release"),
                (26, 1, "acquired"),
                (30, 1, "release"),
                (31, 0, "attempt"),  # does not wait yet at the release at 30
                (32, 0, "acquired"),
            )
        )
    )
    assert found.to_numpy().tolist() == [[64, 10, 0, 2, 2, 3], [64, 20, 2, 1, 1, 6]]


def test_handoffs_of_the_run_agree_with_a_plain_loop(run):
    events = lock_marks(run)
    expected = []
    waiting: dict[int, int] = {}
    for index, (at, who, probe, _lock) in enumerate(events):
        if probe == "lock_attempt":
            waiting[who] = at
        elif probe == "lock_acquired":
            waiting.pop(who, None)
        else:
            following = [e for e in events[index + 1 :] if e[2] == "lock_acquired"]
            if following and following[0][1] in waiting:
                expected.append((at, who, following[0][1], len(waiting), following[0][0] - at))
    found = handoffs(run.episodes).drop(columns="lock")
    assert [tuple(row) for row in found.to_numpy().tolist()] == expected
    assert len(expected) > 100
    section = handoff(run)
    assert section is not None
    assert section.tables[0].rows[0][1] == len(expected)


def test_quantiles_are_values_that_occurred():
    ordered = np.array([1, 2, 3, 4, 10])
    assert [quantile(ordered, share) for share in (0.0, 0.2, 0.21, 0.5, 0.8, 0.99)] == [
        1, 1, 2, 3, 4, 10,
    ]  # fmt: skip
    [row] = table("t", "T", {"a": ordered * 10**6}).rows
    assert row == ["a", 5, 4.0, 1.0, 3.0, 10.0, 10.0, 10.0]
    [curve] = cumulative({"a": ordered * 10**6}, "x").data
    assert list(zip(curve.x, curve.y, strict=True)) == [
        (1, 0.2), (2, 0.4), (3, 0.6), (4, 0.8), (10, 1.0),
    ]  # fmt: skip


def test_timelines_cover_what_the_summary_says(run):
    assert run.log is not None
    count, end = len(run.processors), run.end_ps
    borders = np.array([0, end // 3, end])
    for spans, key in (
        (activity_spans(run.log.marks, count, 0, end), "activities_us"),
        (state_spans(run.log.states), "states_us"),
    ):
        for processor in run.processors:
            names = list(processor[key])
            mine = spans[spans["processor"] == processor["processor"]]
            parts = covered(mine, borders, names)
            assert parts.sum(axis=0).tolist() == [end // 3, end - end // 3]
            assert parts.sum(axis=1).tolist() == [ps(processor[key][name]) for name in names]


def test_a_step_of_the_timeline_is_divided_by_shares(run):
    chart = timeline(run)
    assert chart is not None
    for view in chart.views.values():
        texts, painted = view.data
        names = [name for name, _ in view.layout.meta["legend"]]
        cells = [z for z, who in zip(painted.z, painted.customdata, strict=True) if who == "1"]
        assert set(cells[-1]) == {UNKNOWN}  # the gap to the next processor
        for column, text in zip(zip(*cells[:-1], strict=True), texts.text[1], strict=True):
            parts = {p.split()[0]: float(p.split()[1].rstrip("%")) for p in text.split(", ")}
            for index, name in enumerate(names):
                expected = parts.get(name, 0) / 100 * len(column)
                assert abs(column.count(str(index)) - expected) < 1.01


def test_the_first_name_is_painted_lowest():
    times = np.array([[3, 0, 0], [1, 0, 4]])
    assert stacked(times, 4) == ["1.1", "0.1", "0.1", "0.1"]


def test_activities_before_the_first_change_in_a_window_are_unknown(run):
    assert run.log is not None
    late = run.log.marks[run.log.marks["time_ps"] >= 10**9]
    spans = activity_spans(late, len(run.processors), 10**9, run.end_ps)
    assert spans["start_ps"].min() >= 10**9
    config = {**run.config, "observe.window.from_us": 1000.0, "observe.window.to_us": 1500.5}
    cut = RunData("cut", {**run.summary, "config": config}, run.bus, run.locks, log=run.log)
    assert cut.log_span_ps == (1_000_000_000, 1_500_500_000)
    chart = timeline(cut)
    assert chart is not None
    assert "from 1,000.0 to 1,500.5 us only" in chart.note
    assert run.log_note == ""


def test_the_bus_by_processor_sums_to_the_summary(run):
    assert run.log is not None
    rows = shares_of_processors(run, run.log.bus)
    lengths = rows["end_us"] - rows["start_us"]
    for processor in run.processors:
        held = (rows[str(processor["processor"])] * lengths).sum()
        assert held == pytest.approx(processor["bus_busy_us"], abs=1e-3)


def test_the_hottest_lines_agree_with_a_plain_loop(run):
    assert run.log is not None
    busy: dict[int, int] = defaultdict(int)
    count: dict[int, int] = defaultdict(int)
    writers: dict[int, set[int]] = defaultdict(set)
    for use in run.log.bus.itertuples():
        if use.address < 0x80000000:
            line = int(use.address) // 16 * 16
            busy[line] += int(use.duration_ps)
            count[line] += not use.reply
            if use.kind in ("store", "locked_store", "unlock") and not use.reply:
                writers[line].add(int(use.processor))
    hottest = lines(run).tables[0]
    order = sorted(busy, key=lambda line: (-busy[line], line))
    assert [row[0] for row in hottest.rows] == [f"{line:#010x}" for line in order[:30]]
    for row, line in zip(hottest.rows, order, strict=False):
        assert row[2] == count[line]
        assert ps(float(str(row[3]))) == busy[line]
        assert row[7] == len(writers[line])
    assert hottest.rows[0][1] == "counter_lock"


def test_false_sharing_is_suspected_of_lines_with_writers_at_different_words():
    def store(address: int, processor: int, activity: str = "user") -> dict[str, object]:
        use = {"grant_ps": 0, "posted_ps": 0, "duration_ps": 5, "reply": False, "symbol": ""}
        more = {"kind": "store", "address": address, "processor": processor, "activity": activity}
        return {**use, **more}

    uses = [
        *(store(0x100, 0), store(0x104, 1)),  # each processor writes its own word
        *(store(0x110, 0), store(0x110, 1)),  # both write the same word
        *(store(0x120, 0), store(0x124, 0)),  # a single writer
        *(store(0x130, 0, "boot"), store(0x134, 1)),  # the first write is by boot
        *(store(0x140, 0), store(0x140, 1), store(0x144, 1)),
    ]
    found = suspects(uses_of_lines(pd.DataFrame(uses), 16))
    assert [row[0] for row in found.rows] == ["0x00000140", "0x00000100"]
    assert found.rows[1][2:7] == [2, 2, 2, 2, 2]
    assert found.rows[0][2:7] == [2, 2, 1, 1, 3]


@pytest.fixture(scope="module")
def held_bus(tmp_path_factory: pytest.TempPathFactory) -> RunData:
    """A run in which a request waits on the bus while another processor has its line locked."""
    how = {"bus__locked_request": "hold-bus", "bus__unlock": "cycle"}
    where = tmp_path_factory.mktemp("held-bus") / "run"
    return load_run(
        quickstart(where, guest__args__increments=150, observe__transactions=True, **how)
    )


@pytest.mark.parametrize("which", ["run", "held_bus"])
def test_the_waits_of_holders_agree_with_a_plain_loop(request, which):
    run = request.getfixturevalue(which)
    assert run.log is not None
    bus = list(run.log.bus.itertuples())
    holder_waits: dict[str, int] = defaultdict(int)
    waited = 0
    for wait in bus:
        if wait.activity != "critical" or wait.reply:
            continue
        waited += wait.grant_ps - wait.posted_ps
        for use in bus:
            if use.grant_ps >= wait.grant_ps:
                break
            end = use.grant_ps + use.duration_ps
            overlap = min(end, wait.grant_ps) - max(use.grant_ps, wait.posted_ps)
            holder_waits[str(use.activity)] += max(0, overlap)
    rows = {row[0]: row for row in waits_of_holders(run.log.bus).rows}
    assert ps(float(str(rows["all waits of holders"][1]))) == waited
    for activity, time in holder_waits.items():
        assert (ps(float(str(rows[activity][1]))) if activity in rows else 0) == time
    free = waited - sum(holder_waits.values())
    locked = ps(float(str(rows[LOCKED][1])))
    assert ps(float(str(rows["(bus free)"][1]))) == free - locked
    assert holder_waits["spin"] > 0


def use(at: int, kind: str, processor: int, activity: str, posted: int | None = None) -> dict:
    """A use of the bus for 5 ps from `at`."""
    times = {"grant_ps": at, "duration_ps": 5, "posted_ps": at if posted is None else posted}
    return {**times, "kind": kind, "processor": processor, "activity": activity, "reply": False}


def test_a_line_is_locked_until_the_unlock_or_the_store_that_ends_its_lock():
    bus = pd.DataFrame(
        [
            use(10, "locked_read", 1, "spin"),
            use(20, "locked_store", 1, "spin"),  # bus.unlock = with-store
            use(30, "locked_read", 1, "spin"),
            use(40, "locked_store", 1, "spin"),
            use(50, "store", 1, "spin"),
            use(60, "locked_read", 2, "user"),  # of an operand in two dwords
            use(70, "locked_store", 2, "user"),
            use(80, "locked_store", 2, "user"),
            use(90, "unlock", 2, "user"),
            use(100, "unlock", 2, "user"),
            use(110, "locked_read", 1, "spin"),  # never unlocked, as far as the log goes
        ]
    )
    expected = [["spin", 10, 25], ["spin", 30, 45], ["user", 60, 105]]
    assert locked_lines(bus).to_numpy().tolist() == expected


def test_time_under_a_spinners_locked_line_is_apart():
    bus = pd.DataFrame(
        [
            use(10, "locked_read", 1, "spin"),
            use(20, "locked_store", 1, "spin"),
            use(30, "unlock", 1, "spin"),
            use(40, "locked_read", 2, "user"),
            use(50, "unlock", 2, "user"),
            use(60, "locked_read", 1, "spin"),  # never unlocked, as far as the log goes
            use(70, "store", 0, "critical", posted=0),
        ]
    )
    assert locked_lines(bus).to_numpy().tolist() == [["spin", 10, 35], ["user", 40, 55]]
    rows = {row[0]: (ps(float(str(row[1]))), row[3]) for row in waits_of_holders(bus).rows}
    assert rows["spin"] == (20, 1)
    assert rows[LOCKED] == (10, 1)  # 15 to 20 and 25 to 30
    assert rows["user"] == (10, 1)
    assert rows["(bus free)"] == (30, None)
    assert rows["all waits of holders"] == (70, 1)


def test_the_union_of_intervals_agrees_with_a_plain_loop():
    starts, ends = [40, 10, 12, 30, 14], [41, 20, 15, 40, 25]
    covered = {t for s, e in zip(starts, ends, strict=True) for t in range(s, e)}
    found = union(starts, ends)
    for begin in range(0, 50, 3):
        for end in range(begin, 50, 7):
            assert found.between([begin], [end])[0] == len(covered & set(range(begin, end)))
    assert union([], []).between([3], [9])[0] == 0


def test_a_profile_counts_a_function_once_per_stack(run):
    text = "spin;main;f;f 3\nuser;main 2\nuser;main;a b;g 5\n"
    stacks = parse(text)
    rows = {row[0]: row[1:] for row in by_function(stacks).rows}
    assert rows["f"] == [3, 0.3, 3, 0.3]
    assert rows["main"] == [2, 0.2, 10, 1.0]
    assert rows["a b"] == [0, 0.0, 5, 0.5]
    with_profile = RunData("p", run.summary, run.bus, run.locks, profile=text)
    [trace] = profile(with_profile).charts[0].views[""].data
    boxes = dict(zip(trace.ids, trace.values, strict=True))
    assert boxes["/"] == 10
    assert boxes["/user;main"] == 7
    assert boxes["/spin;main;f;f"] == 3


@pytest.mark.parametrize("line", ["main", "a;b x", " 3", "a;b -1"])
def test_the_error_for_a_bad_profile_names_the_line(line):
    with pytest.raises(UserError, match=r"profile\.folded:2: is not STACK COUNT"):
        parse(f"user;main 1\n{line}\n")


def test_names_of_a_profile_may_have_any_characters():
    assert parse("user;a\u2028b;c\x85 3\n") == {("user", "a\u2028b", "c\x85"): 3}
    assert parse("") == {}


def test_sections_name_the_config_key_for_missing_data(run):
    bare = RunData("bare", run.summary, run.bus, run.locks)
    assert timeline(bare) is None
    assert "observe.transactions = true" in time_chart(bare).note
    for section in (handoff(bare), lines(bare)):
        assert section is not None
        assert "observe.transactions = true" in section.missing
        assert section.charts == []
    assert "observe.profile_us" in profile(bare).missing
