# SPDX-License-Identifier: MIT
"""The section with the sampling profile: a table by function and a flame graph."""

from collections import Counter
from io import StringIO

import plotly.graph_objects as go

from symlab.errors import UserError
from symlab.report.colours import ACTIVITIES
from symlab.report.run_data import RunData, ratio
from symlab.report.section import Cell, Chart, Section, Table, figure

LEAST_SHARE = 0.001  # of all samples; smaller boxes are left out of the chart, not of the table

Stack = tuple[str, ...]


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
    """Parses profile.folded; returns the number of samples of each stack.

    A stack is the activity, then the functions from the outermost to the innermost. Raises
    UserError with the line number if a line is not `a;b;c COUNT`.
    """
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
    """The table by function.

    self_samples are samples in the function itself, total_samples those in it or in a function
    it called. A recursive function counts once per sample.
    """
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
