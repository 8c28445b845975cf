# SPDX-License-Identifier: MIT
"""Ordinary sessions of GDB with 1 to 20 processors: what GDB shows, and how the run ends.

GDB steps a processor alone over a breakpoint, so each session relies on the others standing still.
"""

import re
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from gdb_runs import (
    GDB,
    INTERRUPTED,
    REPOSITORY,
    Debugged,
    debugged,
    gdb_command,
    gdb_output,
    needs_simulator,
    results,
)

pytestmark = needs_simulator

COUNTER = REPOSITORY / "guest" / "workloads" / "counter.c"
INCREMENTS = 40
ALL_SIZES = pytest.mark.parametrize("processors", [1, 2, 4, 8, 20])


def line(code: str) -> int:
    """The number of the only line of counter.c that has this code."""
    lines = COUNTER.read_text().splitlines()
    (number,) = [n for n, text in enumerate(lines, 1) if code in text]
    return number


START = line("if (cpu == 0) start_us = clock_us();")
ACQUIRE = line("lock_acquire(&counter_lock, &slot);")
ADD = line("counter.value = counter.value + 1;")
TEST = line("done = counter.value >= stop_at;")
RELEASE = line("lock_release(&counter_lock, &slot);")
STOP_AT = line("unsigned stop_at = last;")
COUNT = line("own++;")
OWN = line("unsigned own = 0;")
END = line("if (cpu == 0) end_us = clock_us();")
AT_RUN = "tbreak run\ncontinue\n"
WHERE = 'printf "> thread %d cpu %d\\n", $_thread, cpu\nframe 0\n'


def session(
    folder: Path, processors: int, script: str, ends_with: int = 0, machine: str = "symmetry-a"
) -> str:
    """What GDB prints in a session with these commands."""
    with debugged(folder, processors, machine=machine, increments=INCREMENTS) as run:
        said = gdb_output(run, script)
        assert run.end() == ends_with
    return said


def told(said: str) -> list[str]:
    """The lines that the commands of a session have printed."""
    return [text[2:] for text in said.splitlines() if text.startswith("> ")]


def in_order(said: str, *patterns: str) -> None:
    """Each pattern matches after the one before it."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.MULTILINE).search(said, at)
        assert found, f"{pattern} is not in\n{said[at:]}"
        at = found.end()


def source(number: int) -> str:
    """GDB's display of a line of counter.c."""
    text = COUNTER.read_text().splitlines()[number - 1]
    return rf"^{number}\s+{re.escape(text.strip())}"


@ALL_SIZES
def test_next_and_step_go_from_line_to_line_in_one_function(
    tmp_path: Path, processors: int
) -> None:
    script = AT_RUN + WHERE + "next\nnext\nnext\nstep\nbacktrace 2\nfinish\n" + WHERE + "kill"
    said = session(tmp_path, processors, script, INTERRUPTED)
    first, last = told(said)
    assert first == last, "the steps are those of one processor"
    in_order(
        said, r"Temporary breakpoint 1, run \(cpu=\d+, unused=0x0\)",
        source(STOP_AT), source(OWN), rf"^{START - 1}\s+barrier",
        r"^barrier \(\) at \./guest/lib/processors\.c", r"^#0  barrier \(\)",
        rf"^#1  .* in run \(cpu=.*counter\.c:{START - 1}", r"^run \(cpu=", source(START),
    )  # fmt: skip


@ALL_SIZES
def test_next_over_a_lock_acquires_it(tmp_path: Path, processors: int) -> None:
    script = (
        "tbreak lock_acquire\ncontinue\nset $who = $_thread\n"
        'next\nnext\nprintf "> acquired %d\\n", counter_lock.word\nset $before = counter.value\n'
        'next\nprintf "> added %d\\n", counter.value - $before\nnext\nnext\n'
        'printf "> same %d\\n", $_thread == $who\nkill'
    )
    said = session(tmp_path, processors, script, INTERRUPTED)
    assert told(said) == ["acquired 1", "added 1", "same 1"]
    in_order(said, source(ACQUIRE), source(ADD), source(TEST), source(RELEASE), source(COUNT))


@ALL_SIZES
def test_stepi_n_executes_n_instructions_of_one_processor(tmp_path: Path, processors: int) -> None:
    script = AT_RUN + (
        'set $who = $_thread\nprintf "> %#x\\n", $eip\nstepi\nprintf "> %#x\\n", $eip\n'
        'stepi\nprintf "> %#x\\n", $eip\nstepi 4\nprintf "> %#x\\n", $eip\n'
        'stepi 200\nprintf "> %d %d\\n", $_thread == $who, $eip >= (unsigned) run - 0x1000\n'
        "kill"
    )
    said = session(tmp_path, processors, script, INTERRUPTED)
    at_run = int(told(said)[0], 16)
    assert told(said) == [f"{at_run + n:#x}" for n in (0, 1, 2, 18)] + ["1 1"]


@ALL_SIZES
def test_until_and_advance_reach_their_lines(tmp_path: Path, processors: int) -> None:
    script = AT_RUN + (f"advance {TEST}\n{WHERE}until {COUNT}\n{WHERE}delete\nuntil\n{WHERE}kill")
    said = session(tmp_path, processors, script, INTERRUPTED)
    in_order(said, source(TEST), source(COUNT), source(COUNT + 1))
    assert len(told(said)) == 3 and len(set(told(said))) == 1, "all of one processor"


@ALL_SIZES
def test_a_conditional_breakpoint_stops_where_its_condition_holds(
    tmp_path: Path, processors: int
) -> None:
    script = (
        f"break {TEST} if counter.value == 7\nbreak {ADD} if cpu == {processors - 1}\ndisable 2\n"
        'continue\nprintf "> value %d\\n", counter.value\ninfo breakpoints\ndisable 1\nenable 2\n'
        'continue\nprintf "> cpu %d\\n", cpu\ncontinue\nprintf "> cpu %d\\n", cpu\n'
        "delete\ncontinue\n"
    )
    said = session(tmp_path, processors, script.replace("break ", "break counter.c:"))
    assert told(said) == ["value 7", f"cpu {processors - 1}", f"cpu {processors - 1}"]
    in_order(said, source(TEST), "breakpoint already hit 1 time", source(ADD), "exited normally")


@ALL_SIZES
def test_watchpoints_show_writes_reads_and_both(tmp_path: Path, processors: int) -> None:
    script = (
        "watch counter.value\ncontinue\ncontinue\ndelete\nrwatch counter.value\ncontinue\n"
        'printf "> read %d\\n", counter.value\ndelete\nawatch counter_lock.word\ncontinue\n'
        "continue\ndelete\nwatch counter.value if counter.value == 9\ncontinue\n"
        'printf "> %d\\n", counter.value\nkill'
    )
    said = session(tmp_path, processors, script, INTERRUPTED)
    in_order(
        said, r"Hardware watchpoint 1: counter\.value\n\nOld value = 0\nNew value = 1\n",
        r"Old value = 1\nNew value = 2\n",
        r"Hardware read watchpoint 2: counter\.value\n\nValue = 2",
        r"Hardware access \(read/write\) watchpoint 3: counter_lock\.word",
        r"Hardware watchpoint 4: counter\.value\n\nOld value = 8\nNew value = 9",
    )  # fmt: skip
    assert told(said) == ["read 2", "9"]


@pytest.mark.parametrize(
    ("machine", "processors"),
    [("symmetry-a", size) for size in (1, 2, 4, 8, 20)]
    + [(name, 4) for name in ("symmetry-b", "symmetry-update", "crossbar", "ksr1", "spp1000")],
)
def test_breakpoint_commands_that_continue_see_every_hit(
    tmp_path: Path, machine: str, processors: int
) -> None:
    """No processor passes the breakpoint while GDB steps another one over it."""
    script = (
        f"set $hits = 0\nbreak counter.c:{ADD}\ncommands\nsilent\nset $hits = $hits + 1\n"
        f'printf "> %d\\n", $_thread\ncontinue\nend\ntbreak counter.c:{END}\ncontinue\n'
        'printf "> %d hits, counter %d\\n", $hits, counter.value\ndelete\ncontinue'
    )
    said = session(tmp_path, processors, script, machine=machine)
    *threads, last = told(said)
    assert last == f"{INCREMENTS} hits, counter {INCREMENTS}"
    assert set(threads) == {str(n + 1) for n in range(processors)}


@ALL_SIZES
def test_a_breakpoint_of_one_thread_stops_only_that_processor(
    tmp_path: Path, processors: int
) -> None:
    which = (processors + 1) // 2
    script = (
        f"break run thread {which}\nbreak counter.c:{ADD} thread {which}\n"
        f"break counter.c:{COUNT} thread {which}\n"
        f"continue\n{WHERE}continue\n{WHERE}continue\n{WHERE}delete\ncontinue\n"
    )
    said = session(tmp_path, processors, script)
    assert told(said) == [f"thread {which} cpu {which - 1}"] * 3
    in_order(said, "Breakpoint 1, run", "Breakpoint 2, run", "Breakpoint 3, run", "normally")


@ALL_SIZES
def test_every_processor_is_a_thread_with_a_backtrace(tmp_path: Path, processors: int) -> None:
    hits = 'continue\nprintf "> at run %d\\n", $_thread\n' * processors
    script = f"break run\n{hits}info threads\nthread apply all backtrace 1\ndelete\ncontinue\n"
    said = session(tmp_path, processors, script)
    assert Counter(told(said)) == Counter(f"at run {n + 1}" for n in range(processors))
    listed = re.findall(r'^[* ] \d+ +Thread (\d+) "processor (\d+)" \(\w+\)', said, re.MULTILINE)
    assert listed == [(str(n + 1), str(n)) for n in range(processors)]
    traced = re.findall(r'^Thread (\d+) \(Thread \d+ "processor', said, re.MULTILINE)
    assert sorted(map(int, traced)) == list(range(1, processors + 1))
    assert said.count("\n#0  ") == processors


@ALL_SIZES
def test_with_scheduler_locking_the_others_stand_still(tmp_path: Path, processors: int) -> None:
    """One processor goes from increment to increment; then all continue to the right result."""
    others = (
        "set $sum = 0\nset $n = 1\nwhile $n <= $_inferior_thread_count\nif $n != $who\n"
        'eval "thread %d", $n\nset $sum = $sum * 3 + (unsigned) $eip + (unsigned) $esp + $eax\n'
        "end\nset $n = $n + 1\nend\n"
        'eval "thread %d", $who\n'
    )
    script = (
        f"break counter.c:{ADD}\ncontinue\nset $who = $_thread\n{others}set $before = $sum\n"
        "set scheduler-locking on\nset $value = counter.value\ncontinue\ncontinue\nstepi 5\n"
        'printf "> %d more by %d\\n", counter.value - $value, $_thread == $who\nflushregs\n'
        f'{others}printf "> same %d\\n", $sum == $before\n'
        "set scheduler-locking off\ndelete\ncontinue\n"
    )
    said = session(tmp_path, processors, script)
    assert told(said) == ["3 more by 1", "same 1"]
    assert "exited normally" in said


@ALL_SIZES
def test_hardware_and_temporary_breakpoints(tmp_path: Path, processors: int) -> None:
    script = (
        f"hbreak counter.c:{ADD}\nthbreak counter.c:{TEST}\ncontinue\ncontinue\ncontinue\n"
        'printf "> %d\\n", counter.value\ninfo breakpoints\ndisconnect\n'
    )
    said = session(tmp_path, processors, script)
    in_order(
        said, "Breakpoint 1, run", "Temporary breakpoint 2, run", "Breakpoint 1, run",
        r"^1 +hw breakpoint +keep y .* in run at \./guest/workloads/counter\.c", "hit 2 times",
    )  # fmt: skip
    assert "hw breakpoint  del" not in said and told(said) == ["1"]


@ALL_SIZES
def test_after_detach_gdb_can_attach_again(tmp_path: Path, processors: int) -> None:
    # Who is second at the addition, with the lock, comes after the first one's.
    with debugged(tmp_path, processors, increments=10_000_000) as run:
        again = f"target remote :{run.port}\n"
        said = gdb_output(
            run,
            f"{AT_RUN}detach\n{again}info threads\nbreak counter.c:{ADD}\ncontinue\ncontinue\n"
            f'printf "> %d\\n", counter.value > 0\nnext\ndisconnect\n{again}delete\n'
            f"set $value = counter.value\ntbreak counter.c:{TEST}\ncontinue\n"
            'printf "> %d\\n", counter.value >= $value\nkill',
        )
        assert run.end() == INTERRUPTED
    assert told(said) == ["1", "1"]
    in_order(
        said, "detached", source(ADD), source(TEST), "Temporary breakpoint", source(TEST), "killed"
    )


@ALL_SIZES
def test_ctrl_c_stops_a_session_that_steps_over_breakpoints(
    tmp_path: Path, processors: int
) -> None:
    """The condition never holds, so the machine stops and continues all the time."""
    with debugged(tmp_path, processors, increments=1_000_000) as run:
        command = gdb_command(
            run,
            f"break counter.c:{ADD} if counter.value == 0x7fffffff\n"
            f'printf "> running\\n"\ncontinue\nprintf "> %d\\n", counter.value > 0\n'
            "info breakpoints\ndelete\nnext\nkill",
        )
        assert GDB
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=REPOSITORY
        )
        assert process.stdout
        said = ""
        while "> running" not in said:
            said += process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said += process.communicate(timeout=60)[0]
        assert run.end() == INTERRUPTED
    in_order(said, "received signal SIGINT", r"^> 1", "stop only if", r"killed")


SHORT = {
    "next": ("next\n" * 4, rf"^{START}\s"),
    "until": ("until\n" * 4, rf"^{START}\s"),
    "stepi": ("stepi 200\n" * 2, "^0x|^[0-9]"),
    "finish": ("next\n" * 3 + "step\nfinish\n", rf"^{START}\s"),
    "commands": (
        f"break barrier\ncommands\nsilent\ncontinue\nend\ntbreak counter.c:{ADD}\ncontinue\n",
        source(ADD),
    ),
    "thread": ("break run thread 3\ncontinue\n", r'Thread 3 "processor 2" hit Breakpoint 2, run'),
}


@pytest.mark.parametrize("processors", [4, 8, 20])
@pytest.mark.parametrize("which", SHORT)
def test_short_sessions_with_the_quickstart(tmp_path: Path, which: str, processors: int) -> None:
    commands, shown = SHORT[which]
    run = Debugged(
        tmp_path,
        REPOSITORY / "configs" / "quickstart.toml",
        f"--set=machine.processors={processors}",
    )
    try:
        said = gdb_output(run, f'{AT_RUN}{commands}printf "> thread %d\\n", $_thread\nkill')
        assert run.end() == INTERRUPTED
    finally:
        run.process.kill()
        run.process.wait()
    in_order(said, "Temporary breakpoint 1, run", shown, "> thread", "killed")
    if which not in ("commands", "thread"):
        stopped = re.search(r"^Thread (\d+) ", said, re.MULTILINE)
        assert stopped and told(said) == [f"thread {stopped[1]}"]


def test_the_same_commands_give_the_same_files(tmp_path: Path) -> None:
    """A session that steps over breakpoints changes the run, in the same way each time."""
    script = f"break counter.c:{ADD}\n" + "continue\n" * 12 + "stepi 3\nnext\ndelete\ncontinue\n"
    files = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        session(tmp_path / name, 8, script)
        files.append(results(tmp_path / name / "debugged"))
    assert files[0] == files[1]


def documented() -> tuple[str, list[str]]:
    """The example of docs/how-to/debugging.md: its commands, and the lines that it shows."""
    text = (REPOSITORY / "docs" / "how-to" / "debugging.md").read_text()
    example = text.split("An example with `configs/quickstart.toml`:")[1].split("\n\nA debugged")[0]
    shown = [text[4:] for text in example.splitlines() if text.startswith("    ")]
    commands = [text[6:] for text in shown if text.startswith("(gdb) ")]
    return "\n".join(commands), [text for text in shown if not text.startswith("(gdb) ")]


def test_the_documented_session_shows_what_the_documentation_says(tmp_path: Path) -> None:
    commands, shown = documented()
    run = Debugged(tmp_path, REPOSITORY / "configs" / "quickstart.toml")
    try:
        said = gdb_output(run, commands + "\nkill").splitlines()
        assert run.end() == INTERRUPTED
    finally:
        run.process.kill()
        run.process.wait()
    assert len(shown) > 8
    at = 0
    for text in shown:
        if text.strip() == "...":
            continue
        beginning = " ".join(text.removesuffix("...").split())
        matching = [n for n, one in enumerate(said) if " ".join(one.split()).startswith(beginning)]
        assert [n for n in matching if n >= at], f"{text!r} is not in {said[at:]}"
        at = min(n for n in matching if n >= at) + 1
