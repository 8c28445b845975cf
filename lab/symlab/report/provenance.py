# SPDX-License-Identifier: MIT
"""The last section: which program, compiler and config made the run."""

from symlab.report.run_data import RunData
from symlab.report.section import Cell, Section, Table


def provenance(run: RunData) -> Section:
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
        ["SHA-256 of its standard input", guest.get("stdin_sha256", "no input")],
        ["exit status of the guest", guest["exit_status"]],
        ["guest compiler", guest["compiler"]],
        ["compiler flags", guest["flags"]],
    ]
    config: list[list[Cell]] = [[key, _plain(value)] for key, value in run.config.items()]
    return Section(
        "provenance",
        "Provenance",
        "What made these numbers. config.toml beside this page reproduces the run to the byte.",
        tables=[
            Table("facts", "The run", ["what", "value"], facts),
            Table("config", "Config", ["key", "value"], config),
        ],
    )


def _plain(value: object) -> str | int | float:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, int | float) else str(value)
