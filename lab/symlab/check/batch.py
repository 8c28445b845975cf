# SPDX-License-Identifier: MIT
"""One process `symsim CONFIG --schedules`: a schedule goes in, the result of its run comes out."""

import contextlib
import json
import os
import select
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from symlab.check.schedule import Schedule, text
from symlab.errors import LabError, RunFailed, UserError
from symlab.runs.processes import MESSAGE_CHARACTERS, STATUS_OF_EXIT, dying_with_parent

USER = 2  # exit codes of the simulator: a mistake in a config
GUEST = (1, 3, 4, 5)  # the guest ended, failed, hung or took too long before the fork point
AHEAD = 16  # schedules in the pipe at a time: hides its latency, and fits into it
WAIT_MS = 500  # host time between two calls of `waiting`
READ_BYTES = 1 << 20


class Batch:
    """A long-lived simulator. `command`: with --schedules. `waiting` is called again and again
    while a run takes long. Use it as a context manager."""

    def __init__(self, command: Sequence[str], waiting: Callable[[], None] = lambda: None) -> None:
        self._command = list(command)
        self._waiting = waiting
        self._got = b""  # the begin of the next line
        self._process: Any = subprocess.Popen(  # Any: its type says that a pipe may be None
            dying_with_parent(self._command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is for the lab
        )
        assert self._process.stdout is not None
        self._output = select.poll()
        self._output.register(self._process.stdout, select.POLLIN)

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, schedule: Schedule) -> dict[str, Any]:
        """The result of one run. Raises as `run_all` does."""
        return self.run_all([schedule])[0]

    def run_all(self, schedules: Sequence[Schedule]) -> list[dict[str, Any]]:
        """The results of the runs, in order. If the process has ended, raises UserError for a
        mistake of the user's, RunFailed for a guest that fails before the schedules begin, else
        LabError."""
        results: list[dict[str, Any]] = []
        sent = 0
        for at in range(len(schedules)):
            wanted = min(len(schedules), at + AHEAD)
            lines = "".join(text(one) + "\n" for one in schedules[sent:wanted])
            sent = wanted
            try:
                if lines:
                    self._process.stdin.write(lines.encode())
                    self._process.stdin.flush()
                results.append(json.loads(self._line()))
            except (OSError, ValueError) as error:
                raise self._dead(text(schedules[at])) from error
        return results

    def _line(self) -> bytes:
        """The next line of the output, or what is left of it if the process has ended."""
        parts = [self._got]
        while b"\n" not in parts[-1]:
            while not self._output.poll(WAIT_MS):
                self._waiting()
            data = os.read(self._process.stdout.fileno(), READ_BYTES)
            if not data:
                break
            parts.append(data)
        line, _, self._got = b"".join(parts).partition(b"\n")
        return line

    def close(self) -> None:
        """Ends the process."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, 9)
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()

    def _dead(self, schedule: str) -> LabError:
        """The error that says why the process gives no more results."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        said = self._process.stderr.read().decode(errors="replace").strip()[-MESSAGE_CHARACTERS:]
        if code == USER:
            return UserError(said)
        if code in GUEST:
            status = STATUS_OF_EXIT[code]
            return RunFailed(
                f"check: the program ended before its checked part began ({status}): {said}",
                code, status, None,
            )  # fmt: skip
        return LabError(
            f"check: the simulator ended with exit code {code} at the schedule {schedule!r}; "
            f"please report it: {said or 'it said nothing'}"
        )
