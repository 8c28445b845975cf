# SPDX-License-Identifier: MIT
"""The sections on the guest: its results, output and failure, its profile, what made the run."""

from collections import Counter
from io import StringIO

import plotly.graph_objects as go

from symlab.errors import UserError
from symlab.reports.colours import ACTIVITIES
from symlab.reports.run_data import RunData, ratio
from symlab.reports.section import Cell, Chart, Section, Table, figure, table_of

CONSOLE_CHARACTERS = 20_000  # shown of the guest's output; console.txt has all
REGION_COLUMNS = (
    "number", "processors", "begins", "ends", "first_begin_us", "last_end_us", "inside_us",
    "mean_inside_us", "max_inside_us",
)  # fmt: skip

LEAST_SHARE = 0.001  # of all samples; smaller boxes are left out of the chart, not of the table
Stack = tuple[str, ...]


def guest(run: RunData) -> Section | None:
    """The section; None if the guest left nothing to show."""
    tables = []
    results, regions = run.summary["guest"]["results"], run.summary["regions"]
    if results:
        tables.append(Table("results", "Results", ["name", "value"], [*results.items()]))
    if regions:
        tables.append(table_of("regions", "Regions the guest marked", REGION_COLUMNS, regions))
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


def profile(run: RunData) -> Section:
    explanation = "Where the processors were when they were sampled, the innermost function last."
    if run.profile is None:
        missing = "Samples are in profile.folded of a run with observe.profile_us = 100, say."
        return Section("profile", "Profile", explanation, missing=missing)
    stacks = parse(run.profile)
    return Section(
        "profile",
        "Profile",
        f"{explanation} {sum(stacks.values()):,} samples, one of each processor every "
        f"{run.config.get('observe.profile_us', '')} us. Boxes of less than {LEAST_SHARE:.1%} are "
        "left out of the chart; profile.folded beside this page opens in flamegraph.pl, inferno "
        "and speedscope.",
        [Chart("flames", "Flame graph (root on top)", {"": _flames(stacks)})] if stacks else [],
        [by_function(stacks)],
    )


def parse(folded: str) -> Counter[Stack]:
    """Parses profile.folded; returns the number of samples of each stack. A stack is the activity,
    then the functions from the outermost to the innermost. Raises UserError with the line number if
    a line is not `a;b;c COUNT`."""
    found: Counter[Stack] = Counter()
    # Not splitlines(): a name may have other characters that Python takes for ends of lines.
    for number, row in enumerate(StringIO(folded), start=1):
        line = row.removesuffix("\n")
        stack, _, count = line.rpartition(" ")
        if not stack or not count.isdecimal():
            raise UserError(f"profile.folded:{number}: is not STACK COUNT: {line!r}; run it again")
        found[tuple(stack.split(";"))] += int(count)
    return found


def by_function(stacks: Counter[Stack]) -> Table:
    """The table by function. self_samples are samples in the function itself, total_samples those
    in it or in a function it called. A recursive function counts once per sample."""
    inside, total = Counter[str](), Counter[str]()
    for stack, count in stacks.items():
        functions = stack[1:]
        if functions:
            inside[functions[-1]] += count
        for function in set(functions):
            total[function] += count
    samples = sum(stacks.values())
    rows: list[list[Cell]] = [
        [name, inside[name], ratio(inside[name], samples), count, ratio(count, samples)]
        for name, count in sorted(total.items(), key=lambda item: (-inside[item[0]], item[0]))
    ]
    columns = ["function", "self_samples", "self_share", "total_samples", "total_share"]
    return Table("functions", "Functions", columns, rows)


def _flames(stacks: Counter[Stack]) -> go.Figure:
    boxes: Counter[Stack] = Counter()
    for stack, count in stacks.items():
        for depth in range(len(stack) + 1):
            boxes[stack[:depth]] += count
    least = LEAST_SHARE * boxes[()]
    shown = sorted(stack for stack, count in boxes.items() if count >= least)
    trace = go.Icicle(
        ids=["/" + ";".join(stack) for stack in shown],
        parents=["" if not stack else "/" + ";".join(stack[:-1]) for stack in shown],
        labels=[stack[-1] if stack else "all" for stack in shown],
        values=[boxes[stack] for stack in shown],
        marker={"colors": [ACTIVITIES.get((stack or ("",))[0], "#999999") for stack in shown]},
        branchvalues="total",
        tiling={"orientation": "v"},
        hovertemplate="%{label}<br>%{value:,} samples, %{percentRoot:.2%} of all<extra></extra>",
    )
    return figure([trace], "", "", showlegend=False)


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
    return Section(
        "provenance",
        "Provenance",
        "What made these numbers. config.toml beside this page reproduces the run to the byte.",
        tables=[
            Table("facts", "The run", ["what", "value"], facts),
            Table("config", "Config", ["key", "value"], [*map(_plain, run.config.items())]),
        ],
    )


def _plain(item: tuple[str, object]) -> list[Cell]:
    key, value = item
    if isinstance(value, bool):
        return [key, str(value).lower()]
    return [key, value if isinstance(value, int | float) else str(value)]
