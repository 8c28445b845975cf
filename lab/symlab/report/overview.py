# SPDX-License-Identifier: MIT
"""The first section: the program, its config, the end of the run, and the guest's results."""

from symlab.report.run_data import RunData
from symlab.report.section import Cell, Section, Table

CONSOLE_CHARACTERS = 20_000  # shown of the guest's output; console.txt has all


def overview(run: RunData) -> Section:
    summary, guest = run.summary, run.summary["guest"]
    facts: list[list[Cell]] = [
        ["status", summary["status"] + (" (partial)" if summary["partial"] else "")],
        ["simulated time (us)", summary["simulated_us"]],
        ["processors", len(run.processors)],
        ["instructions", summary["instructions"]],
        ["bus utilisation (ratio)", summary["bus"]["utilisation"]],
        ["bus transactions", summary["bus"]["all_transactions"]],
        ["guest program", guest["image"]],
        ["SHA-256 of it", guest["sha256"]],
        ["exit status of the guest", guest["exit_status"]],
        ["guest compiler", guest["compiler"]],
        ["compiler flags", guest["flags"]],
    ]
    tables = [Table("facts", "The run", ["what", "value"], facts)]
    if guest["results"]:
        rows: list[list[Cell]] = [[name, value] for name, value in guest["results"].items()]
        tables.append(Table("results", "Results of the guest", ["name", "value"], rows))
    if summary["regions"]:
        tables.append(_regions(run))
    config: list[list[Cell]] = [[key, _plain(value)] for key, value in run.config.items()]
    tables.append(Table("config", "Config", ["key", "value"], config))
    return Section(
        "overview",
        "What ran",
        "The program, the machine and the end of the run. config.toml beside this page reproduces "
        "it to the byte.",
        tables=tables,
        text=_failure(run) + run.console[:CONSOLE_CHARACTERS],
        missing=f"The guest printed more than {CONSOLE_CHARACTERS:,} characters; all are in "
        "console.txt."
        if len(run.console) > CONSOLE_CHARACTERS
        else "",
    )


def _regions(run: RunData) -> Table:
    columns = [
        "number",
        "processors",
        "begins",
        "ends",
        "first_begin_us",
        "last_end_us",
        "inside_us",
        "mean_inside_us",
        "max_inside_us",
    ]
    rows = [[region[name] for name in columns] for region in run.summary["regions"]]
    return Table("regions", "Regions the guest marked", columns, rows)


def _failure(run: RunData) -> str:
    failure = run.summary["failure"]
    if failure is None:
        return ""
    where = f"processor {failure['processor']} at {failure['time_us']} us, {failure['symbol']}"
    return "\n".join([failure["what"], where, failure["fix"], "", ""])


def _plain(value: object) -> str | int | float:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, int | float) else str(value)
