# SPDX-License-Identifier: MIT
"""GDB's remote protocol, packet by packet: who resumes, what comes while the machine runs, errors.

"Debugging with GDB", appendix E, says what each packet means.
"""

import re
import socket
import time
from pathlib import Path

import pytest
from gdb_runs import (
    INTERRUPTED,
    Client,
    Debugged,
    address_of,
    config,
    debugged,
    needs_simulator,
    results,
)

pytestmark = needs_simulator

PROCESSORS = 4
MANY = 1_000_000  # increments: the run does not end by itself during a test
CTRL_C = b"\x03"
RUNS_FOR = 0.1  # seconds


def at_run(run: Debugged) -> tuple[Client, int]:
    """A client of a machine one of whose processors has reached `run`, and its thread."""
    client = Client(run.port)
    here = f"0,{address_of('run', run.image):x},1"
    assert client.ask(f"Z{here}") == "OK"
    stop = re.fullmatch(r"T05thread:(\d);", client.ask("vCont;c"))
    assert stop
    assert client.ask(f"z{here}") == "OK"
    return client, int(stop[1])


def moved(client: Client, before: list[str]) -> set[int]:
    """The threads whose registers have changed."""
    after = client.registers_of_all(len(before))
    return {n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b}


def send_all(client: Client, packets: list[str], thread: int) -> str:
    """Sends packets, with the thread's number for N; returns the reply to the last one."""
    *first, last = [packet.replace("N", str(thread)) for packet in packets]
    for packet in first:
        assert client.ask(packet) == "OK"
    return client.ask(last)


@pytest.mark.parametrize(
    "packets",
    [
        ["vCont;s:N"], ["vCont;S05:N"], ["vCont;s:N;c:N"], ["HcN", "s"], ["HcN", "S05"],
        ["Hg1", "HcN", "s"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_action_for_one_thread_resumes_only_it(tmp_path: Path, packets: list[str]) -> None:
    with debugged(tmp_path, PROCESSORS) as run:
        client, thread = at_run(run)
        for _ in range(12):
            before, time_us = client.registers_of_all(PROCESSORS), client.time_us()
            assert send_all(client, packets, thread) == f"T05thread:{thread};"
            assert client.time_us() > time_us
            assert moved(client, before) == {thread}
        assert client.ask("vCont;c") == "W00"
        assert run.end() == 0


@pytest.mark.parametrize(
    "packets",
    [
        ["vCont;s:N;c"], ["vCont;s:N;c:-1"], ["HgN", "s"], ["HcN", "Hc-1", "HgN", "s"],
        ["HcN", "Hc0", "HgN", "s"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_default_action_resumes_the_others_too(tmp_path: Path, packets: list[str]) -> None:
    with debugged(tmp_path, PROCESSORS) as run:
        client, thread = at_run(run)
        before = client.registers_of_all(PROCESSORS)
        for _ in range(12):
            assert send_all(client, packets, thread) == f"T05thread:{thread};"
        assert len(moved(client, before)) > 1
        client.ask("D")
        assert run.end() == 0


def test_two_threads_may_step_while_the_others_stand_still(tmp_path: Path) -> None:
    with debugged(tmp_path, PROCESSORS) as run:
        client, _ = at_run(run)
        before = client.registers_of_all(PROCESSORS)
        stops = {client.ask("vCont;s:2;s:4") for _ in range(20)}
        assert stops == {"T05thread:2;", "T05thread:4;"}
        assert moved(client, before) == {2, 4}
        client.ask("D")
        assert run.end() == 0


@pytest.mark.parametrize("packets", [["vCont;c:N"], ["HcN", "c"], ["vCont;C05:N"]], ids=" ".join)
def test_a_thread_that_continues_alone_waits_for_the_others(
    tmp_path: Path, packets: list[str]
) -> None:
    """It waits at the barrier until Ctrl-C. When all continue, the guest comes to its right end."""
    with debugged(tmp_path, PROCESSORS) as run:
        client, thread = at_run(run)
        before = client.registers_of_all(PROCESSORS)
        barrier = f"0,{address_of('barrier', run.image):x},1"
        assert client.ask(f"Z{barrier}") == "OK"
        assert send_all(client, packets, thread) == f"T05thread:{thread};"
        assert client.registers()[8] == address_of("barrier", run.image)
        assert client.ask(f"z{barrier}") == "OK"
        for packet in packets[:-1]:
            assert client.ask(packet.replace("N", str(thread))) == "OK"
        client.send(packets[-1].replace("N", str(thread)))
        time.sleep(RUNS_FOR)
        client.line.sendall(CTRL_C)
        assert client.reply() == f"T02thread:{thread};"
        assert moved(client, before) == {thread}
        assert client.ask("vCont;c") == "W00"
        assert run.end() == 0


def test_what_is_held_is_reported_and_executed_later(tmp_path: Path) -> None:
    """Every processor at a breakpoint is reported once, though one steps alone between."""
    with debugged(tmp_path, PROCESSORS) as run:
        client = Client(run.port)
        assert client.ask(f"Z0,{address_of('run', run.image):x},1") == "OK"
        stops = []
        stop = client.ask("vCont;c")
        while thread := re.fullmatch(r"T05thread:(\d);", stop):
            stops.append(int(thread[1]))
            other = stops[0]
            for _ in range(3):
                assert client.ask(f"vCont;s:{other}") == f"T05thread:{other};"
            stop = client.ask("vCont;c")
        assert (stop, sorted(stops)) == ("W00", [1, 2, 3, 4])
        assert run.end() == 0


def rom(folder: Path, code: bytes) -> Debugged:
    """A machine of two processors with a ROM, which starts at F000:0100 on the first."""
    reset = b"\xea\x00\x01\x00\xf0".ljust(16, b"\x90")
    (folder / "test.rom").write_bytes(
        b"\x90" * 0x100 + code.ljust(0x10000 - 0x110, b"\x90") + reset
    )
    file = config(folder, 2)
    file.write_text(file.read_text().replace('image = "counter-read"', 'rom = "test.rom"'))
    return Debugged(folder, file)


def test_ctrl_c_stops_a_machine_in_which_nothing_can_execute(tmp_path: Path) -> None:
    """The second processor is halted, and resumes alone: no instruction begins any more."""
    run = rom(tmp_path, b"\xfa\xf4")  # cli; hlt
    try:
        client = Client(run.port)
        assert client.ask("vCont;s:1") == "T05thread:1;"
        client.send("vCont;c:2")
        time.sleep(RUNS_FOR)
        client.line.sendall(CTRL_C)
        assert client.reply() == "T02thread:2;"
        assert client.ask("vCont;c") == "W00"
        assert run.end() == 0
    finally:
        run.process.kill()
        run.process.wait()


@pytest.mark.parametrize("letter", ["s", "S05;"])
def test_a_step_may_begin_at_an_address(tmp_path: Path, letter: str) -> None:
    run = rom(tmp_path, b"\x40\x40\x40\xeb\xfe")  # inc %ax, three times; jmp to itself
    try:
        client = Client(run.port)
        client.stop_at(0xF0103)
        ax = client.registers()[0] & 0xFFFF
        assert client.ask(f"{letter}f0101") == "T05thread:1;"
        assert client.registers()[8] == 0xF0102
        assert client.registers()[0] & 0xFFFF == ax + 1
        client.send("k")
        assert run.end() == INTERRUPTED
    finally:
        run.process.kill()
        run.process.wait()


STOP = r"T02thread:[12];"


@pytest.mark.parametrize(
    ("sent", "replies"),
    [
        (b"+", [STOP]), (b"++", [STOP]), (b"xyz", [STOP]),
        (b"-", ["OK", STOP]),  # the last packet again
        (b"$?#3f", [STOP, STOP]), (b"$qC#b4$?#3f", [STOP, "QC[12]", STOP]),
        (b"$?#00", [STOP]),  # damaged
        (b"$m0,$qC#b4", [STOP, "QC[12]"]),  # the first is not complete
    ],
)  # fmt: skip
def test_bytes_that_come_while_the_machine_runs_hide_no_ctrl_c(
    tmp_path: Path, sent: bytes, replies: list[str]
) -> None:
    with debugged(tmp_path, 2, increments=MANY) as run:
        client = Client(run.port)
        assert client.ask("Hg1") == "OK"
        client.send("vCont;c")
        time.sleep(RUNS_FOR)
        client.line.sendall(sent)
        time.sleep(RUNS_FOR)
        client.line.sendall(CTRL_C)
        for reply in replies:
            assert re.fullmatch(reply, client.reply())
        client.send("k")
        assert run.end() == INTERRUPTED


def test_ctrl_c_at_a_breakpoint_stops_when_the_machine_goes_on(tmp_path: Path) -> None:
    """GDB continues by itself where a condition does not hold, so the Ctrl-C must not be lost."""
    with debugged(tmp_path, 2, increments=MANY) as run:
        client, _ = at_run(run)
        client.line.sendall(CTRL_C)
        assert re.fullmatch(STOP, client.ask("vCont;c"))
        client.line.sendall(CTRL_C)  # at a stop that is due to a Ctrl-C: no second one
        assert client.ask("vCont;s:1") == "T05thread:1;"
        client.send("k")
        assert run.end() == INTERRUPTED


@pytest.mark.parametrize(
    ("running", "sent", "said"),
    [
        (True, b"$?#3f" * 17, "more than 16 packets while the machine runs"),
        (False, b"$" + b"x" * 17000, "a packet of more than 16384 bytes"),
        (True, b"$" + b"x" * 17000, "a packet of more than 16384 bytes"),
    ],
)
def test_a_client_that_floods_is_disconnected(
    tmp_path: Path, running: bool, sent: bytes, said: str
) -> None:
    with debugged(tmp_path, 2, increments=5000) as run:
        client = Client(run.port)
        if running:
            client.send("vCont;c")
        client.line.sendall(sent)
        assert run.end() == 0
        assert said in run.process.stderr.read()


def test_a_lost_connection_is_noticed_while_the_machine_runs(tmp_path: Path) -> None:
    """The breakpoint that nobody serves any more does not stop the run."""
    with debugged(tmp_path, 2, increments=5000) as run:
        client, _ = at_run(run)
        client.send("vCont;c")
        client.line.close()
        assert run.end() == 0
        assert run.process.stderr.read().count("connection to GDB is lost") == 1


def test_without_acknowledgement_a_damaged_packet_gets_no_answer(tmp_path: Path) -> None:
    with debugged(tmp_path, 1) as run:
        client = Client(run.port)
        assert client.ask("QStartNoAckMode") == "OK"
        client.line.sendall(b"$?#00-+$qC#b4")
        assert client.line.recv(4096) == b"$QC1#c5"
        client.ask("D")
        assert run.end() == 0


def test_while_gdb_is_connected_others_are_refused_and_may_come_later(tmp_path: Path) -> None:
    with debugged(tmp_path, 2, increments=MANY) as run:
        client, _ = at_run(run)
        assert client.ask("qSupported:swbreak+;hwbreak+").startswith("PacketSize=")
        assert client.ask(f"Z0,{address_of('run', run.image):x},1") == "OK"
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", run.port), timeout=20)
        assert client.ask("D") == "OK"
        again = Client(run.port)
        assert re.fullmatch(r"T05thread:[12];", again.ask("?"))
        here = f"{address_of('barrier', run.image):x},1"
        assert again.ask(f"Z0,{here}") == again.ask(f"Z0,{here}") == "OK"
        assert again.ask(f"z0,{here}") == again.ask(f"z0,{here}") == "OK"
        again.send("vCont;c")
        time.sleep(RUNS_FOR)
        again.line.sendall(CTRL_C)
        assert re.fullmatch(STOP, again.reply()), "nothing is left of the first session"
        again.send("k")
        assert run.end() == INTERRUPTED


@pytest.mark.parametrize(("kind", "reason"), [(0, "swbreak:;"), (1, "hwbreak:;")])
def test_a_breakpoint_is_reported_as_it_was_inserted(
    tmp_path: Path, kind: int, reason: str
) -> None:
    with debugged(tmp_path, 1) as run:
        client = Client(run.port)
        client.ask("qSupported:swbreak+;hwbreak+")
        assert client.ask(f"Z{kind},{address_of('run', run.image):x},1") == "OK"
        assert client.ask("vCont;c") == f"T05{reason}thread:1;"
        client.ask("D")
        assert run.end() == 0


def test_memory_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with debugged(tmp_path, 1) as run:
        client = Client(run.port)
        end = 16 << 20  # memory.size_mb of symmetry-a.toml
        before = client.ask(f"m{end - 1:x},1")
        assert client.ask(f"M{end - 1:x},2:1234") == "E0e"
        assert client.ask(f"m{end - 1:x},2") == before
        escaped = b"X%x,5:a}\x03}\x04}]}\n" % (end - 8)
        client.line.sendall(b"$%s#%02x" % (escaped, sum(escaped) % 256))
        assert client.reply() == "OK"
        assert client.ask(f"m{end - 8:x},5") == b"a#$}*".hex()
        client.ask("D")
        assert run.end() == 0


def test_no_register_changes_under_an_instruction_that_waits_for_the_bus(tmp_path: Path) -> None:
    """The instruction has used registers already. After a step the processor is between two."""
    with debugged(tmp_path, PROCESSORS) as run:
        client, thread = at_run(run)
        waiting = 0
        for _ in range(12):
            for other in range(1, PROCESSORS + 1):
                assert client.ask(f"Hg{other}") == "OK"
                before = client.registers()
                old, new = (
                    value.to_bytes(4, "little").hex() for value in (before[0], ~before[0] & 255)
                )
                assert client.ask(f"P0={old}") == "OK", "GDB may write what is there"
                if client.ask(f"P0={new}") == "OK":
                    assert client.ask(f"P0={old}") == "OK"
                else:
                    waiting = other
                assert client.registers() == before
            assert client.ask(f"vCont;s:{thread};c") == f"T05thread:{thread};"
        assert waiting
        assert client.ask(f"vCont;s:{waiting};c") == f"T05thread:{waiting};"
        all_registers = client.ask("g")
        assert client.ask("P0=04030201") == "OK"
        assert client.registers()[0] == 0x01020304
        assert client.ask(f"G{all_registers}") == "OK"
        assert client.ask("vCont;c") == "W00"
        assert run.end() == 0


def test_the_same_packets_give_the_same_files(tmp_path: Path) -> None:
    files = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        with debugged(tmp_path / name, PROCESSORS) as run:
            client, thread = at_run(run)
            for n in range(60):
                client.ask(f"vCont;s:{n % PROCESSORS + 1}" if n % 3 else f"vCont;s:{thread};c")
            assert client.ask("vCont;c") == "W00"
            assert run.end() == 0
        files.append(results(run.out))
    assert files[0] == files[1]
