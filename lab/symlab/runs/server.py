# SPDX-License-Identifier: MIT
"""Servers: processes `symsim --serve`, each of which executes one command line after another.

A server forks for each command line, which takes less time than to start a program.
"""

import contextlib
import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from symlab.runs.processes import dying_with_parent

STOP_S = 5.0  # host time from the end of its input to SIGKILL, for a server without a run


@dataclass(frozen=True)
class Answer:
    """How a command line ended. `exit_code`: negative if a signal killed its process."""

    exit_code: int
    stdout: str
    stderr: str


class Server:
    """One server, which executes one command line at a time. `pass_fds`: file descriptors that its
    processes inherit. Raises OSError if it does not start. It ends with the thread that makes it
    (`dying_with_parent`)."""

    def __init__(self, binary: Path, pass_fds: tuple[int, ...] = ()) -> None:
        self.process = subprocess.Popen(
            dying_with_parent([str(binary), "--serve"]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C at the terminal is for the lab
            pass_fds=pass_fds,
        )

    def execute(self, arguments: Sequence[str]) -> Answer:
        """Executes a command line, without the name of the program, and waits for its end. If the
        server ends meanwhile, the answer has the server's exit code."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # a pipe that is closed; half an answer
            self.process.stdin.write(json.dumps(list(arguments)) + "\n")
            self.process.stdin.flush()
            return Answer(**json.loads(self.process.stdout.readline()))
        self.close()
        return Answer(self.process.returncode or 134, "", "the simulator's server has ended")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Servers:
    """The idle servers of a simulator."""

    def __init__(self) -> None:
        self._free: SimpleQueue[Server] = SimpleQueue()

    @contextlib.contextmanager
    def started(self, binary: Path, count: int, pass_fds: tuple[int, ...] = ()) -> Iterator[None]:
        """Context manager in which there are `count` servers of `binary`. There are none if the
        binary is too old for that, or if the host gives no process."""
        servers: list[Server] = []
        try:
            with contextlib.suppress(OSError):
                for _ in range(count):
                    servers.append(Server(binary, pass_fds))
                    if servers[-1].execute(["--version"]).exit_code != 0:
                        break
                    self._free.put(servers[-1])
            yield
        finally:
            while self.take([]) is not None:
                pass
            for server in servers:
                server.close()

    def take(self, arguments: Sequence[str]) -> Server | None:
        """An idle server for this command line, until `give_back`; None if there is none."""
        try:
            "".join(arguments).encode()
        except UnicodeEncodeError:  # a path that is not text, and so no JSON
            return None
        with contextlib.suppress(Empty):
            while not (server := self._free.get_nowait()).alive:
                pass
            return server
        return None

    def give_back(self, server: Server) -> None:
        self._free.put(server)
