# SPDX-License-Identifier: MIT
"""`symsim --gdb-at TIME`: the run goes to TIME by itself, and stops there for GDB."""

import re
import subprocess
from pathlib import Path

import pytest
from gdb_runs import (
    BINARY,
    INTERRUPTED,
    Client,
    Debugged,
    config,
    debugged,
    needs_simulator,
    results,
)

pytestmark = needs_simulator

TRACES = [
    word for key in ("vcd", "perfetto", "transactions") for word in ("--set", f"observe.{key}=true")
]


def undisturbed(folder: Path, file: Path, *options: str) -> dict[str, bytes]:
    out = folder / "undisturbed"
    subprocess.run(
        [BINARY, str(file), *options, "--quiet", "--out", str(out)], check=True, timeout=60
    )
    return results(out)


def stopped(folder: Path, file: Path, *options: str) -> tuple[Debugged, Client]:
    run = Debugged(folder, file, *options)
    client = Client(run.port)
    assert re.fullmatch(r"T05thread:\w+;", client.ask("?"))
    return run, client


def shown(client: Client, processors: int) -> list[str]:
    """All that GDB sees: the stop, registers, activities, and the memory that the guest uses."""
    everything = [client.ask("?"), *client.registers_of_all(processors)]
    everything += [client.ask(f"qThreadExtraInfo,{n + 1:x}") for n in range(processors)]
    everything += [client.ask(f"m{at:x},1000") for at in range(0x100000, 0x110000, 0x1000)]
    return everything


@pytest.mark.parametrize("time_us", [0.001, 437.5, 1000, 1234.5678])
@pytest.mark.parametrize(
    ("guest", "args"),
    [("counter-read", {"increments": 300}), ("null_threads-local-freelist", {"threads": 60})],
)
def test_the_machine_stops_there_and_goes_on_as_without_the_debugger(
    tmp_path: Path, guest: str, args: dict[str, int], time_us: float
) -> None:
    file = config(tmp_path, 5, guest, "symmetry-a", **args)
    seen, expected = [], undisturbed(tmp_path, file, *TRACES)
    for engine in ("fast", "reference"):
        options = [*TRACES, "--set", f"run.engine={engine}", "--gdb-at", f"{time_us}us"]
        run, client = stopped(tmp_path, file, *options)
        assert time_us <= client.time_us() < time_us + 10
        seen.append(shown(client, 5))
        client.send("D")
        assert client.reply() == "OK"
        assert run.end() == 0
        assert results(run.out) == expected
    assert seen[0] == seen[1]


def test_it_stops_where_a_debugger_that_has_been_there_from_the_start_comes(tmp_path: Path) -> None:
    """The first instruction from 300 us on, of all that processors begin."""
    file = config(tmp_path, 3)
    run, client = stopped(tmp_path, file, "--gdb-at", "300us")
    at, seen = client.time_us(), shown(client, 3)[1:]
    run.process.kill()
    with debugged(tmp_path, 3) as whole:
        other = Client(whole.port)
        while other.time_us() < at:
            assert other.ask("vCont;s").startswith("T05")
        assert other.time_us() == at
        assert shown(other, 3)[1:] == seen


def test_gdb_may_step_and_hold_and_kill(tmp_path: Path) -> None:
    file = config(tmp_path, 4, increments=20_000)
    run, client = stopped(tmp_path, file, "--gdb-at", "0.5ms")
    before = client.time_us()
    for _ in range(20):
        client.step()
    assert before < client.time_us() < before + 200
    assert client.ask("vCont;s:2").startswith("T05thread:2;")  # the others are held
    client.send("k")
    assert run.end() == INTERRUPTED
    assert b'"partial": true' in results(run.out)["summary.json"]


def test_a_machine_in_which_no_instruction_begins_stops_too(tmp_path: Path) -> None:
    """The schedule holds the only processor for 5 ms."""
    held = ["--set", "schedule.holds=0 access 100 hold 5000000", "--set", "run.engine=fast"]
    file = config(tmp_path, 1)
    run, client = stopped(tmp_path, file, *held, "--gdb-at", "2.5ms")
    assert 2500 <= client.time_us() <= 4500
    client.ask("D")
    assert run.end() == 0
    assert results(run.out) == undisturbed(tmp_path, file, *held)


def test_a_time_after_the_end_of_the_run_is_reported(tmp_path: Path) -> None:
    file = config(tmp_path, 2)
    command = [BINARY, str(file), "--gdb", "0", "--gdb-at", "5s", "--quiet"]
    command += ["--out", str(tmp_path / "o")]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0
    [line] = told.stderr.splitlines()
    assert re.fullmatch(r"symsim: --gdb-at 5000000us: the run ended before, at [\d.]+ us", line)
    assert results(tmp_path / "o") == undisturbed(tmp_path, file)


@pytest.mark.parametrize("time", ["350", "us", "-1us", "0us", "0.1", "nanus", "1e30s", "5 us"])
def test_a_time_is_a_positive_number_with_its_unit(tmp_path: Path, time: str) -> None:
    command = [BINARY, str(config(tmp_path, 2)), "--gdb", "0", f"--gdb-at={time}"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert told.returncode == 2
    assert f"--gdb-at {time}: a time is a positive number and its unit" in told.stderr


def test_it_needs_a_debugger(tmp_path: Path) -> None:
    command = [BINARY, str(config(tmp_path, 2)), "--gdb-at", "1ms"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert told.returncode == 2
    assert "--gdb-at needs --gdb PORT" in told.stderr
