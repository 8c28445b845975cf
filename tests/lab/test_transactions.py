# SPDX-License-Identifier: MIT
"""The tables of a transaction log; their sums agree with summary.json to the picosecond."""

import csv
import json
from collections import Counter, defaultdict
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
import zstandard
from symlab import OutputError, UserError
from symlab.cli import app
from symlab.results.transactions import convert, load
from transaction_run import BINARY, LoggedRun, logged_run, picoseconds
from typer.testing import CliRunner

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> LoggedRun:
    return logged_run(tmp_path_factory.mktemp("run"))


def copy(logged: LoggedRun, folder: Path, name: str = "bus.log.zst") -> Path:
    """A run folder that contains only the log."""
    (folder / name).write_bytes((logged.folder / "bus.log.zst").read_bytes())
    return folder


def rewritten(logged: LoggedRun, folder: Path, change) -> Path:
    """A run folder with only the log, whose decompressed bytes are changed by `change`."""
    data = (
        zstandard.ZstdDecompressor()
        .decompressobj()
        .decompress((logged.folder / "bus.log.zst").read_bytes())
    )
    (folder / "bus.log.zst").write_bytes(zstandard.ZstdCompressor().compress(change(data)))
    return folder


def test_busy_time_and_transactions_are_those_of_the_summary(logged):
    bus = logged.summary["bus"]
    assert sum(row["duration_ps"] for row in logged.bus) == picoseconds(bus["busy_us"])
    busy, count = Counter(), Counter()
    for row in logged.bus:
        busy[row["activity"], row["kind"]] += row["duration_ps"]
        count[row["activity"], row["kind"]] += not row["reply"]
    for activity, by_kind in bus["busy_us_by_activity"].items():
        for kind, us in by_kind.items():
            assert busy[activity, kind] == picoseconds(us), (activity, kind)
            expected = bus["transactions_by_activity"][activity][kind]
            assert count[activity, kind] == expected, (activity, kind)
    assert sum(row["reply"] for row in logged.bus) == bus["replies"] > 0


def test_waits_are_those_of_the_summary(logged):
    waits = [row["grant_ps"] - row["posted_ps"] for row in logged.bus if not row["reply"]]
    assert sum(waits) == picoseconds(logged.summary["bus"]["wait_us"]) > 0
    assert max(waits) == picoseconds(logged.summary["bus"]["max_wait_us"])
    for processor in logged.summary["processors"]:
        own = [r for r in logged.bus if r["processor"] == processor["processor"]]
        wait = sum(r["grant_ps"] - r["posted_ps"] for r in own if not r["reply"])
        assert wait == picoseconds(processor["bus_wait_us"])
        assert sum(not r["reply"] for r in own) == processor["bus_transactions"]


def test_states_partition_the_time_of_each_processor(logged):
    reached = Counter()
    spent: Counter[Any] = Counter()
    for row in logged.states:
        assert row["start_ps"] == reached[row["processor"]]
        assert row["end_ps"] > row["start_ps"]
        reached[row["processor"]] = row["end_ps"]
        spent[row["processor"], row["state"]] += row["end_ps"] - row["start_ps"]
    for processor in logged.summary["processors"]:
        number = processor["processor"]
        assert reached[number] == picoseconds(logged.summary["simulated_us"])
        for state, us in processor["states_us"].items():
            assert spent[number, state] == picoseconds(us), (number, state)


def test_activities_are_those_of_the_summary(logged):
    now = defaultdict(lambda: (0, "boot"))
    spent: Counter[Any] = Counter()
    end = picoseconds(logged.summary["simulated_us"])
    for row in logged.marks:
        if row["what"] == "activity":
            assert row["probe"] == ""
            since, activity = now[row["processor"]]
            spent[row["processor"], activity] += row["time_ps"] - since
            now[row["processor"]] = row["time_ps"], row["activity"]
    for processor in logged.summary["processors"]:
        number = processor["processor"]
        since, activity = now[number]
        spent[number, activity] += end - since
        for activity, us in processor["activities_us"].items():
            assert spent[number, activity] == picoseconds(us), (number, activity)


def test_waits_for_locks_and_holds_are_those_of_the_summary(logged):
    attempted, acquired = {}, {}
    wait, hold, count = Counter(), Counter(), Counter()
    for row in logged.marks:
        who = (row["value"], row["processor"])
        count[row["value"], row["probe"]] += 1
        if row["probe"] == "lock_attempt":
            attempted[who] = row["time_ps"]
        elif row["probe"] == "lock_acquired":
            wait[row["value"]] += row["time_ps"] - attempted.pop(who)
            acquired[who] = row["time_ps"]
        elif row["probe"] == "lock_release":
            hold[row["value"]] += row["time_ps"] - acquired.pop(who)
    assert logged.summary["locks"]
    for lock in logged.summary["locks"]:
        address = int(lock["address"], 16)
        assert wait[address] == picoseconds(lock["wait_us"]) > 0
        assert hold[address] == picoseconds(lock["hold_us"]) > 0
        assert count[address, "lock_acquired"] == lock["acquisitions"]
        assert count[address, "lock_release"] == lock["releases"]
        symbols = {r["symbol"] for r in logged.marks if r["value"] == address and r["probe"]}
        assert lock["name"] in symbols


def test_rows_are_in_order(logged):
    grants = [row["grant_ps"] for row in logged.bus]
    assert grants == sorted(grants)
    marks = [(row["time_ps"], row["processor"]) for row in logged.marks]
    assert marks == sorted(marks)
    states = [(row["end_ps"], row["processor"]) for row in logged.states]
    assert states == sorted(states)


def test_addresses_are_called_by_their_symbols(logged):
    lock = logged.summary["locks"][0]
    at_lock = {r["symbol"] for r in logged.bus if r["address"] == int(lock["address"], 16)}
    assert at_lock == {lock["name"]}
    fetched = {r["symbol"].split("+")[0] for r in logged.bus if r["kind"] == "fetch"}
    assert "main" in fetched
    assert any("+0x" in row["symbol"] for row in logged.bus)
    devices = {r["symbol"] for r in logged.bus if r["kind"] == "io_write"}
    assert devices == {""}
    plain = {r["symbol"] for r in logged.marks if not r["probe"].startswith("lock_")}
    assert plain == {""}


def test_both_engines_with_and_without_a_vcd_give_the_same_bytes(logged, tmp_path):
    log = (logged.folder / "bus.log.zst").read_bytes()
    for name, settings in {
        "reference": {"run.engine": "reference"},
        "vcd": {"observe.vcd": True},
    }.items():
        other = logged_run(tmp_path / name, **settings)
        assert (other.folder / "bus.log.zst").read_bytes() == log, name


def test_a_log_at_its_size_limit_ends_in_all_tables_at_the_same_time(tmp_path):
    settings = {"observe.transactions_limit_mb": 1, "guest.args.increments": 3000}
    short = logged_run(tmp_path, **settings)
    noted = short.summary["transactions"]
    assert noted["file"] == "bus.log.zst"
    assert not noted["complete"]
    until = picoseconds(noted["until_us"])
    assert 0 < until < picoseconds(short.summary["simulated_us"])
    assert {max(r["end_ps"] for r in short.states if r["processor"] == p) for p in range(4)} == {
        until
    }
    assert max(r["grant_ps"] + r["duration_ps"] for r in short.bus) <= until
    assert max(r["time_ps"] for r in short.marks) < until
    busy = 0.0
    for row in csv.DictReader((tmp_path / "bus.csv").open()):
        if picoseconds(float(row["end_us"])) <= until:
            busy += float(row["busy_us"])
    assert until % 1_000_000_000 == 0  # at the border of a row of bus.csv
    assert sum(r["duration_ps"] for r in short.bus) == picoseconds(busy)


def test_load_converts_once_and_again_when_the_log_is_newer(logged, tmp_path):
    folder = copy(logged, tmp_path)
    frames = load(folder)
    assert [len(f) for f in frames] == [len(logged.bus), len(logged.marks), len(logged.states)]
    assert frames.bus["kind"].dtype == "category"
    stamp = (folder / "bus.parquet").stat().st_mtime_ns
    load(folder)
    assert (folder / "bus.parquet").stat().st_mtime_ns == stamp
    copy(logged, tmp_path)
    load(folder)
    assert (folder / "bus.parquet").stat().st_mtime_ns > stamp


def test_many_row_groups_contain_the_same_rows(logged, tmp_path, monkeypatch):
    monkeypatch.setattr("symlab.results.transactions.ROWS_PER_GROUP", 500)
    path = convert(copy(logged, tmp_path))[0]
    groups = duckdb.sql(f"SELECT count(DISTINCT row_group_id) FROM parquet_metadata('{path}')")
    assert groups.fetchall()[0][0] > 2
    assert duckdb.sql(f"SELECT * FROM '{path}'").fetchall() == [
        tuple(row.values()) for row in logged.bus
    ]
    assert pl.read_parquet(path).height == len(logged.bus)
    assert len(load(tmp_path).bus) == len(logged.bus)


def test_csv_has_the_same_rows(logged, tmp_path):
    result = CliRunner().invoke(
        app, ["transactions", str(copy(logged, tmp_path)), "--format", "csv"]
    )
    assert result.exit_code == 0, result.output
    assert f"wrote {tmp_path / 'transactions.csv'}" in result.output
    rows = list(csv.DictReader((tmp_path / "transactions.csv").open()))
    assert len(rows) == len(logged.bus)
    for row, expected in zip(rows[:500], logged.bus, strict=False):
        assert {k: v.lower() for k, v in row.items()} == {
            k: str(v).lower() for k, v in expected.items()
        }
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "bus.log.zst", "marks.csv", "states.csv", "transactions.csv",
    ]  # fmt: skip


def check_part(part: LoggedRun, whole: LoggedRun, begin: int, end: int) -> None:
    """Checks that `part` equals the part of `whole` from `begin` to before `end` (ps).

    States are cut off at these borders. Events at the very end of a run belong to its log.
    """
    behind = end + (end == picoseconds(whole.summary["simulated_us"]))
    assert part.bus == [row for row in whole.bus if begin <= row["grant_ps"] < behind]
    assert len(part.bus) > 100
    clipped = [
        {**row, "start_ps": max(row["start_ps"], begin), "end_ps": min(row["end_ps"], end)}
        for row in whole.states
    ]
    order = itemgetter("end_ps", "processor")
    assert part.states == sorted((r for r in clipped if r["start_ps"] < r["end_ps"]), key=order)
    spent: Counter[Any] = Counter()
    for row in part.states:
        spent[row["processor"]] += row["end_ps"] - row["start_ps"]
    assert set(spent.values()) == {end - begin}
    assert len(spent) == len(whole.summary["processors"])


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_a_window_that_looks_back_is_a_part_of_the_whole_log(logged, tmp_path, engine):
    settings = {
        "run.engine": engine,
        "observe.window.around": "lock_release",
        "observe.window.around_value": "counter_lock",
        "observe.window.around_us": 300.5,
    }
    part = logged_run(tmp_path, **settings)
    release = min(row["time_ps"] for row in logged.marks if row["probe"] == "lock_release")
    begin, end = release - 300_500_000, release + 300_500_000
    note = part.summary["transactions"]
    assert (picoseconds(note["from_us"]), picoseconds(note["until_us"])) == (begin, end)
    check_part(part, logged, begin, end)
    assert part.marks == [row for row in logged.marks if begin <= row["time_ps"] < end]


def test_a_window_at_the_end_of_a_run_equals_the_end_of_the_whole_log(logged, tmp_path):
    part = logged_run(tmp_path, **{"observe.window.last_ms": 0.75})
    end = picoseconds(logged.summary["simulated_us"])
    check_part(part, logged, end - 750_000_000, end)
    assert part.marks == [r for r in logged.marks if r["time_ps"] >= end - 750_000_000]


def test_partial_is_not_advised_where_it_is_given(tmp_path):
    (tmp_path / "bus.log.zst").write_bytes(b"no log")
    with pytest.raises(UserError, match=r"run it again, or read what is there with --partial$"):
        convert(tmp_path)
    with pytest.raises(UserError, match=r"run it again$"):
        convert(tmp_path, partial=True)


def test_a_truncated_log_is_read_to_its_end_with_partial(logged, tmp_path):
    whole = (logged.folder / "bus.log.zst").read_bytes()
    (tmp_path / "bus.log.zst.part").write_bytes(whole[: len(whole) * 9 // 10])
    with pytest.raises(UserError, match="--partial"):
        convert(tmp_path)
    bus = load(tmp_path, partial=True).bus
    assert len(logged.bus) // 20 < len(bus) < len(logged.bus)
    assert list(bus["grant_ps"]) == [row["grant_ps"] for row in logged.bus[: len(bus)]]
    (tmp_path / "bus.log.zst.part").rename(tmp_path / "bus.log.zst")
    with pytest.raises(UserError, match="cut off"):
        convert(tmp_path)


def blocks_of(data: bytes) -> tuple[dict, list[tuple[int, np.ndarray]]]:
    """The header of a log, and type and records of each block (docs/reference/transactions.md)."""
    at = data.index(b"\n") + 1
    header = json.loads(data[:at])
    assert header["layout"] == "planes"
    blocks = []
    while at < len(data):
        kind, count = np.frombuffer(data, "<u4", 2, at)
        fields = header["records"][kind]["fields"]
        dtype = np.dtype([(field["name"], field["type"]) for field in fields])
        planes = np.frombuffer(data, "u1", dtype.itemsize * count, at + 8)
        records = planes.reshape(-1, count).T.copy()
        blocks.append((kind, records.view(dtype)[:, 0]))
        at += 8 + records.nbytes
    return header, blocks


def test_records_are_read_up_to_the_last_complete_block(logged, tmp_path):
    first = 0

    def cut(data: bytes) -> bytes:
        nonlocal first
        _, blocks = blocks_of(data)
        uses = [n for n, (kind, _) in enumerate(blocks) if kind == 0]
        first = len(blocks[uses[0]][1])
        size = sum(8 + records.nbytes for _, records in blocks[: uses[1] + 1])
        return data[: data.index(b"\n") + 1 + size - 1]

    rewritten(logged, tmp_path, cut)
    with pytest.raises(UserError, match="cut off"):
        convert(tmp_path)
    bus = load(tmp_path, partial=True).bus
    assert first > 0
    assert list(bus["grant_ps"]) == [row["grant_ps"] for row in logged.bus[:first]]


def test_damage_of_a_log_is_reported(logged, tmp_path):
    with pytest.raises(UserError, match=r"observe\.transactions=true"):
        convert(tmp_path)
    (tmp_path / "bus.log.zst").write_bytes(b"no zstd at all")
    with pytest.raises(UserError, match="damaged"):
        convert(tmp_path)
    whole = bytearray((logged.folder / "bus.log.zst").read_bytes())
    whole[-1] ^= 1  # the last byte is part of the checksum
    (tmp_path / "bus.log.zst").write_bytes(whole)
    with pytest.raises(UserError, match="damaged"):
        convert(tmp_path)
    for change, message in [
        (lambda data: b"{}\n" + data, "not that of a transaction log"),
        (lambda data: b"nothing", "cut off before its first record"),
        (lambda data: data.replace(b"symsim transaction log", b"other log", 1), "other log"),
        (lambda data: data + b"x", "follows its end"),
        (lambda data: data[: data.index(b"\n") + 1] + b"\x09" + bytes(7), "type 9"),
    ]:
        with pytest.raises(UserError, match=message):
            convert(rewritten(logged, tmp_path, change))
    assert not list(tmp_path.glob("*.par*"))


@pytest.mark.parametrize("other", [1, 3])
def test_a_log_of_another_version_is_refused(logged, tmp_path, other):
    def changed(data: bytes) -> bytes:
        header = json.loads(data[: data.index(b"\n")])
        assert header["schema_version"] == 2
        header["schema_version"] = other
        return json.dumps(header).encode() + b"\n"

    with pytest.raises(UserError, match=f"schema version {other}, and this symlab reads 2"):
        convert(rewritten(logged, tmp_path, changed))


def test_tables_that_cannot_be_written_are_reported_and_leave_no_files(logged, tmp_path):
    folder = copy(logged, tmp_path)
    (folder / "states.parquet").mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        convert(folder)
    assert not list(folder.glob("*.part"))
    result = CliRunner().invoke(app, ["transactions", str(folder / "none")])
    assert isinstance(result.exception, UserError)
