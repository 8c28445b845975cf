# SPDX-License-Identifier: MIT
"""The numbers in the report agree with plain loops over the files of a real run."""

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from report_runs import NEEDS_SIMULATOR, quickstart, run_data, run_folder
from symlab.errors import UserError
from symlab.report import write_report
from symlab.report.guest import guest
from symlab.report.locks import fairness, jain, locks
from symlab.report.occupied import Occupied, edges
from symlab.report.processors import processors, time_chart
from symlab.report.provenance import provenance
from symlab.report.run_data import RunData, load_run
from symlab.report.section import Section, Table
from symlab.report.spinning import spinning
from symlab.report.utilisation import bus_chart, merged_intervals, utilisation

pytestmark = NEEDS_SIMULATOR
__all__ = ["run_data", "run_folder"]  # fixtures


def table(section: Section | None, id: str) -> Table:
    assert section is not None
    [found] = [t for t in section.tables if t.id == id]
    return found


def records(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_merged_intervals_are_means_weighted_by_length(run_folder, run_data):
    rows = csv_rows(run_folder / "bus.csv")
    most = len(rows) // 3
    merged, together = merged_intervals(run_data.bus, most)
    assert len(merged) <= most
    assert together == 4
    assert len(merged) == -(-len(rows) // 4)
    columns = ["utilisation", "mean_queue_length", "share_activity_spin", "share_kind_read"]
    for at, got in zip(range(0, len(rows), 4), merged.to_dict("records"), strict=True):
        group = rows[at : at + 4]
        lengths = [Fraction(r["end_us"]) - Fraction(r["start_us"]) for r in group]
        assert got["start_us"] == float(group[0]["start_us"])
        assert got["end_us"] == float(group[-1]["end_us"])
        assert got["busy_us"] == pytest.approx(sum(float(r["busy_us"]) for r in group), abs=1e-9)
        for column in columns:
            pairs = zip(lengths, group, strict=True)
            mean = sum(n * Fraction(r[column]) for n, r in pairs) / sum(lengths)
            assert got[column] == pytest.approx(float(mean), abs=1e-8), column


def test_intervals_that_fit_are_drawn_as_they_are(run_folder, run_data):
    merged, together = merged_intervals(run_data.bus, len(run_data.bus))
    assert together == 1
    rows = csv_rows(run_folder / "bus.csv")
    assert merged["utilisation"].tolist() == [float(r["utilisation"]) for r in rows]


def test_the_stack_of_activities_reaches_the_utilisation(run_data):
    merged, _ = merged_intervals(run_data.bus, 1000)
    for view in bus_chart(run_data).views.values():
        sums = [sum(ys) for ys in zip(*(trace.y for trace in view.data), strict=True)]
        assert sums[:-1] == pytest.approx(merged["utilisation"].tolist(), abs=1e-5)
        assert sums[-1] == sums[-2]  # the last step lasts to its end
        assert view.data[0].x[-1] == run_data.summary["simulated_us"]


def test_the_table_of_bus_use_sums_to_the_run(run_data):
    rows = records(table(utilisation(run_data), "bus-use"))
    bus = run_data.summary["bus"]
    assert sum(r["busy_us"] for r in rows) == pytest.approx(bus["busy_us"], abs=1e-6)
    assert sum(r["transactions"] for r in rows) == bus["all_transactions"]
    for r in rows:
        share = r["busy_us"] / run_data.summary["simulated_us"]
        assert r["share_of_time"] == pytest.approx(share, abs=1e-6)


def test_processors_are_as_in_the_summary(run_data):
    section = processors(run_data)
    rows = records(table(section, "processor-table"))
    assert [r["processor"] for r in rows] == [0, 1, 2, 3]
    for r, p in zip(rows, run_data.processors, strict=True):
        assert r["waiting_us"] == p["states_us"]["waiting"]
        assert r["spin_us"] == p["activities_us"]["spin"]
        assert r["bus_transactions"] == p["bus_transactions"]
    for view in time_chart(run_data).views.values():
        heights = [sum(ys) for ys in zip(*(trace.y for trace in view.data), strict=True)]
        assert heights == pytest.approx([run_data.summary["simulated_us"]] * 4, abs=1e-6)
    assert table(section, "processor-table").about[3] == {"processor": "3"}


def test_locks_are_as_in_the_summary(run_data):
    [row] = records(table(locks(run_data), "lock-table"))
    [lock] = run_data.summary["locks"]
    assert row == {"lock": "counter_lock", **{k: v for k, v in lock.items() if k != "name"}}


def test_jain_index_of_even_and_uneven_shares():
    assert jain([5, 5, 5, 5]) == 1
    assert jain([9, 0, 0]) == pytest.approx(1 / 3, abs=1e-6)
    assert jain([4, 2]) == 0.9
    assert jain([0, 0]) == 1


def test_fairness_by_lock_and_processor(run_folder, run_data):
    section = fairness(run_data)
    rows = csv_rows(run_folder / "locks.csv")
    counts = [int(r["acquisitions"]) for r in rows]
    longest = max(rows, key=lambda r: float(r["max_wait_us"]))
    [shares] = records(table(section, "fairness-table"))
    assert shares["jain_index"] == jain(counts)
    assert (shares["fewest_acquisitions"], shares["most_acquisitions"]) == (
        min(counts),
        max(counts),
    )
    assert shares["longest_wait_us"] == float(longest["max_wait_us"])
    assert shares["processor_with_longest_wait"] == int(longest["processor"])
    assert section is not None
    [bars] = section.charts[0].views["mean wait"].data
    for mean, row in zip(bars.y, rows, strict=True):
        exact = Fraction(row["wait_us"]) / int(row["acquisitions"])
        assert mean == pytest.approx(float(exact), abs=1e-6)
    each = records(table(section, "lock-processor-table"))
    assert [r["hold_us"] for r in each] == [float(r["hold_us"]) for r in rows]


def test_the_cost_of_spinning_agrees_with_the_summary(run_folder, run_data):
    summary = json.loads((run_folder / "summary.json").read_text(), parse_float=Fraction)
    bill = {(row[0], row[2]): row[1] for row in table(spinning(run_data), "spin-bill").rows}
    spin = sum(summary["bus"]["busy_us_by_activity"]["spin"].values())
    critical = {
        state: sum(p["states_us_by_activity"]["critical"][state] for p in summary["processors"])
        for state in ("executing", "waiting", "served", "halted")
    }
    spun = sum(p["activities_us"]["spin"] for p in summary["processors"])
    exact = {
        "bus held for spinners": spin,
        "holders executing": critical["executing"],
        "holders waiting for the bus": critical["waiting"],
        "holders served by the bus": critical["served"],
        "processor time spent spinning": spun,
    }
    for name, value in exact.items():
        assert bill[name, "us"] == float(value), name
    rounded = {
        "of the time the bus was held": spin / summary["bus"]["busy_us"],
        "of all simulated time": spin / summary["simulated_us"],
        "of all processor time": spun / summary["simulated_us"] / 4,
        "waiting per executing": critical["waiting"] / critical["executing"],
        "slowdown of holders by waiting": sum(critical.values())
        / (sum(critical.values()) - critical["waiting"]),
    }
    for name, value in rounded.items():
        assert bill[name, "ratio"] == pytest.approx(float(value), abs=1e-6), name
    assert bill["slowdown of holders by waiting", "ratio"] > 1.1
    bars = spinning(run_data).charts[1].views[""].data
    assert sum(sum(trace.y) for trace in bars) == pytest.approx(float(sum(critical.values())))


def test_provenance_names_the_program_and_every_key(run_data):
    section = provenance(run_data)
    facts = dict(table(section, "facts").rows)
    assert facts["guest program"] == "counter-read.elf"
    assert facts["simulated time (us)"] == run_data.summary["simulated_us"]
    assert dict(table(guest(run_data), "results").rows) == run_data.summary["guest"]["results"]
    config = dict(table(section, "config").rows)
    assert config.keys() == run_data.config.keys()
    assert config["observe.vcd"] == "false"
    assert config["cache.line_bytes"] == 16


def test_without_locks_the_section_says_so(run_data):
    bare = RunData("bare", {**run_data.summary, "locks": []}, run_data.bus, run_data.locks[:0])
    assert locks(bare).missing == "The guest took no lock."
    assert fairness(bare) is None


def test_a_partial_run_is_marked(tmp_path):
    from symlab.errors import RunFailed

    with pytest.raises(RunFailed, match="limit"):
        quickstart(tmp_path / "cut", run__limit_ms=1)
    page = write_report([tmp_path / "cut"]).read_text()
    assert "The guest did not reach its end (time-limit)" in page
    assert "finished (partial)" not in page
    assert "time-limit (partial)" in page


def test_occupied_time_agrees_with_a_plain_loop():
    starts, durations = [50, 10, 30], [7, 5, 20]
    occupied = Occupied(starts, durations)
    covered = {t for s, d in zip(starts, durations, strict=True) for t in range(s, s + d)}
    for begin in range(0, 70, 3):
        for end in range(begin, 70, 7):
            expected = len([t for t in range(begin, end) if t in covered])
            assert occupied.between([begin], [end])[0] == expected
    assert Occupied([], []).between([3], [9])[0] == 0


def test_edges_cover_the_whole_time():
    assert edges(0, 100, 3).tolist() == [0, 34, 68, 100]
    assert edges(98, 100, 200).tolist() == [98, 99, 100]


def test_the_same_run_gives_the_same_bytes_without_external_resources(run_folder, tmp_path):
    first = write_report([run_folder]).read_bytes()
    assert write_report([run_folder], tmp_path / "again.html").read_bytes() == first
    ours = first.split(b"<script>")[0].decode()
    assert "src=" not in ours
    assert "http://" not in ours and "https://" not in ours
    assert str(run_folder) not in first.decode()


def test_names_from_the_guest_cannot_become_html(run_data):
    from symlab.report.page import render
    from symlab.report.run_page import run_page

    summary = json.loads(json.dumps(run_data.summary))
    summary["locks"][0]["name"] = "</script><b>a&b"
    page = render(run_page(RunData("x", summary, run_data.bus, run_data.locks))).decode()
    assert "<b>" not in page.split("<script>")[0]
    assert "&lt;b&gt;a&amp;b" in page


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("summary.json", None, r"no summary\.json is there"),
        ("summary.json", "{", "is not JSON"),
        ("summary.json", "[]", "schema version None"),
        ("summary.json", '{"schema_version": 1}', "schema version 1, and this symlab reads 2"),
        ("bus.csv", None, "cannot be read as CSV"),
        ("locks.csv", "", "cannot be read as CSV"),
    ],
)
def test_a_damaged_run_is_named(run_folder, tmp_path, name, text, message):
    for file in run_folder.glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / name).unlink()
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=message) as error:
        load_run(tmp_path)
    assert name in str(error.value)


def test_a_missing_folder_is_a_user_error(tmp_path):
    with pytest.raises(UserError, match="there is no such folder"):
        write_report([tmp_path / "nowhere"])
