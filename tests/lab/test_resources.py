# SPDX-License-Identifier: MIT
"""Tables, reports and documents of a run whose interconnect has several resources."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from report_runs import NEEDS_SIMULATOR, quickstart
from symlab.report import write_report
from symlab.report.holder_waits import LOCKED, waits_of_holders
from symlab.report.opening import tiles
from symlab.report.run_data import RunData, load_run, ps
from symlab.report.spinning import cost_table
from symlab.report.utilisation import shares_of_processors, utilisation
from symlab.report.words import share
from symlab.results.resources import over_resources
from symlab.results.transactions import convert
from symlab.runs.one_run import Run


def use(resource: int, posted: int, grant: int, activity: str, processor: int = 0) -> dict:
    """A use for 10 ps."""
    times = {"posted_ps": posted, "grant_ps": grant, "duration_ps": 10}
    what = {"kind": "read", "activity": activity, "processor": processor, "reply": False}
    return {**times, **what, "resource": resource}


def test_a_request_waits_behind_uses_of_its_own_resource():
    bus = pd.DataFrame([
        use(0, 0, 0, "spin"),
        use(1, 0, 0, "user"),
        use(0, 2, 12, "critical"),  # 8 ps behind the spinner, and not 8 ps behind the user
        use(1, 5, 11, "critical"),  # 5 ps behind the user
    ])  # fmt: skip
    rows = {row[0]: [float(str(row[1])), row[3]] for row in waits_of_holders(bus).rows}
    assert rows == {
        "user": [5e-6, 1],
        "spin": [8e-6, 1],
        "(bus free)": [pytest.approx(3e-6), None],
        "all waits of holders": [16e-6, 2],
    }
    assert LOCKED not in rows


def test_the_intervals_of_all_resources_become_one():
    columns = (
        "start_us", "end_us", "resource", "busy_us", "utilisation", "mean_queue_length",
        "transactions", "mean_wait_us", "share_activity_spin",
    )  # fmt: skip
    rows = [
        (0, 10, 0, 4, 0.4, 0.5, 1, 3.0, 0.2),
        (0, 10, 1, 6, 0.6, 1.5, 3, 1.0, 0.0),
        (10, 15, 0, 0, 0.0, 0.0, 0, 0.0, 0.0),
        (10, 15, 1, 5, 1.0, 0.0, 0, 0.0, 1.0),
        (15, 20, 0, 1, 0.2, 0.0, 0, 0.0, 0.0),  # resource 1 is idle
    ]
    merged = over_resources(pd.DataFrame(rows, columns=list(columns)), 2)
    assert list(merged) == [column for column in columns if column != "resource"]
    assert merged.to_numpy().tolist() == [
        [0, 10, 10, 0.5, 2, 4, 1.5, 0.1],
        [10, 15, 5, 0.5, 0, 0, 0, 0.5],
        [15, 20, 1, 0.1, 0, 0, 0, 0],
    ]


def test_the_table_of_a_single_resource_stays_as_it_is():
    bus = pd.DataFrame({"start_us": [0], "end_us": [10]})
    assert over_resources(bus, 1) is bus


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    how: dict[str, Any] = {"machine__interconnect": "crossbar", "machine__processors": 5}
    where = tmp_path_factory.mktemp("crossbar") / "run"
    return quickstart(where, guest__args__increments=100, observe__transactions=True, **how)


@pytest.fixture(scope="module")
def run(folder: Path) -> RunData:
    return load_run(folder)


@NEEDS_SIMULATOR
def test_the_table_of_uses_names_the_path_of_each_processor(folder, run):
    assert run.log is not None
    assert run.resources == 5
    assert (run.log.bus["resource"] == run.log.bus["processor"]).all()
    busy = run.log.bus.groupby("resource")["duration_ps"].sum().to_dict()
    by_row: dict[int, int] = defaultdict(int)
    for row in Run.of(folder).bus.itertuples():
        by_row[row.resource] += ps(row.busy_us)
    assert busy == by_row
    header = next(p for p in convert(folder, "csv") if p.name == "transactions.csv")
    assert header.read_text().splitlines()[0].endswith('"resource"')


@NEEDS_SIMULATOR
def test_shares_are_relative_to_all_resources(run):
    assert run.log is not None
    bus = run.summary["bus"]
    assert bus["utilisation"] == pytest.approx(ps(bus["busy_us"]) / run.end_ps / 5, abs=1e-6)
    assert run.bus["start_us"].is_unique
    lengths = run.bus["end_us"] - run.bus["start_us"]
    mean = (run.bus["utilisation"] * lengths).sum() / lengths.sum()
    assert mean == pytest.approx(bus["utilisation"], abs=1e-5)
    rows = shares_of_processors(run, run.log.bus)
    lengths = rows["end_us"] - rows["start_us"]
    for processor in run.processors:
        held = 5 * (rows[str(processor["processor"])] * lengths).sum()
        assert held == pytest.approx(processor["bus_busy_us"], abs=1e-3)
    table = utilisation(run).tables[0]
    shares = [float(str(row[-1])) for row in table.rows]
    assert sum(shares) == pytest.approx(bus["utilisation"], abs=1e-5)
    spun = sum(float(str(row[-1])) for row in table.rows if row[0] == "spin")
    cost = {row[0]: row[1] for row in cost_table(run).rows}
    assert cost["of all simulated time"] == pytest.approx(spun, abs=1e-5)


@NEEDS_SIMULATOR
def test_the_report_says_how_busy_all_resources_were(folder, run):
    write_report([folder], None)
    [bus] = [tile for tile in tiles(run) if tile.label == "Bus"]
    assert bus.value == f"{share(run.summary['bus']['utilisation'], 1)} busy"
    assert sum(part.size for part in bus.bar) == pytest.approx(1, abs=1e-5)
