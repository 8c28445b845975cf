# SPDX-License-Identifier: MIT
"""The section on the guest: its results, the regions it marked, its output, how it failed."""

from symlab.report.run_data import RunData
from symlab.report.section import Cell, Section, Table

CONSOLE_CHARACTERS = 20_000  # shown of the guest's output; console.txt has all
REGION_COLUMNS = (
    "number", "processors", "begins", "ends", "first_begin_us", "last_end_us", "inside_us",
    "mean_inside_us", "max_inside_us",
)  # fmt: skip


def guest(run: RunData) -> Section | None:
    """The section; None if the guest left nothing to show."""
    tables = []
    results, regions = run.summary["guest"]["results"], run.summary["regions"]
    if results:
        rows: list[list[Cell]] = [[name, value] for name, value in results.items()]
        tables.append(Table("results", "Results", ["name", "value"], rows))
    if regions:
        rows = [[region[name] for name in REGION_COLUMNS] for region in regions]
        tables.append(Table("regions", "Regions the guest marked", [*REGION_COLUMNS], rows))
    texts = {}
    if failure := run.summary["failure"]:
        taken = [f"{branch['from']} -> {branch['to']}" for branch in failure["branches"]]
        texts = {
            "Backtrace": "\n".join(failure["backtrace"]),
            "Registers": failure["registers"],
            "Last taken branches, oldest first": "\n".join(taken),
        }
        texts = {title: text for title, text in texts.items() if text}
    if run.console:
        texts["Output"] = run.console[:CONSOLE_CHARACTERS]
    if not tables and not texts:
        return None
    cut = len(run.console) > CONSOLE_CHARACTERS
    more = f"The guest printed more than {CONSOLE_CHARACTERS:,} characters; all are in console.txt."
    explanation = "What the program reported, and how it ended."
    return Section("guest", "The guest", explanation, [], tables, more if cut else "", texts)
