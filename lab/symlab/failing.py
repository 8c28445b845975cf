# SPDX-License-Identifier: MIT
"""How a command that failed ends: one sentence on standard error, and an exit code that says why.

The last net is for exceptions that no one expected. They are mistakes of symlab, so the sentence
says how to get the traceback for a bug report.
"""

import errno
import os
import sys
import traceback
from collections.abc import Callable

from symlab.errors import LabError, OutputError, UserError

INTERRUPTED = 130
INTERNAL = 134  # the exit code of the simulator for an error of its own
TRACEBACK = "SYMLAB_TRACEBACK"  # environment variable
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)


def guarded(command: Callable[[], None]) -> int:
    """Calls `command`; returns its exit code, after a sentence on stderr if it failed."""
    try:
        command()
        sys.stdout.flush()
        return 0
    except SystemExit as end:
        return _flushed(end.code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except LabError as error:
        return _ended(str(error), error.exit_code)
    except OSError as error:
        known = of_host(error)
        return _ended(str(known), known.exit_code)
    except Exception as error:
        return _ended(_unexpected(error), INTERNAL)


def of_host(error: OSError) -> LabError:
    """The error of a file or folder as one of the lab: OutputError if there is no room or it may
    not be written, else UserError."""
    what = f"{error.filename}: " if error.filename is not None else ""
    cause = error.strerror or str(error)
    if error.errno in FULL:
        return OutputError(f"{what}cannot be written: {cause}")
    return UserError(f"{what}cannot be used: {cause}")


def _unexpected(error: Exception) -> str:
    named = " ".join(["symlab", *sys.argv[1:2]])
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"`{named}` met an error of symlab itself: {what}; please report it with its traceback, "
        f"which {TRACEBACK}=1 in the environment prints"
    )


def _flushed(code: object) -> int:
    """The exit code of a command that ended by itself, once its output is written."""
    if isinstance(code, str):
        return _ended(code, 1)
    try:
        sys.stdout.flush()
    except LabError as error:
        return _ended(str(error), error.exit_code)
    except SystemExit as end:
        return int(str(end.code))
    return code if isinstance(code, int) else 0


def _ended(sentence: str, exit_code: int) -> int:
    if os.environ.get(TRACEBACK):
        traceback.print_exc(file=sys.stderr)
    print(f"symlab: {sentence}", file=sys.stderr, flush=True)
    return exit_code
