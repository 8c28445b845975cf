# SPDX-License-Identifier: MIT
"""The parts around the search of `symlab check`: schedules, processes, journal, shrinking."""

import json
import signal
import sys
from pathlib import Path

import pytest
from check_machine import PROGRAMS, Machine
from symlab.checks.batch import AHEAD, Batch
from symlab.checks.checking import _identity_of_modules
from symlab.checks.driver import LocalPool, search
from symlab.checks.journal import Journal
from symlab.checks.rules import Setting, first_violation
from symlab.checks.schedule import HOLD, Entry, Schedule, parse, text
from symlab.checks.search import Bounds, shrink, starts
from symlab.checks.sources import Frontier, Stress
from symlab.checks.trace import Trace
from symlab.checks.worker import Plan, Tally, Worker
from symlab.errors import LabError, UserError

FAKE = (sys.executable, str(Path(__file__).with_name("check_machine.py")))
BOUNDS = Bounds(2, 2, 20_000, False)


def plan(program: str) -> Plan:
    return Plan((*FAKE, program, "--schedules"), (), Setting(), BOUNDS)


def test_schedules_have_one_text() -> None:
    words = "1 access 12 hold 80000, 0 instruction 27 stores 40000, 0 instruction 30 interrupt"
    assert text(parse(words)) == words
    assert parse("") == ()
    with pytest.raises(UserError, match="2 access"):
        parse("1 access 1 hold 5, 2 access hold 5")


def test_a_journal_begins_anew_if_a_deciding_module_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = _identity_of_modules()
    monkeypatch.setattr(Path, "read_bytes", lambda file: file.read_text().encode() + b"#")
    assert _identity_of_modules() != before


def test_a_batch_answers_in_order() -> None:
    machine = PROGRAMS["lock"]()
    schedules = [(Entry(1, "access", n, HOLD, 1000),) for n in range(1, AHEAD + 9)]
    with Batch(plan("lock").command) as batch:
        assert batch.run_all(schedules) == json.loads(json.dumps(machine.run_all(schedules)))
        assert batch.run(())["schedule"] == ""


def test_a_mistake_of_the_user_is_named() -> None:
    with Batch(plan("nothing").command) as batch, pytest.raises(UserError, match="no program"):
        batch.run(())


def test_a_simulator_that_dies_names_the_schedule() -> None:
    with Batch(plan("lock").command) as batch:
        batch.run(())
        batch._process.send_signal(signal.SIGKILL)
        batch._process.wait()
        with pytest.raises(LabError, match="exit code -9 at the schedule '1 access 2 hold 7'"):
            batch.run((Entry(1, "access", 2, HOLD, 7),))


def counts(tally: Tally) -> tuple[object, ...]:
    return tally.schedules, tally.orders, tally.violation, tally.worst, tally.by_preemptions


def run_search(
    jobs: int, journal: Journal | None, stop_after: int | None = None, program: str = "lock"
) -> tuple[Tally, bool]:
    def progress(tally: Tally, _: object) -> None:
        if stop_after is not None and tally.schedules >= stop_after:
            raise KeyboardInterrupt

    pool = LocalPool(plan(program), jobs)
    try:
        return search(Frontier(starts(BOUNDS), 2), pool, journal, None, progress)
    finally:
        pool.close()
        if journal:
            journal.close()


@pytest.mark.parametrize("program", ["lock", "broken"])
def test_worker_processes_find_what_one_finds(program: str) -> None:
    one, two = (run_search(jobs, None, program=program) for jobs in (1, 2))
    assert counts(one[0]) == counts(two[0]) and one[1] == two[1] == (program == "lock")


@pytest.mark.parametrize("cut", [0, 5])
def test_an_interrupted_search_goes_on(tmp_path: Path, cut: int) -> None:
    """`cut`: bytes that a kill takes off the end of the journal."""
    whole, _ = run_search(1, None)
    path = tmp_path / "journal.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run_search(1, Journal(path, {"a": 1}), stop_after=whole.schedules // 2)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    journal = Journal(path, {"a": 1})
    kept = len(journal.earlier)
    assert whole.schedules // 3 < kept < whole.schedules
    tally, complete = run_search(2, journal)
    assert complete and counts(tally) == counts(whole)
    assert len(list(Journal.read(path))) == whole.schedules


def test_a_journal_of_another_search_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    run_search(1, Journal(path, {"a": 1}))
    journal = Journal(path, {"a": 2})
    assert journal.earlier == []
    journal.close()
    assert list(Journal.read(path)) == []


def test_a_found_violation_is_in_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    tally, complete = run_search(1, Journal(path, {}), program="broken")
    again, _ = run_search(1, Journal(path, {}), program="broken")
    assert not complete and tally.violation is not None
    assert counts(again) == counts(tally)


def test_shrinking_leaves_what_is_necessary() -> None:
    machine: Machine = PROGRAMS["broken"]()
    worker = Worker(Plan((), (), Setting(), BOUNDS, False), machine)
    long = tuple(Entry(p, "access", n, HOLD, 40_000) for p in (0, 1) for n in (1, 2, 5, 7))

    def violation(schedule: Schedule) -> object:
        found = first_violation(Trace(machine.run(schedule)), Setting())
        return found and found.key

    tried = [s for s in (long[:n] for n in range(1, 9)) if violation(s)]
    assert tried, "none of them fails: the test would show nothing"
    wanted = violation(tried[-1])
    short = shrink(tried[-1], lambda s: violation(s) == wanted)
    assert violation(short) == wanted
    assert len(short) <= 1 and sum(e.delay_ns for e in short) < 40_000
    assert all(violation(short[:i] + short[i + 1 :]) != wanted for i in range(len(short)))
    assert worker.trace(short).status == "finished"


def test_a_run_at_its_limit_gets_more_time() -> None:
    hurried, patient = PROGRAMS["lock"](), PROGRAMS["lock"]()
    hurried.limit_ps = 5_300_000
    settled = Plan((), ("later",), Setting(), BOUNDS, False)
    (judged,) = Worker(settled, hurried, patient).judge([()])
    assert judged.status == "finished" and judged.violation is None
    (judged,) = Worker(settled, hurried, hurried).judge([()])
    assert judged.violation is not None and judged.violation.rule == "waits-for-ever"


def test_stress_starts_at_random_times() -> None:
    stress = Stress(2, 5000)
    schedules = [stress.schedule(1, number) for number in range(20)]
    assert schedules == [stress.schedule(1, number) for number in range(20)]
    assert len(set(schedules)) == 20 and schedules[0] != stress.schedule(2, 0)
    for schedule in schedules:
        assert {entry.action for entry in schedule} == {"hold"}
        assert all(entry.position == 1 and 0 < entry.delay_ns < 5000 for entry in schedule)
