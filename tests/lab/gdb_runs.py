# SPDX-License-Identifier: MIT
"""Runs with `symsim --gdb`, scripts for GDB, and a client that sends raw packets."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BINARY = os.environ.get("SYMSIM_BINARY", "")
REPOSITORY = Path(__file__).parents[2]
GDB = shutil.which("gdb")

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

INTERRUPTED = 130


def config(
    folder: Path,
    processors: int,
    guest: str = "counter-read",
    machine: str = "symmetry-a",
    **args: int,
) -> Path:
    file = folder / "debugged.toml"
    file.write_text(
        f'base = "{REPOSITORY}/configs/machines/{machine}.toml"\n'
        f"[machine]\nprocessors = {processors}\n"
        f'[guest]\nimage = "{guest}"\n[guest.args]\n'
        + "".join(f"{name} = {value}\n" for name, value in (args or {"increments": 100}).items())
    )
    return file


def address_of(name: str, image: str) -> int:
    listed = subprocess.run(["nm", image], capture_output=True, text=True, check=True).stdout
    return min(int(at, 16) for at in re.findall(rf"^(\w+) \w {name}$", listed, re.MULTILINE))


def results(folder: Path) -> dict[str, bytes]:
    """File name -> content of all files of a run but host.json, which depends on the host."""
    return {f.name: f.read_bytes() for f in folder.iterdir() if f.name != "host.json"}


class Debugged:
    """A run that has been started and waits for GDB to connect."""

    def __init__(self, folder: Path, file: Path, *options: str) -> None:
        self.out = folder / "debugged"
        command = [BINARY, str(file), *options, "--gdb", "0", "--quiet"]
        self.process: Any = subprocess.Popen(
            [*command, "--out", str(self.out)], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr
        said = self.process.stderr.readline()
        waiting = re.search(r"gdb (\S+) -ex 'target remote :(\d+)'", said)
        assert waiting, said
        self.image, self.port = waiting[1], int(waiting[2])

    def end(self) -> int:
        return self.process.wait(timeout=20)


@contextmanager
def debugged(folder: Path, *which: Any, **args: Any) -> Iterator[Debugged]:
    run = Debugged(folder, config(folder, *which, **args))
    try:
        yield run
    finally:
        run.process.kill()
        run.process.wait()


def gdb_command(run: Debugged, script: str) -> list[str]:
    """The command line of GDB with a script, which begins with the connection to the run."""
    assert GDB, "gdb is not installed: run scripts/install.sh"
    file = run.out.parent / "script.gdb"
    file.write_text(
        f"set pagination off\nset confirm off\nset width 0\ntarget remote :{run.port}\n{script}\n"
    )
    return [GDB, "-nx", "-q", "-batch", "-x", str(file), run.image]


def gdb_output(run: Debugged, script: str) -> str:
    """What GDB prints when it executes the script to its end."""
    told = subprocess.run(
        gdb_command(run, script), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=120, cwd=REPOSITORY, check=False,
    )  # fmt: skip
    print(told.stdout)
    assert told.returncode == 0 and "internal-error" not in told.stdout
    return told.stdout


def gdb(run: Debugged, script: str) -> list[str]:
    """Runs a script in GDB; returns its output lines that begin with `> `, without that prefix."""
    return [line[2:] for line in gdb_output(run, script).splitlines() if line.startswith("> ")]


class Client:
    """A client that speaks GDB's remote protocol packet by packet."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.heard = b""

    def send(self, payload: str) -> None:
        self.line.sendall(b"$%s#%02x" % (payload.encode(), sum(payload.encode()) % 256))

    def reply(self) -> str:
        while not (packet := re.search(rb"\$([^#]*)#..", self.heard)):
            more = self.line.recv(4096)
            assert more, "the simulator has hung up"
            self.heard += more
        self.heard = self.heard[packet.end() :]
        return packet[1].decode()

    def ask(self, payload: str) -> str:
        self.send(payload)
        return self.reply()

    def time_us(self) -> float:
        said = bytes.fromhex(self.ask("qRcmd," + b"time".hex())).decode()
        found = re.fullmatch(r"(\d+\.\d{4}) us\n", said)
        assert found is not None, said
        return float(found[1])

    def stop_at(self, address: int) -> None:
        assert self.ask(f"Z0,{address:x},1") == "OK"
        assert self.ask("c").startswith("T05")
        assert self.ask(f"z0,{address:x},1") == "OK"

    def registers_of_all(self, processors: int) -> list[str]:
        """The packet with the registers of each processor."""
        packets = []
        for thread in range(1, processors + 1):
            assert self.ask(f"Hg{thread:x}") == "OK"
            packets.append(self.ask("g"))
        return packets

    def step(self) -> str:
        """Executes one instruction; returns the packet with all registers after it."""
        assert self.ask("s").startswith("T05")
        return self.ask("g")

    def registers(self) -> list[int]:
        """The values of eax, ecx, edx, ebx, esp, ebp, esi, edi, eip."""
        digits = self.ask("g")
        return [
            int.from_bytes(bytes.fromhex(digits[8 * n : 8 * n + 8]), "little") for n in range(9)
        ]
