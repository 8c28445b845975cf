# SPDX-License-Identifier: MIT
"""Processes in the files of a real run: the report and trace.pftrace agree with processes.csv."""

import csv
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pftrace import Trace, read_trace
from report_runs import NEEDS_SIMULATOR, guest_test, quickstart
from symlab.report import write_report
from symlab.report.locks import hold_times, wait_times
from symlab.report.processes import LOST, processes
from symlab.report.run_data import load_run

pytestmark = NEEDS_SIMULATOR
STATES = ("work", "acquire", "section", "release", "kernel", "preempted", "ready", "blocked")
PS_PER_US = 1_000_000
MOST_FLOWS = 64  # from one slice


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings: dict[str, Any] = {
        "machine__processors": 3,
        "guest__image": guest_test("processes_by_hand"),
    }
    out = tmp_path_factory.mktemp("processes") / "run"
    return quickstart(out, **settings, observe__perfetto=True)


@pytest.fixture(scope="module")
def trace(folder: Path) -> Trace:
    return read_trace(folder / "trace.pftrace")


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "processes.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def ps(us: str | float) -> int:
    return round(float(us) * PS_PER_US)


def test_times_sum_to_the_life_of_each_process(rows):
    assert len(rows) == 12
    for row in rows:
        life = ps(row["ended_us"]) - ps(row["created_us"])
        assert sum(ps(row[f"{state}_us"]) for state in STATES) == life


def test_slices_of_each_process_sum_to_its_times(rows, trace):
    for row in rows:
        times = Counter()
        slices = sorted(trace.on(f"process {row['process']}"), key=lambda s: s.start)
        for s in slices:
            times[s.name] += s.duration
        assert {state: times[state] for state in STATES} == {
            state: ps(row[f"{state}_us"]) for state in STATES
        }
        for one, following in pairwise(slices):
            assert one.end == following.start


def test_stalls_follow_from_an_absence_of_the_holder(folder, trace):
    stalls = [s for s in trace.slices if s.path[-1] == "waits for lock"]
    summary = json.loads((folder / "summary.json").read_text())
    [lock] = [one for one in summary["locks"] if one["name"] == "lock"]
    assert sum(s.duration for s in stalls) == ps(lock[LOST]) > 0
    for stall in stalls:
        assert stall.name == f"process {stall.notes['holder']}"
        [absence] = [s for s in trace.on(stall.name) if s.start <= stall.start < s.end]
        assert absence.name in ("preempted", "ready")
        assert stall.end <= absence.end
        if stall.end_flows:
            assert set(stall.end_flows) <= set(absence.flows)
        else:
            assert len(absence.flows) == MOST_FLOWS
    flows = [flow for s in trace.slices for flow in s.flows]
    assert len(flows) == len(set(flows)) == sum(len(s.end_flows) for s in stalls)


def test_an_acquisition_names_the_holder(trace):
    slices = [s for s in trace.slices if s.name == "acquire"]
    assert all(s.notes["lock"] == "lock" for s in slices)
    assert any("holder" in s.notes for s in slices)


def test_the_report_has_a_section_on_processes(folder, rows):
    section = processes(load_run(folder))
    [chart] = section.charts
    bars = {bar.name: list(bar.y) for bar in chart.views["by state"].data}
    assert bars == {state: [float(row[f"{state}_us"]) for row in rows] for state in STATES}
    lost, each = section.tables
    assert [row[0] for row in lost.rows] == ["kernel_lock", "lock"]
    assert lost.rows[0][2] == 0 < lost.rows[1][3] <= 1
    assert [row[0] for row in each.rows] == list(range(12))
    assert "Waits for a process that was not running" in write_report([folder], None).read_text()


def test_the_log_has_the_waits_and_holds_of_the_summary(tmp_path):
    settings: dict[str, Any] = {
        "machine__processors": 3,
        "guest__image": guest_test("processes_by_hand"),
    }
    data = load_run(quickstart(tmp_path / "run", **settings, observe__transactions=True))
    waits, holds = wait_times(data), hold_times(data)
    for lock in data.summary["locks"]:
        assert int(waits[lock["name"]].sum()) == ps(lock["wait_us"])
        assert int(holds[lock["name"]].sum()) == ps(lock["hold_us"])
        assert len(waits[lock["name"]]) == lock["acquisitions"]


def test_a_run_without_processes_has_no_section(tmp_path):
    assert processes(load_run(quickstart(tmp_path / "run"))) is None
