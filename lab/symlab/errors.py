# SPDX-License-Identifier: MIT
"""What can go wrong in the lab, each with the exit code the simulator uses for the same thing."""

from typing import Any


class LabError(Exception):
    """Base: a message that says cause and fix, and the exit code of the command."""

    exit_code = 1


class UserError(LabError):
    """A mistake in a config, an argument or a path given by the user."""

    exit_code = 2


class OutputError(LabError):
    """A file or folder of results cannot be written."""

    exit_code = 6


class ClusterError(LabError):
    """The cluster of a sweep is gone, or a worker of it cannot be used. Finished runs are kept."""


class RunFailed(LabError):
    """One run of the simulator ended with an exit code other than 0.

    Attributes: `exit_code`, `status` (see `simulator.STATUS_OF_EXIT`) and `summary`, what
    summary.json holds of a run that stopped early, or None.
    """

    def __init__(
        self, message: str, exit_code: int, status: str, summary: dict[str, Any] | None
    ) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.status = status
        self.summary = summary
