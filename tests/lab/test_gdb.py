# SPDX-License-Identifier: MIT
"""`symsim --gdb`: tests with scripts for GDB, and tests that send raw packets."""

import re
import socket
import subprocess
from pathlib import Path

import pytest
from gdb_runs import (
    BINARY,
    INTERRUPTED,
    Client,
    Debugged,
    address_of,
    config,
    debugged,
    gdb,
    needs_simulator,
    results,
)

pytestmark = needs_simulator

# Everything but to step over a breakpoint that stays inserted: for that GDB holds the others.
TOUR = """
printf "> %d processors\\n", $_inferior_thread_count
tbreak run
continue
printf "> cpu %d of thread %d\\n", cpu, $_thread
thread apply all backtrace 2
next 2
watch counter.value
continue
printf "> counter %d\\n", counter.value
continue
printf "> counter %d\\n", counter.value
delete
set $at = $eip
set $who = $_thread
stepi
printf "> %d of the same processor: %d\\n", $eip != $at, $_thread == $who
stepi 20
next
printf "> st0 %.1f control %#x\\n", $st0, $fctrl
monitor time
detach
"""


@pytest.mark.parametrize("processors", [1, 4, 20])
def test_a_debugged_run_shows_what_happens_and_changes_nothing(
    tmp_path: Path, processors: int
) -> None:
    with debugged(tmp_path, processors) as run:
        said = gdb(run, TOUR)
        assert run.end() == 0
    number = re.fullmatch(r"cpu (\d+) of thread (\d+)", said[1])
    assert number and int(number[1]) + 1 == int(number[2])
    assert said[:1] + said[2:] == [
        f"{processors} processors",
        "counter 1",
        "counter 2",
        "1 of the same processor: 1",
        "st0 0.0 control 0x37f",
    ]
    free = tmp_path / "free"
    subprocess.run(
        [BINARY, str(tmp_path / "debugged.toml"), "--quiet", "--out", str(free)], check=True
    )
    assert results(run.out) == results(free)
    assert b'"reference"' in (run.out / "host.json").read_bytes(), "what it was debugged with"


def test_threads_are_processors_with_their_activity(tmp_path: Path) -> None:
    with debugged(tmp_path, 3) as run:
        client = Client(run.port)
        assert client.ask("qfThreadInfo") == "m1,2,3"
        assert client.ask("qsThreadInfo") == "l"
        assert bytes.fromhex(client.ask("qThreadExtraInfo,3")) == b"boot"
        listed = client.ask("qXfer:threads:read::0,1000")
        assert re.findall(r'id="(\d)" core="\d" name="(processor \d)">(\w+)<', listed) == [
            (str(n + 1), f"processor {n}", "boot") for n in range(3)
        ]
        assert client.time_us() == 0
        assert client.ask("vCont;s:2") == "T05thread:2;"
        assert client.time_us() > 0
        client.ask("D")
        assert run.end() == 0


def test_memory_and_registers_can_be_set(tmp_path: Path) -> None:
    with debugged(tmp_path, 1) as run:
        said = gdb(
            run,
            "break run\ncontinue\nset var counter.value = 40\nset $edx = 7\nset $st2 = 1.5\n"
            'printf "> %d %d %.1f\\n", counter.value, $edx, $st2\n'
            "delete\nwatch counter.value\ncontinue\n"
            'printf "> %d\\n", counter.value\ndetach\n',
        )
        assert run.end() == 1, "the guest counts fewer increments than its counter has"
    assert said == ["40 7 1.5", "41"]


def test_a_guest_that_fails_stops_where_it_fails_and_then_ends(tmp_path: Path) -> None:
    with debugged(tmp_path, 2) as run:
        said = gdb(
            run,
            "break run\ncontinue\nset $eip = 0x7ff00000\ncontinue\n"
            'printf "> %#x\\n", $eip\ncontinue\nprintf "> ended with %d\\n", $_exitcode\n',
        )
        assert run.end() == 3
        assert "where there is no memory" in run.process.stderr.read()
    assert said == ["0x7ff00000", "ended with 3"]
    assert b"guest-failure" in results(run.out)["summary.json"]


def test_after_setting_eip_back_the_current_code_is_executed(tmp_path: Path) -> None:
    with debugged(tmp_path, 1) as run:
        client = Client(run.port)
        client.stop_at(address_of("run", run.image))
        before = client.ask("g")
        first = [client.step() for _ in range(4)]
        assert client.ask("G" + before) == "OK"
        assert [client.step() for _ in range(4)] == first
        registers = client.registers()
        inc_eax = "40"
        assert client.ask(f"M{registers[8]:x},1:{inc_eax}") == "OK"
        client.ask("s")
        assert client.registers() == [registers[0] + 1, *registers[1:8], registers[8] + 1]


WAITING_LOOP = r"lock_wait\.\d+"  # its name ends with a number of the compiler (word-base.h)


def hits(folder: Path, name: str, step_over: bool, **how: object) -> int:
    """How often processors stop at a breakpoint at the function `name`, a pattern, of a run.

    `step_over`: after each stop, removes the breakpoint for one step, as GDB does.
    """
    with debugged(folder, **how) as run:
        client = Client(run.port)
        here = f"0,{address_of(name, run.image):x},1"
        client.ask(f"Z{here}")
        count = 0
        stop = client.ask("vCont;c")
        while thread := re.fullmatch(r"T05thread:(\w+);", stop):
            count += 1
            if step_over:
                client.ask(f"z{here}")
                assert client.ask(f"vCont;s:{thread[1]}") == thread[0]
                assert client.registers()[8] != int(here.split(",")[1], 16)
                client.ask(f"Z{here}")
            stop = client.ask("vCont;c")
        assert stop == "W00"
        assert run.end() == 0
    return count


# From the reset vector to F000:0100, where al counts up to 3; then halt with interrupts off.
ROM_BYTES = 0x10000
ROM_CODE = (
    0xF0100  # linear address of `mov $0, %al`; `inc %al` follows, `cmp $3, %al`, `jne`, `cli`
)
COUNTS = b"\xb0\x00\xfe\xc0\x3c\x03\x75\xfa\xfa\xf4"


def test_with_a_code_segment_that_does_not_begin_at_0_eip_is_the_linear_address(
    tmp_path: Path,
) -> None:
    code = COUNTS.rjust(0x100 + len(COUNTS), b"\x90").ljust(ROM_BYTES - 16, b"\x90")
    reset = b"\xea\x00\x01\x00\xf0".ljust(16, b"\x90")
    (tmp_path / "count.rom").write_bytes(code + reset)
    file = config(tmp_path, 1)
    file.write_text(file.read_text().replace('image = "counter-read"', 'rom = "count.rom"'))
    run = Debugged(tmp_path, file)
    try:
        client = Client(run.port)
        for count in range(3):
            client.stop_at(ROM_CODE + 2)
            eax, *_, eip = client.registers()
            assert (eip, eax & 0xFF) == (ROM_CODE + 2, count)
            assert client.ask(f"m{eip:x},2") == COUNTS[2:4].hex()
            client.step()
            assert client.registers()[8] == ROM_CODE + 4
        client.ask(f"P8={ROM_CODE.to_bytes(4, 'little').hex()}")
        client.step()
        assert client.registers()[8] == ROM_CODE + 2
        assert client.registers()[0] & 0xFF == 0
        client.ask("D")
        assert run.end() == 0
    finally:
        run.process.kill()
        run.process.wait()


def test_while_gdb_steps_over_a_breakpoint_only_one_processor_moves(tmp_path: Path) -> None:
    """The waiters are at the breakpoint at once: each steps alone, and the holder comes on."""
    assert hits(tmp_path, WAITING_LOOP, True, processors=20, increments=40) >= 20


def test_a_breakpoint_after_a_long_computation_stops_once(tmp_path: Path) -> None:
    """While the bus is idle, the simulator checks for a deadlock; the check must not stop twice."""
    how = {
        "processors": 1,
        "guest": "work_threads-single-lock",
        "threads": 5,
        "warm": 2,
        "work_us": 5000,
    }
    assert hits(tmp_path, "null_thread", False, **how) == 2 + 5


def test_ctrl_c_stops_and_kill_ends_with_partial_results(tmp_path: Path) -> None:
    with debugged(tmp_path, 4, increments=10_000_000) as run:
        client = Client(run.port)
        client.send("vCont;c")
        client.line.sendall(b"\x03")
        assert re.fullmatch(r"T02thread:[1-4];", client.reply())
        assert len(client.registers()) == 9
        client.send("k")
        assert run.end() == INTERRUPTED
    assert b'"partial": true' in results(run.out)["summary.json"]


def test_after_a_lost_connection_the_run_continues(tmp_path: Path) -> None:
    with debugged(tmp_path, 2) as run:
        client = Client(run.port)
        client.ask("?")
        client.line.close()
        assert run.end() == 0
        assert "connection to GDB is lost" in run.process.stderr.read()


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("m0,10000", "E01"), ("mfffffff0,4", "E0e"), ("m,", "E01"), ("p20", "E01"), ("p", "E01"),
        ("P0=12", "E01"), ("Pzz", "E01"), ("G12", "E01"), ("G1", "E01"), ("M0,4:12", "E01"),
        ("M7ff00000,1:12", "E0e"), ("Z0,", "E01"), ("Z9,0,1", ""), ("H", "E01"), ("Hg3", "E01"),
        ("Hg2", "OK"), ("Hg0", "OK"), ("Hg-1", "OK"), ("Hc-1", "OK"), ("Hc3", "E01"), ("Hx1", ""),
        ("T3", "E01"), ("T1", "OK"), ("T0", "E01"), ("T-1", "E01"), ("vCont?", "vCont;c;C;s;S"),
        ("vCont;s:9", "E01"), ("vCont;x", "E01"), ("vCont;", "E01"), ("vCont;t:1", "E01"),
        ("vCont;r0,4:1", "E01"), ("vCont;s1", "E01"), ("vCont;C", "E01"), ("vCont;s:1;x:2", "E01"),
        ("cx", "E01"), ("Sx", "E01"), ("S05;x", "E01"), ("Z2,0,0", "E01"),
        ("qXfer:features:read:target.xml:0", "E01"), ("qThreadExtraInfo,9", "E01"), ("!", ""),
        ("qXfer:features:read:target.xml:fffff,10", "l"), ("qNothing", ""), ("vNothing", ""),
    ],
)  # fmt: skip
def test_malformed_packets_are_refused(tmp_path: Path, asked: str, answer: str) -> None:
    with debugged(tmp_path, 2) as run:
        client = Client(run.port)
        assert client.ask(asked) == answer
        client.ask("D")
        assert run.end() == 0


def test_a_port_that_is_taken_or_invalid_is_a_user_error(tmp_path: Path) -> None:
    file = config(tmp_path, 1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for given, said in [(port, "give another port"), (70000, "0 to 65535"), (-1, "0 to 65535")]:
            told = subprocess.run(
                [BINARY, str(file), f"--gdb={given}", "--out", str(tmp_path / "none")],
                capture_output=True, text=True, timeout=60,
            )  # fmt: skip
            assert told.returncode == 2
            assert said in told.stderr and str(given) in told.stderr
    assert not (tmp_path / "none").exists()


def test_ctrl_c_at_the_terminal_ends_the_waiting(tmp_path: Path) -> None:
    with debugged(tmp_path, 1) as run:
        run.process.send_signal(2)
        assert run.end() == INTERRUPTED
