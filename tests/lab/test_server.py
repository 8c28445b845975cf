# SPDX-License-Identifier: MIT
"""Servers of the simulator (runs/server.py): each call gives what a process of its own gives.

They need SYMSIM_BINARY, which `make test` sets, but for those with a fake simulator.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import Lab, alive, children_of, wait_until
from symlab import sweep
from symlab.errors import RunFailed, UserError
from symlab.runs.processes import Children, Ended
from symlab.runs.simulator import Simulator

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
CONFIG = ROOT / "papers" / "ALL" / "figures" / "figure-4.1.toml"
SHORT = {"guest.args.increments": 200, "machine.processors": 2}
ENDLESS = {"guest.args.increments": 100_000_000, "machine.processors": 2}

real = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


@pytest.fixture
def simulator() -> Simulator:
    simulator = Simulator(BINARY)
    simulator.build_guests([simulator.resolve(CONFIG, SHORT)])
    return simulator


def servers() -> list[int]:
    """The servers of this process."""
    found = subprocess.run(
        ["pgrep", "-P", str(os.getpid()), "-f", "--", "--serve"], capture_output=True, text=True
    )
    return [int(pid) for pid in found.stdout.split()]


@pytest.fixture
def running(simulator: Simulator, tmp_path: Path) -> Iterator[tuple[int, Children, list[Ended]]]:
    """The process of an endless run in a server, its Children, and where its end will be."""
    children, ends = Children(), []
    with simulator.serving(1):
        (server,) = servers()
        thread = threading.Thread(
            target=lambda: ends.append(simulator.run_into(CONFIG, ENDLESS, tmp_path, children))
        )
        thread.start()
        wait_until((tmp_path / "console.txt.part").exists)
        (run,) = children_of(server)
        yield run, children, ends
        children.stop_all()
        thread.join()
    assert not alive(run)
    assert not alive(server)


@real
def test_a_served_config_is_that_of_a_process(simulator):
    alone = simulator.resolve(CONFIG, SHORT)
    with simulator.serving(2):
        assert len(servers()) == 2
        assert simulator.resolve(CONFIG, SHORT) == alone
    assert servers() == []
    assert simulator.resolve(CONFIG, SHORT) == alone


@real
def test_a_mistake_has_the_same_message(simulator):
    with pytest.raises(UserError) as alone:
        simulator.resolve(CONFIG, {"machine.procesors": 1})
    with simulator.serving(1), pytest.raises(UserError) as served:
        simulator.resolve(CONFIG, {"machine.procesors": 1})
    assert str(served.value) == str(alone.value)
    assert "machine.processors" in str(served.value), "the nearest key"


@real
def test_served_runs_write_the_files_of_processes(simulator, tmp_path):
    settings = [SHORT | {"machine.processors": p} for p in (1, 2, 4, 1, 2, 4)]
    folders = [tmp_path / str(n) for n in range(6)]
    for folder in folders:
        folder.mkdir()

    def made(settings, folder):
        return simulator.run_into(CONFIG, settings, folder, Children())

    with simulator.serving(2), ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(made, settings[:3], folders[:3]))
    ends += [made(*each) for each in zip(settings[3:], folders[3:], strict=True)]
    assert ends == [Ended(0, "")] * 6
    for one, other in zip(folders[:3], folders[3:], strict=True):
        names = sorted(file.name for file in one.iterdir())
        assert names == sorted(file.name for file in other.iterdir())
        for name in set(names) - {"host.json"}:
            assert (one / name).read_bytes() == (other / name).read_bytes(), name


@real
def test_more_calls_than_servers_start_processes(running, simulator):
    assert simulator.resolve(CONFIG, SHORT)["machine.processors"] == 2


@real
def test_stopping_ends_a_served_run_in_good_order(running, tmp_path):
    _, children, ends = running
    children.stop_all()
    wait_until(lambda: bool(ends))
    assert ends[0].status == "interrupted"
    assert (tmp_path / "manifest.json").exists()


@real
def test_a_served_run_that_is_killed_says_so(running, simulator):
    run, _, ends = running
    os.kill(run, signal.SIGKILL)
    wait_until(lambda: bool(ends))
    assert ends[0].status == "killed-SIGKILL"
    assert simulator.resolve(CONFIG, SHORT)["machine.processors"] == 2, "the server continues"


@real
def test_if_a_server_is_killed_its_run_dies_and_processes_are_started(running, simulator):
    run, _, ends = running
    (server,) = servers()
    os.kill(server, signal.SIGKILL)
    wait_until(lambda: bool(ends) and not alive(run))
    assert ends[0].status == "killed-SIGKILL"
    assert simulator.resolve(CONFIG, SHORT)["machine.processors"] == 2


@real
def test_a_path_that_is_no_text_gets_a_process(simulator, tmp_path):
    config = tmp_path / os.fsdecode(b"caf\xe9.toml")
    config.write_text(f'base = "{CONFIG}"\n')
    with simulator.serving(1):
        assert simulator.resolve(config, SHORT) == simulator.resolve(CONFIG, SHORT)


@real
def test_a_replaced_binary_is_started_anew(simulator, tmp_path):
    binary = tmp_path / "symsim"
    binary.write_bytes(simulator.path.read_bytes())
    binary.chmod(0o755)
    copy = Simulator(binary)
    with copy.serving(1):
        assert copy.resolve(CONFIG, SHORT)["machine.processors"] == 2
        binary.unlink()
        binary.write_text("#!/bin/sh\nkill -9 $$\n")
        binary.chmod(0o755)
        with pytest.raises(RunFailed):
            copy.resolve(CONFIG, SHORT)


def test_a_simulator_without_servers_gets_processes(lab: Lab):
    frame = sweep(lab.config, out=lab.out, simulator=lab.simulator)
    assert list(frame.status) == ["finished"] * 6
    assert len(set(lab.pids())) == 6
