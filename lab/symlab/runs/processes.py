# SPDX-License-Identifier: MIT
"""Processes of the simulator: how they start, end, and are stopped together."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TIME_LIMIT = "time-limit"
GUEST_EXIT = "guest-exit"
# Exit code of the simulator (docs/reference/options-and-keys.md) -> word in the column `status`.
STATUS_OF_EXIT = {
    0: "finished",
    1: GUEST_EXIT,
    2: "user-error",
    3: "guest-failure",
    4: "deadlock",
    5: TIME_LIMIT,
    6: "output-error",
    130: "interrupted",
    134: "abort",
}

STOP_GRACE_S = 5.0  # host time from SIGTERM to SIGKILL, for a run to close its files
MESSAGE_CHARACTERS = 2000  # kept from the end of stderr, where a failed run reports the cause


@dataclass(frozen=True)
class Ended:
    """How one process of the simulator ended. `exit_code`: negative if a signal killed the process.
    `message`: the end of its stderr. `of_guest`: the exit code is that of a Linux program, which
    may be any."""

    exit_code: int
    message: str
    of_guest: bool = False

    @property
    def status(self) -> str:
        return GUEST_EXIT if self.of_guest else status_of(self.exit_code)


@dataclass
class Children:
    """The simulator processes that are alive, so that one thread can stop them all on Ctrl-C."""

    _alive: set[subprocess.Popen[str]] = field(default_factory=set)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    stopping: bool = False

    def stop_all(self) -> None:
        """Sends SIGTERM to all, and SIGKILL to those alive STOP_GRACE_S later. Processes that
        `execute` starts afterwards are killed at once."""
        with self._guard:
            self.stopping = True
            alive = list(self._alive)
        for child in alive:
            signal_group(child, signal.SIGTERM)
            if child.stdin is not None:  # a server, which then ends with its run
                with contextlib.suppress(OSError):
                    child.stdin.close()
        for child in alive:
            try:
                child.wait(STOP_GRACE_S)
            except subprocess.TimeoutExpired:
                signal_group(child, signal.SIGKILL)

    def execute(
        self, command: list[str], pass_fds: tuple[int, ...] = (), folder: Path | None = None
    ) -> Ended:
        """Runs `command` in `folder` and waits for its end. The process gets a session of its own,
        so a Ctrl-C at the terminal does not reach it. Raises OSError if the process cannot be
        started."""
        child = subprocess.Popen(
            dying_with_parent(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            pass_fds=pass_fds,
            cwd=folder,
        )
        with self.watching(child):
            _, stderr = child.communicate()
        return Ended(child.returncode, stderr.strip()[-MESSAGE_CHARACTERS:])

    @contextlib.contextmanager
    def watching(self, child: subprocess.Popen[str]) -> Iterator[None]:
        """Context manager in which `stop_all` stops `child` too."""
        with self._guard:
            self._alive.add(child)
            stopped = self.stopping
        if stopped:
            signal_group(child, signal.SIGKILL)
        try:
            yield
        finally:
            with self._guard:
                self._alive.discard(child)


def status_of(exit_code: int) -> str:
    """The word in the column `status` for an exit code."""
    if exit_code < 0:
        return f"killed-{signal.Signals(-exit_code).name}"
    return STATUS_OF_EXIT.get(exit_code, f"exit-{exit_code}")


def dying_with_parent(command: list[str]) -> list[str]:
    """The command, run such that Linux kills it when the lab dies; an orphan could run for hours.

    util-linux's setpriv sets PR_SET_PDEATHSIG and then executes the command. Unlike preexec_fn of
    subprocess, setpriv is safe in a process with threads. Without setpriv, an orphan still has
    the folder's lock, so the next sweep into that folder reports it.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", *command] if setpriv else command


@contextlib.contextmanager
def children_ending_on_ctrl_c() -> Iterator[None]:
    """Context manager in which Ctrl-C also ends the processes that this one has started, such as
    compilers, for which threads wait. From a terminal they get it anyway, from `kill` not."""

    def stop(*_: object) -> None:
        for listed in Path("/proc/self/task").glob("*/children"):
            for child in listed.read_text(encoding="utf-8").split():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(int(child), signal.SIGTERM)
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:  # a shell starts processes in the background so
        yield
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def signal_group(child: subprocess.Popen[str], number: signal.Signals) -> None:
    """Sends a signal to the child and to the processes that it has started."""
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
