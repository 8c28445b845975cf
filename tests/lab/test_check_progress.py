# SPDX-License-Identifier: MIT
"""`symlab check` says how large a search is, shows how far it is, and ends on Ctrl-C."""

import io
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from check_machine import Machine, counted, lock_thread
from conftest import wait_until
from rich.console import Console
from symlab.check import progress as shown
from symlab.check.checking import Forecast
from symlab.check.driver import GROUP, group_of, search
from symlab.check.frontier import Frontier
from symlab.check.pool import LocalPool
from symlab.check.progress import Progress, foreseen
from symlab.check.rules import Setting
from symlab.check.schedule import HOLD, Entry, Schedule
from symlab.check.search import Bounds, children, forecast, places, starts
from symlab.check.tally import Tally
from symlab.check.trace import Trace
from symlab.check.worker import Plan
from symlab.errors import LabError, RunFailed, UserError
from test_check_parts import plan
from test_check_real import check
from test_check_search import searched
from transaction_run import BINARY, ROOT

PAGE = (ROOT / "docs/how-to/check.md").read_text()
needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


@pytest.mark.parametrize("stores", [False, True])
def test_places_are_the_schedules_with_one_preemption(stores: bool) -> None:
    trace = Trace(Machine([lock_thread(2)] * 3, counted(2, 3), buffered=stores).run(()))
    bounds = Bounds(3, 1, 20_000, stores)
    assert places(trace, bounds) == len(children((), trace, bounds)) > 5


@pytest.mark.parametrize(("n", "preemptions"), [(2, 1), (2, 2), (3, 1)])
def test_the_forecast_is_near_the_number_of_schedules(n: int, preemptions: int) -> None:
    machine = Machine([lock_thread(2)] * n, counted(2, n))
    bounds = Bounds(n, preemptions, 20_000, False)
    expected = forecast(places(Trace(machine.run(())), bounds), bounds)
    made, complete = searched(machine, preemptions)
    assert complete and 1 / 3 < expected / made.schedules < 3


def test_a_search_that_would_take_long_is_told_with_what_ends_sooner() -> None:
    (line,) = foreseen(Forecast(32, 31, (3, 96, 1500), 0.01, 2))
    assert line == (
        "the run without holds: 32 accesses to shared memory, 31 places to preempt; "
        "about 1,500 schedules, 8 s"
    )
    line, advice = foreseen(Forecast(900, 616, (3, 1900, 570_000), 0.05, 2))
    assert "616 places to preempt; about 570,000 schedules, 3:57:30" in line
    assert advice == (
        "what would end sooner: -k 1 (about 1,900 schedules, 48 s); a smaller program (-a "
        "increments=2, or what its argument is called); --search random --minutes 5"
    )
    line, advice = foreseen(Forecast(160_000, 180_000, (3, 540_000, 48_600_000_000), 2.5, 2))
    assert "about 10^10 schedules, more than a year" in line and "-k" not in advice
    assert len(foreseen(Forecast(160_000, 180_000, (), 2.5, 2))) == 1, "a random search has no end"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    monkeypatch.setattr(shown, "LINE_S", 0.05)
    yield io.StringIO()


def test_without_a_terminal_a_line_comes_every_few_seconds(lines: io.StringIO) -> None:
    with Progress(Console(file=lines, width=200), None) as progress:
        progress.watcher.begins("makes the run without holds")
        for _ in range(3):
            time.sleep(0.06)
            progress.watcher.waits()
        tally, source = Tally(), Frontier(starts(Bounds(2, 1, 10)), 1)
        for _ in range(2):
            time.sleep(0.06)
            progress.watcher.searched(tally, source)
    told = lines.getvalue().splitlines()
    assert told[:3] == ["0:00:00: makes the run without holds"] * 3
    assert told[3:] == ["0:00:00: 0 schedules, none yet, 3 pending, 0 distinct orders"] * 2


def test_at_a_terminal_there_is_a_bar(lines: io.StringIO) -> None:
    console = Console(file=lines, width=200, force_terminal=True)
    with Progress(console, None) as progress:
        progress.watcher.foresees(Forecast(10, 5, (3, 20), 0.01, 2))
        tally, source = Tally(), Frontier(starts(Bounds(2, 1, 10)), 1)
        time.sleep(0.6)
        progress.watcher.searched(tally, source)
    assert "━" * 20 in lines.getvalue() and "3 pending" in lines.getvalue()


def test_long_runs_are_handed_out_one_by_one() -> None:
    assert group_of(1e-3) == GROUP and group_of(0.05) == 2 and group_of(3) == 1


def test_progress_is_told_while_a_run_takes_long() -> None:
    """The toy machine takes long over the last of these schedules: it never answers."""
    told = []

    def progress(tally: Tally, _: object) -> None:
        told.append(tally.schedules)
        if len(told) == 3:
            raise KeyboardInterrupt

    silent = (sys.executable, "-c", "import time; time.sleep(60)", "--schedules")
    pool = LocalPool(Plan(silent, (), Setting(), Bounds(2, 0, 10)), 1)
    began_s = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        try:
            search(Frontier(starts(Bounds(2, 0, 10)), 0), pool, None, None, progress)
        finally:
            pool.close()
    assert told == [0, 0, 0] and time.monotonic() - began_s < 10


def test_a_worker_that_is_killed_ends_the_search_with_a_sentence() -> None:
    pool = LocalPool(plan("lock"), 2)
    tasks = [pool.submit([()]) for _ in range(9)]
    assert tasks[0].result(30)[0].status == "finished"
    for process in pool._processes:
        process.kill()
        process.join()
    with pytest.raises(LabError, match="a worker process was killed"):
        for task in tasks:
            task.result(30)
    pool.close()


def test_an_error_of_a_worker_is_raised_with_all_it_says() -> None:
    error = RunFailed("it crashed", 3, "guest-failure", {"a": 1})
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.exit_code, copy.status) == ("it crashed", 3, "guest-failure")
    pool = LocalPool(plan("nothing"), 1)
    with pytest.raises(UserError, match="no program nothing"):
        pool.submit([()]).result(30)
    pool.close()


def test_a_search_ends_in_time_although_a_run_takes_long() -> None:
    silent = (sys.executable, "-c", "import time; time.sleep(60)", "--schedules")
    pool = LocalPool(Plan(silent, (), Setting(), Bounds(2, 0, 10)), 1)
    began_s = time.monotonic()
    frontier = Frontier(starts(Bounds(2, 0, 10)), 0)
    tally, complete = search(frontier, pool, None, began_s + 1, lambda *_: None)
    pool.close()
    assert (tally.schedules, complete) == (0, False) and time.monotonic() - began_s < 10


def test_too_many_pending_schedules_are_left_out_and_the_answer_says_so() -> None:
    def follow(number: int) -> Schedule:
        return (Entry(0, "access", number, HOLD, 10),)

    frontier = Frontier([()], 1, most_pending=5)
    assert frontier.whole and frontier.take(1) == [()]
    assert len(frontier.add([follow(n) for n in range(2, 20)])) == 5
    assert not frontier.whole and frontier.pending == 5
    again = Frontier([()], 1, most_pending=5)  # as rebuilt from a journal, which has those kept
    again.take(1)
    again.add([follow(n) for n in range(2, 7)])
    assert not again.whole
    roomy = Frontier([()], 1)
    roomy.take(1)
    assert len(roomy.add([follow(n) for n in range(2, 20)])) == 18 and roomy.whole


def test_the_cap_does_not_depend_on_the_number_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for jobs in (1, 3):
        pool = LocalPool(plan("lock"), jobs)
        frontier = Frontier(starts(Bounds(2, 2, 20_000)), 2, most_pending=12)
        tally, complete = search(frontier, pool, None, None, lambda *_: None)
        pool.close()
        made.append((tally.schedules, tally.orders, complete))
    assert made[0] == made[1] and not made[0][2]


@needs_simulator
@pytest.mark.parametrize(
    ("size", "until"),
    [
        (["-a", "increments=2000"], "builds counter"),
        ([], "what would end sooner"),  # after the run without holds
        (["-a", "increments=2000"], " pending, "),  # the workers are in their runs
    ],
)
def test_ctrl_c_ends_the_check_of_a_large_program(
    tmp_path: Path, size: list[str], until: str
) -> None:
    words = ["check", "counter", *size, "--simulator", BINARY]
    output = tmp_path / "output.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "symlab", *words],
            cwd=tmp_path, stdout=file, stderr=subprocess.STDOUT, env={**os.environ},
        )  # fmt: skip
    try:
        wait_until(lambda: until in output.read_text() or process.poll() is not None, 60)
        began_s = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130, output.read_text()
        assert time.monotonic() - began_s < 10, "1 s on a host that is not loaded"
    finally:
        process.kill()
    assert f"To continue: symlab {' '.join(words)}" in output.read_text()
    if not size:
        for line in output.read_text().splitlines()[1:4]:
            assert line in PAGE, "the page quotes what is printed"
    wait_until(lambda: not working_in(tmp_path))


@needs_simulator
def test_the_same_program_made_smaller_is_searched(tmp_path: Path) -> None:
    done = check(tmp_path, "counter", "-a", "increments=2")
    assert done.returncode == 0, done.stdout + done.stderr
    (schedules,) = re.findall(r"no violation in (\d+) schedules \(all with at most 2", done.stdout)
    assert f"`-a increments=2` the same command ends after {schedules} schedules" in PAGE


def working_in(folder: Path) -> list[str]:
    """The processes whose working folder this is."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if place.resolve() == folder and int(place.parent.name) != os.getpid():
                found.append(place.parent.name)
        except OSError:
            continue
    return found
