# SPDX-License-Identifier: MIT
"""`symlab report` makes one self-contained HTML page about a run, a sweep, or two runs.

    folder -> data (run_data, sweep_data) -> sections, one module each -> page

A section is a pure function from the data to text, charts and tables. So tests can check the
numbers without a browser. Computations use whole picoseconds; the page shows microseconds.
"""

from symlab.report.writing import write_report

__all__ = ["write_report"]
