# SPDX-License-Identifier: MIT
"""`symlab report`: one HTML page about a run, a sweep or two runs, with all it needs in it.

    folder -> data (run_data, sweep_data) -> sections, a module each -> page

A section is a pure function from the data to text, charts and tables, so tests need no browser for
the numbers. Times inside are whole picoseconds, shown as microseconds.
"""

from symlab.report.writing import write_report

__all__ = ["write_report"]
