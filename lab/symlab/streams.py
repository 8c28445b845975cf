# SPDX-License-Identifier: MIT
"""Standard output and standard error of the command `symlab`: no failure of theirs is silent.

A full disk under standard output is an OutputError. A closed pipe (`symlab list locks | head -1`)
ends the command without a word, as it ends other programs. Errors of standard error are dropped,
since there is no place left to report them.
"""

import contextlib
import errno
import io
import os
import sys
from typing import Any

from symlab.errors import OutputError

CLOSED_PIPE = 141  # exit code; 128 + SIGPIPE, as a shell shows for a program that the signal ended


class Stream(io.TextIOWrapper):
    """A text stream over the buffer of `plain`; an error of the device is passed to `_failed`. Text
    that the encoding of the terminal lacks is written with escapes."""

    def __init__(self, plain: io.TextIOWrapper) -> None:
        super().__init__(
            plain.buffer,
            encoding=plain.encoding,
            errors="backslashreplace",
            line_buffering=plain.line_buffering,
        )
        self._plain = plain  # would close the buffer if it were collected

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            return self._failed(error)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._failed(error)

    def _failed(self, error: OSError) -> int:
        """Lets what is still buffered, which Python writes at its end, go nowhere."""
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
        return 0


class StandardOutput(Stream):
    def _failed(self, error: OSError) -> int:
        super()._failed(error)
        if error.errno == errno.EPIPE:
            raise SystemExit(CLOSED_PIPE)
        raise OutputError(f"standard output: cannot be written: {error.strerror}") from error


def check_streams() -> None:
    """Replaces sys.stdout and sys.stderr by streams that behave as above."""
    for name, kind in (("stdout", StandardOutput), ("stderr", Stream)):
        plain: Any = getattr(sys, name)
        if type(plain) is io.TextIOWrapper:
            setattr(sys, name, kind(plain))
        elif plain is None:  # the shell closed it: `symlab ... >&-`
            setattr(sys, name, io.StringIO())
