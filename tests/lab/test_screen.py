# SPDX-License-Identifier: MIT
"""The display of a running sweep, and its estimate of the remaining time."""

import io
import os
import pty
import re
import subprocess

import pytest
from conftest import PATIENCE_S, Lab, wait_until
from rich.console import Console
from symlab.runs.executing import Outcome
from symlab.runs.grid import Point
from symlab.runs.plan import Reason, Task
from symlab.runs.planned import Estimate
from symlab.runs.screen import MOST_ROWS, Screen, planning_line
from symlab.runs.store import Identity


def test_the_remaining_time_follows_from_weights_and_concurrent_runs():
    estimate = Estimate()
    for name, weight in [("a", 10.0), ("b", 20.0), ("c", 20.0), ("d", 10.0)]:
        estimate.add(name, weight)
    assert estimate.remaining_s(0.0) is None
    estimate.start("a", 0.0)
    estimate.start("b", 0.0)
    assert estimate.remaining_s(5.0) is None, "nothing has finished"
    estimate.end("a", 10.0, finished=True)  # one second per unit of weight
    estimate.start("c", 10.0)
    # remaining: b 10 s, c 20 s, d 10 s; two runs at a time
    assert estimate.remaining_s(10.0) == pytest.approx((10 + 20 + 10) / 2)
    estimate.end("d", 10.0, finished=False)
    assert estimate.remaining_s(10.0) == pytest.approx(20.0), "no less than the longest"
    assert estimate.remaining_s(100.0) == 0.0, "late runs are not negative"
    estimate.end("b", 40.0, finished=True)  # 50 s for 30 units of weight
    assert estimate.remaining_s(40.0) == pytest.approx(20 * 50 / 30 - 30)
    estimate.end("c", 41.0, finished=True)
    assert estimate.remaining_s(41.0) == 0.0


def test_a_line_about_all_sweeps_is_below_that_of_the_sweep():
    text = io.StringIO()
    console = Console(file=text, width=100)
    console.print(Screen(console, whole=lambda: "2 of 9").table())
    console.print(Screen(console).table())
    lines = text.getvalue().splitlines()
    assert [line.strip() for line in lines if "all sweeps" in line] == ["all sweeps: 2 of 9"]
    assert "0/0 runs" in lines[lines.index(next(x for x in lines if "all sweeps" in x)) - 1]


def test_failed_runs_do_not_count_and_a_restarted_run_starts_at_zero():
    estimate = Estimate()
    estimate.add("a", 1.0)
    estimate.add("b", 1.0)
    estimate.start("a", 0.0)
    estimate.end("a", 1.0, finished=False)
    estimate.start("b", 1.0)
    assert estimate.remaining_s(2.0) is None
    estimate.start("b", 10.0)
    assert estimate.running == {"b": 10.0}


def test_the_time_of_a_planned_sweep_follows_from_earlier_runs():
    estimate = Estimate()
    estimate.add("a", 10.0)
    estimate.add("b", 30.0)
    assert estimate.total_s(2) is None
    estimate.learn(5.0, 10.0)
    assert estimate.total_s(1) == pytest.approx(80.0)
    assert estimate.total_s(4) == pytest.approx(60.0), "no less than the longest"
    estimate.start("a", 0.0)
    assert estimate.remaining_s(5.0) == pytest.approx(15 + 60)


def task(processors: int, reason: Reason = Reason.NEW) -> Task:
    identity = Identity({"machine.processors": processors}, None, "")
    return Task(Point({"machine.processors": processors}, {}), identity, reason)


def shown(screen: Screen) -> str:
    text = io.StringIO()
    Console(file=text, width=200).print(screen.table())
    return text.getvalue()


def test_the_table_has_what_runs_and_counts_the_rest(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("symlab.runs.screen.time.monotonic", lambda: now[0])
    screen = Screen(Console(file=io.StringIO()))
    tasks = [task(1), task(2), task(3), task(4, Reason.KEPT), task(6)]
    screen.watcher.planned(tasks)
    for one in tasks[:3]:
        screen.watcher.started(one, "host-7")
    now[0] += 61
    screen.watcher.ended(tasks[0], Outcome("finished"))
    screen.watcher.ended(tasks[1], Outcome("deadlock"))
    text = shown(screen)
    assert re.search(r"processors=3 +0:01:01 +host-7\n", text)
    assert "processors=2" not in text
    # 61 s per unit of weight; remaining: 122 s for weight 3, 366 s for weight 6
    assert text.splitlines()[-1] == (
        "2/4 runs: 1 running, 1 finished, 1 failed, 1 kept; 0:01:01 elapsed, about 0:08:08 left"
    )


def test_many_runs_at_a_time_are_counted_not_listed():
    screen = Screen(Console(file=io.StringIO()))
    tasks = [task(n) for n in range(1, MOST_ROWS + 6)]
    screen.watcher.planned(tasks)
    assert "unknown left" in shown(screen)
    for one in tasks:
        screen.watcher.started(one, "")
    assert shown(screen).count("processors=") == MOST_ROWS
    assert "and 5 more" in shown(screen)


def test_a_log_file_gets_a_summary_and_a_line_per_run_and_no_live_display(lab: Lab):
    code, output = lab.call("--set", "machine.processors=[1,2]", "--set", "guest.args.lock=read")
    assert code == 0
    words = [line.split()[0] for line in output[: output.index("wrote ")].splitlines()]
    # On a slow host there are also lines that say how far the plan is.
    assert [w for w in words if w != "planning:"] == ["2", "finished", "finished"]
    assert "\x1b" not in output
    assert "running" not in output


def test_a_terminal_shows_what_runs(lab: Lab):
    held = lab.hold("2-read")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        lab.command("--set", "machine.processors=2", "--set", "guest.args.lock=read"),
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    )
    os.close(theirs)
    seen = b""

    def is_shown(text: bytes) -> bool:
        nonlocal seen
        seen += os.read(ours, 4096)
        return re.search(text, seen) is not None

    wait_until(lambda: is_shown(b"1 running"))
    wait_until(lambda: is_shown(rb"0:\d\d:(?!00)\d\d"))
    assert b"processors=2 lock=read" in seen
    held.unlink()
    wait_until(lambda: is_shown(b"wrote "))
    os.close(ours)
    process.wait(PATIENCE_S)


def test_a_long_plan_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [100.0]
    monkeypatch.setattr("symlab.runs.screen.time.monotonic", lambda: now_s[0])
    shown: list[str] = []
    update = planning_line(shown.append, every_s=10)
    for seconds, done in ((0, 1), (1.9, 2), (2.1, 3), (5, 4), (12.2, 5000)):
        now_s[0] = 100 + seconds
        update(done, 90_000)
    assert shown == ["planning: 3 of 90,000 points", "planning: 5,000 of 90,000 points"]
