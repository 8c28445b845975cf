# SPDX-License-Identifier: MIT
"""`symlab report` from Python."""

from pathlib import Path

from symlab.report import write_report


def report(
    folder: str | Path, other: str | Path | None = None, *, out: str | Path | None = None
) -> Path:
    """Writes one HTML page about a run or a sweep, or two runs side by side; returns its path.

    Args:
        folder: folder of a run or a sweep.
        other: folder of a second run to compare with.
        out: file to write, default report.html in the folder.

    Raises:
        UserError: a folder has no results, or `out` is a file that is not a page.
        OutputError: the file cannot be written.
    """
    return write_report([folder, *([] if other is None else [other])], out)
