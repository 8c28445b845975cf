# SPDX-License-Identifier: MIT
"""Address spaces in the files of a real run: URPC Figure 1 as a trace, and what agrees with it."""

import csv
import json
from collections import defaultdict
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from pftrace import Slice, Trace, read_trace
from report_runs import BINARY, NEEDS_SIMULATOR, ROOT, quickstart
from symlab import run
from symlab.report import write_report
from symlab.report.run_data import load_run
from symlab.report.spaces import spaces
from symlab_papers.paper import find_paper, parts

FIGURE_1 = ROOT / "papers/URPC/figures/figure-1.toml"
EDITOR, WINDOWS, FILES = "space editor", "space window_manager", "space file_cache"
PS_PER_US = 1_000_000
CALL_PARTS = ("send", "poll", "receive", "dispatch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("spaces") / "run"
    run(FIGURE_1, settings={"observe.interval_us": 1000.0}, out=out, simulator=BINARY)
    return out


@pytest.fixture(scope="module")
def summary(folder: Path) -> dict:
    return json.loads((folder / "summary.json").read_text())


@pytest.fixture(scope="module")
def trace(folder: Path) -> Trace:
    return read_trace(folder / "trace.pftrace")


def ps(us: str | float) -> int:
    return round(float(us) * PS_PER_US)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(file))


def of_spaces(trace: Trace) -> list[Slice]:
    """The slices of all spaces, in order of time."""
    found = [s for s in trace.slices if s.path[0].startswith("space ")]
    return sorted(found, key=lambda s: (s.start, s.path))


def in_figure(trace: Trace, summary: dict) -> list[Slice]:
    """The slices of the figure: of region 1."""
    [region] = summary["regions"]
    begin, end = ps(region["first_begin_us"]), ps(region["last_end_us"])
    return [s for s in of_spaces(trace) if s.end > begin and s.start < end]


def steps(slices: list[Slice], *, of: tuple[str, ...]) -> list[tuple[str, str]]:
    """Space and name of each of these slices; the same one twice in a row counts once."""
    named = [(s.path[0], s.name) for s in slices if s.name in of]
    return [name for name, _ in groupby(named)]


def call_parts(side: str) -> tuple[str, ...]:
    return tuple(f"{side}_{part}" for part in CALL_PARTS)


def receiver(sender: Slice, slices: list[Slice]) -> Slice:
    [flow] = sender.flows
    [found] = [s for s in slices if flow in s.end_flows]
    return found


pytestmark = NEEDS_SIMULATOR


def test_the_trace_is_the_timeline_of_figure_1(trace, summary):
    slices = in_figure(trace, summary)
    first = [s for s in slices if s.path == (EDITOR, "processor 0") or s.path[0] == FILES]
    serves = [(FILES, f"server_{part}") for part in ("poll", "receive", "dispatch", "send")]
    send, *get = [(EDITOR, f"client_{p}") for p in ("send", "poll", "receive", "dispatch")]
    switch = get[-1]
    expected = [
        *(send, switch),  # T1 calls the window manager; context switch to T2
        *(send, switch),  # T2 calls the file cache manager
        *get,  # the window manager's reply; context switch to T1
        *(send, switch),  # T1 calls the file cache manager
        *serves, (FILES, "server_dispatch"),  # after the processor's reallocation: T2's call
        *serves, (FILES, "server_dispatch"),  # T1's call
        *get, *get,  # the processor is returned to the editor; T2 and T1 terminate
    ]  # fmt: skip
    assert steps(first, of=(*call_parts("client"), *call_parts("server"))) == expected


def test_the_window_manager_serves_while_the_editor_goes_on(trace, summary):
    slices = in_figure(trace, summary)
    [serves] = [s for s in slices if s.path[0] == WINDOWS and s.name == "server_receive"]
    sends = [s for s in slices if s.path[0] == EDITOR and s.name == "client_send"]
    assert sends[0].end <= serves.start < sends[1].start
    assert {s.path for s in slices if s.path[0] == WINDOWS} == {(WINDOWS, "processor 1")}


def test_messages_flow_to_their_receivers(trace, summary):
    slices = in_figure(trace, summary)
    sends = [s for s in slices if s.name == "client_send"]
    calls = [receiver(s, slices) for s in sends]
    assert [s.path[0] for s in calls] == [WINDOWS, FILES, FILES]
    answers = [receiver(s, slices) for s in slices if s.name == "server_send"]
    assert [s.path[0] for s in answers] == [EDITOR] * 3
    assert all(s.name == "client_receive" for s in answers)
    for send, call in zip(sends, calls, strict=True):
        assert call.name == "server_receive"
        assert send.notes["message"] == call.notes["message"]
        assert send.start < call.start


def test_the_processor_goes_to_the_file_cache_and_back(trace, summary):
    slices = in_figure(trace, summary)
    moves = [s for s in slices if "reason" in s.notes]
    assert [(s.path[0], s.notes["reason"]) for s in moves] == [
        (FILES, "donated"),
        (EDITOR, "returned"),
    ]
    for move in moves:
        [leaves] = [s for s in slices if set(s.flows) & set(move.end_flows)]
        assert leaves.end == move.start
        assert leaves.path[1] == move.path[1] == "processor 0"


def test_slices_of_a_space_sum_to_the_time_of_its_processors(folder, trace):
    times = defaultdict(int)
    for s in of_spaces(trace):
        times[s.path[0]] += s.duration
    named = [row for row in rows(folder, "spaces.csv") if row["space"]]
    assert times == {f"space {row['name']}": ps(row["processors_us"]) for row in named}
    by_track = defaultdict(list)
    for s in of_spaces(trace):
        by_track[s.path].append(s)
    for slices in by_track.values():
        assert all(one.end <= following.start for one, following in pairwise(slices))


def test_spaces_and_parts_sum_to_the_time_of_all_processors(folder, summary):
    elapsed = ps(summary["simulated_us"]) * len(summary["processors"])
    spaces, calls = rows(folder, "spaces.csv"), rows(folder, "calls.csv")
    assert sum(ps(row["processors_us"]) for row in spaces) == elapsed
    assert sum(ps(row["time_us"]) for row in calls) == elapsed
    activities = summary["spaces"][0]["activities_us"]
    for row in spaces:
        assert sum(ps(row[f"{name}_us"]) for name in activities) == ps(row["processors_us"])
    for name in activities:
        of_processors = [processor["activities_us"][name] for processor in summary["processors"]]
        assert sum(ps(row[f"{name}_us"]) for row in spaces) == sum(map(ps, of_processors))


def test_counts_of_spaces_are_those_of_the_program(folder):
    by_name = {row["name"]: row for row in rows(folder, "spaces.csv")}
    editor, windows, files = (by_name[s.split()[1]] for s in (EDITOR, WINDOWS, FILES))
    assert editor["calls"] == "5"  # each server once before the figure
    assert (windows["served"], files["served"]) == ("2", "3")
    assert (editor["found"], windows["found"], files["found"]) == ("5", "2", "3")
    assert (editor["upcalls_start"], windows["upcalls_start"]) == ("1", "1")
    assert files["upcalls_donated"] == files["donations"]
    for row in (editor, windows, files):
        reasons = [int(count) for name, count in row.items() if name.startswith("upcalls_")]
        assert sum(reasons) == int(row["arrivals"])


def test_the_report_has_a_section_on_spaces(folder, summary):
    section = spaces(load_run(folder))
    times, call = (chart.views[""] for chart in section.charts)
    named = summary["spaces"][:-1]
    assert {bar.name: list(bar.y) for bar in times.data} == {
        activity: [space["activities_us"][activity] for space in named]
        for activity in named[0]["activities_us"]
        if any(space["activities_us"][activity] for space in named)
    }
    per_call = summary["calls"]["parts_per_call_us"]
    for bar in call.data:
        assert list(bar.y) == [per_call[f"{side}_{bar.name}"] for side in bar.x]
    assert {bar.name for bar in call.data} == set(CALL_PARTS)
    each, calls = section.tables
    assert [row[0] for row in each.rows] == ["editor", "window_manager", "file_cache", "none yet"]
    elapsed = ps(summary["simulated_us"]) * len(summary["processors"])
    assert sum(ps(row[1]) for row in each.rows) == sum(ps(row[1]) for row in calls.rows) == elapsed
    assert all(len(row) == len(table.columns) for table in section.tables for row in table.rows)
    assert "Time of the processors of each space" in write_report([folder], None).read_text()


def test_a_run_without_spaces_has_no_such_section(tmp_path):
    assert spaces(load_run(quickstart(tmp_path / "run"))) is None


def test_a_single_run_is_no_part_of_a_paper():
    names = {part.name for part in parts(find_paper("URPC"))}
    assert "figure-1" not in names
    assert "figure-3" in names
