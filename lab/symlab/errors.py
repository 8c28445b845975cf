# SPDX-License-Identifier: MIT
"""The exceptions of the lab. Each has the exit code that the simulator uses for that failure. And
the error of a package that only some users need: the extras of lab/pyproject.toml."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class LabError(Exception):
    """Base class. The message names cause and fix; `exit_code` is the exit code of the command."""

    exit_code = 1


class UserError(LabError):
    """A mistake in a config, an argument or a path given by the user."""

    exit_code = 2


class OutputError(LabError):
    """A file or folder of results cannot be written."""

    exit_code = 6


class ClusterError(LabError):
    """The scheduler of a sweep is lost, or a worker cannot be used. Finished runs are kept."""


class RunFailed(LabError):
    """One run of the simulator ended with an exit code other than 0. Attributes: `exit_code`;
    `status` (see `processes.STATUS_OF_EXIT`); `summary`, the content of summary.json if the run
    wrote one before it stopped, else None."""

    def __init__(
        self, message: str, exit_code: int, status: str, summary: dict[str, Any] | None
    ) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.status = status
        self.summary = summary

    def __reduce__(self) -> tuple[Any, ...]:
        """For a worker process, which sends its errors."""
        return RunFailed, (str(self), self.exit_code, self.status, self.summary)


def reason(error: Exception) -> str:
    """Why, in words; of an OSError without its number and file."""
    return getattr(error, "strerror", None) or str(error)


class NotRun(Exception):
    """Runs that a verdict needs were not made; the text names them."""


def missing(name: str, what: str) -> UserError:
    """The error if `what` needs the extra `name`, which is not installed."""
    command = f"{sys.executable} -m pip install 'symlab[{name}]'"
    return UserError(f"{what} needs the extra {name} of symlab; install it: {command}")


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Context manager around imports of packages of the extra `name`. Raises UserError."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing(name, what) from error
