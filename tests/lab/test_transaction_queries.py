# SPDX-License-Identifier: MIT
"""The queries of docs/reference/transactions.md, run on a real run, agree with plain loops."""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable

import duckdb
import pandas as pd
import pytest
from transaction_run import BINARY, ROOT, LoggedRun, logged_run, picoseconds

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

PAGE = (ROOT / "docs" / "reference" / "transactions.md").read_text()
QUERIES = {
    int(number): (language, text)
    for number, language, text in re.findall(
        r"^### (\d+)\. .*?^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
}
LINE_BYTES = 16


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> LoggedRun:
    return logged_run(tmp_path_factory.mktemp("run"))


@pytest.fixture
def ask(logged, monkeypatch):
    """Runs a query in the folder of the run; returns the columns and the rows as tuples."""
    monkeypatch.chdir(logged.folder)

    def answer(number: int) -> tuple[list[str], list[tuple]]:
        language, text = QUERIES[number]
        if language == "sql":
            relation = duckdb.sql(text)
            assert relation is not None
            return relation.columns, relation.fetchall()
        names: dict = {}
        exec(text, names)
        table = names["answer"]
        if isinstance(table, pd.DataFrame):
            table = table.reset_index()
            return list(table.columns), list(table.itertuples(index=False, name=None))
        return table.columns, table.rows()

    return answer


def requests(logged: LoggedRun) -> Iterable[dict]:
    return (row for row in logged.bus if not row["reply"])


def line(address: int) -> int:
    return address - address % LINE_BYTES


def test_there_are_ten_queries_in_three_tools():
    assert sorted(QUERIES) == list(range(1, 11))
    assert Counter(language for language, _ in QUERIES.values()) == {"sql": 6, "python": 4}
    texts = " ".join(text for _, text in QUERIES.values())
    assert texts.count("import polars") == 2
    assert texts.count("symlab.results.transactions import load") == 2


def test_1_longest_total_waits_by_processor_and_address(logged, ask):
    count, wait_ps = Counter(), Counter()
    for row in requests(logged):
        count[row["processor"], row["symbol"]] += 1
        wait_ps[row["processor"], row["symbol"]] += row["grant_ps"] - row["posted_ps"]
    columns, rows = ask(1)
    assert columns == ["processor", "symbol", "transactions", "wait_us"]
    assert {(p, s): (n, picoseconds(us)) for p, s, n, us in rows} == {
        key: (count[key], wait_ps[key]) for key in count
    }
    assert [r[3] for r in rows] == sorted((r[3] for r in rows), reverse=True)
    for processor in logged.summary["processors"]:
        own = sum(picoseconds(us) for p, _, _, us in rows if p == processor["processor"])
        assert own == picoseconds(processor["bus_wait_us"])


def test_2_hottest_lines(logged, ask):
    count, busy_ps, who = Counter(), Counter(), defaultdict(set)
    for row in logged.bus:
        if row["kind"] != "fetch":
            count[line(row["address"])] += not row["reply"]
            busy_ps[line(row["address"])] += row["duration_ps"]
            who[line(row["address"])].add(row["processor"])
    columns, rows = ask(2)
    assert columns == ["line", "symbol", "processors", "transactions", "busy_us"]
    assert {r[0]: (r[2], r[3], picoseconds(r[4])) for r in rows} == {
        key: (len(who[key]), count[key], busy_ps[key]) for key in count
    }
    assert [r[3] for r in rows] == sorted(count.values(), reverse=True)
    bus = logged.summary["bus"]
    fetches = bus["transactions"]["fetch"]
    assert sum(r[3] for r in rows) == bus["all_transactions"] - fetches
    assert fetches > 0


def test_3_transactions_per_handoff(logged, ask):
    columns, rows = ask(3)
    assert columns == ["lock", "acquisitions", "transactions", "per_acquisition"]
    used = Counter(line(row["address"]) for row in requests(logged))
    expected = {}
    for lock in logged.summary["locks"]:
        transactions = used[line(int(lock["address"], 16))]
        expected[lock["name"]] = (lock["acquisitions"], transactions)
    assert {r[0]: (r[1], r[2]) for r in rows} == expected
    for _, acquisitions, transactions, per_acquisition in rows:
        assert per_acquisition == pytest.approx(transactions / acquisitions)
        assert transactions > acquisitions > 0


def test_4_false_sharing_suspects(logged, ask):
    columns, rows = ask(4)
    assert columns == ["line", "processors", "addresses", "writes"]
    who, where, count = defaultdict(set), defaultdict(set), Counter()
    for row in requests(logged):
        if row["kind"] in ("store", "locked_store", "read_exclusive", "upgrade"):
            who[line(row["address"])].add(row["processor"])
            where[line(row["address"])].add(row["address"])
            count[line(row["address"])] += 1
    suspects = [key for key in count if len(who[key]) > 1 and len(where[key]) > 1]
    assert set(rows) == {(k, len(who[k]), len(where[k]), count[k]) for k in suspects}
    assert 0 < len(suspects) < len(count)


def test_5_share_of_spinners(logged, ask):
    columns, rows = ask(5)
    assert columns == ["ms", "share"]
    busy_ps = Counter()
    for row in logged.bus:
        if row["activity"] == "spin":
            busy_ps[row["grant_ps"] // 10**9] += row["duration_ps"]
    assert {ms: round(share * 10**9) for ms, share in rows} == busy_ps
    of_spinners = logged.summary["bus"]["busy_us_by_activity"]["spin"]
    assert sum(busy_ps.values()) == sum(map(picoseconds, of_spinners.values())) > 0
    # The rows of bus.csv are also 1 ms long, but bus.csv splits a use of the bus at their borders.
    shares = [
        float(row["share_activity_spin"])
        for row in csv.DictReader((logged.folder / "bus.csv").open())
    ]
    for ms, share in rows[:-1]:
        assert share == pytest.approx(shares[ms], abs=0.001)


def test_6_longest_wait(logged, ask):
    columns, rows = ask(6)
    assert columns == ["grant_ps", "processor", "kind", "activity", "symbol", "duration_ps"]
    longest = max(requests(logged), key=lambda r: (r["grant_ps"] - r["posted_ps"], -r["grant_ps"]))
    wait_ps = longest["grant_ps"] - longest["posted_ps"]
    assert wait_ps == picoseconds(logged.summary["bus"]["max_wait_us"])
    assert rows == [
        tuple(row[column] for column in columns)
        for row in logged.bus
        if row["grant_ps"] < longest["grant_ps"]
        and row["grant_ps"] + row["duration_ps"] > longest["posted_ps"]
    ]
    assert 0 < len(rows) < len(logged.bus)


def test_7_transactions_caused_by_a_release(logged, ask):
    columns, rows = ask(7)
    assert columns == ["time_ps", "processor", "symbol", "transactions"]
    expected = []
    for mark in logged.marks:
        if mark["probe"] == "lock_release":
            begin = mark["time_ps"]
            behind = sum(begin <= r["grant_ps"] < begin + 5_000_000 for r in requests(logged))
            expected.append((begin, mark["processor"], mark["symbol"], behind))
    assert rows == expected
    assert len(rows) == sum(lock["releases"] for lock in logged.summary["locks"])
    assert any(row[3] for row in rows)


def test_8_waits_for_locks(logged, ask):
    columns, rows = ask(8)
    assert columns == ["symbol", "processor", "sum", "max"]
    expected = {}
    for row in csv.DictReader((logged.folder / "locks.csv").open()):
        if int(row["acquisitions"]):
            key = row["lock"], int(row["processor"])
            expected[key] = (
                picoseconds(float(row["wait_us"])),
                picoseconds(float(row["max_wait_us"])),
            )
    assert {(s, p): (picoseconds(a), picoseconds(b)) for s, p, a, b in rows} == expected
    assert expected


def test_9_longest_intervals_of_waiting(logged, ask):
    columns, rows = ask(9)
    assert columns == ["processor", "sum", "max"]
    longest = Counter()
    for row in logged.states:
        if row["state"] == "waiting":
            length = row["end_ps"] - row["start_ps"]
            longest[row["processor"]] = max(longest[row["processor"]], length)
    assert {p: (picoseconds(a), picoseconds(b)) for p, a, b in rows} == {
        p["processor"]: (picoseconds(p["states_us"]["waiting"]), longest[p["processor"]])
        for p in logged.summary["processors"]
    }


def test_10_order_in_which_processors_get_a_lock(logged, ask):
    columns, rows = ask(10)
    assert columns == ["value", "from", "to", "times"]
    holder, times = {}, Counter()
    for mark in logged.marks:
        if mark["probe"] == "lock_acquired":
            if mark["value"] in holder:
                times[mark["value"], holder[mark["value"]], mark["processor"]] += 1
            holder[mark["value"]] = mark["processor"]
    assert rows == [(*key, times[key]) for key in sorted(times)]
    locks = logged.summary["locks"]
    assert sum(times.values()) == sum(lock["acquisitions"] - 1 for lock in locks) > 0
