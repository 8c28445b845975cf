# SPDX-License-Identifier: MIT
"""The pages about one run and about two, with their sections in order."""

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from symlab.reports.bus import bus_chart, lines, utilisation
from symlab.reports.distance import distance
from symlab.reports.guest import guest, profile, provenance
from symlab.reports.linux import linux
from symlab.reports.locks import fairness, handoff, locks
from symlab.reports.opening import opening, tiles
from symlab.reports.page import Page
from symlab.reports.processes import processes, processors, spaces, time_chart
from symlab.reports.run_data import RunData, ps, ratio, us
from symlab.reports.section import Cell, Chart, Opening, Section, Table
from symlab.reports.spinning import cost_table, spinning
from symlab.reports.timelines import timeline
from symlab.reports.words import number, time

SECTIONS = (
    locks, handoff, fairness, distance, spaces, processes, linux, spinning, processors, utilisation,
    lines, profile, guest, provenance,
)  # fmt: skip


def run_page(run: RunData) -> Page:
    machine = run.config["machine.name"] or "machine without a name"
    after = f"{run.summary['status']} after {run.summary['simulated_us']:,} us"
    subtitle = f"Run {run.name} on a {machine}, {after}"
    return Page(title_of(run), subtitle, opening(run), sections_of(run), warnings_of(run))


def sections_of(run: RunData) -> list[Section]:
    """The sections in the order of SECTIONS, without those that do not apply to the run. If the
    guest failed, the section about the guest is first."""
    failed = run.summary["failure"] or run.summary["guest"]["exit_status"]
    order = sorted(SECTIONS, key=lambda build: build is not guest) if failed else SECTIONS
    return [section for build in order if (section := build(run)) is not None]


def title_of(run: RunData) -> str:
    count = len(run.processors)
    return f"{run.summary['guest']['image']}, {count} processor{'s' if count > 1 else ''}"


def warnings_of(run: RunData) -> list[str]:
    """How the guest failed or what cut the run short, and how far its numbers are right."""
    damaged = [f"{run.damaged}; the numbers of this page may be wrong."] if run.damaged else []
    return damaged + _warnings_of_end(run)


def _warnings_of_end(run: RunData) -> list[str]:
    summary, failure = run.summary, run.summary["failure"]
    if summary["guest"]["exit_status"]:
        lines = run.console.strip().splitlines()
        last = f" The last line of its output: {lines[-1]}" if lines else ""
        return [f"The guest ended with exit status {summary['guest']['exit_status']}.{last}"]
    if not summary["partial"]:
        return []
    until = f"All numbers are right up to {summary['simulated_us']:,} us."
    if failure is None:
        return [f"The guest did not reach its end ({summary['status']}). {until}"]
    place = f"{failure['symbol']} {failure['source'] and '(' + failure['source'] + ')'}".strip()
    where = f"processor {failure['processor']} at {failure['time_us']:,} us in {place}"
    what = f"The guest did not reach its end ({summary['status']}): {failure['what']}"
    return [f"{what}; {where}; {failure['fix'].rstrip('.')}. {until}"]


def comparison_page(a: RunData, b: RunData) -> Page:
    warnings = [f"{x}: {text}" for x, run in (("A", a), ("B", b)) for text in warnings_of(run)]
    return Page(
        f"{title_of(a)} and {title_of(b)}",
        f"A, on the left, is run {a.name}; B, on the right, is run {b.name}.",
        _both_openings(a, b),
        [*_side_by_side(a, b), differences(a, b)],
        warnings,
        pairs=True,
    )


def comparison_headline(a: RunData, b: RunData) -> str:
    """How long the runs took, the longer one first, and the key if only one differs."""
    (slow_us, slow, of_slow), (fast_us, fast, of_fast) = sorted(
        [(a.summary["simulated_us"], "A", a), (b.summary["simulated_us"], "B", b)],
        key=lambda side: -side[0],
    )
    keys = _different_keys(a, b)
    if len(keys) == 1:
        [key] = keys
        slow = f"With {key} = {of_slow.config.get(key, 'unset')}, {slow}"
        fast = f"{fast} with {of_fast.config.get(key, 'unset')}"
    if slow_us == fast_us:
        return f"{slow} took as long as {fast}: {time(slow_us)}."
    times = f"{number(slow_us / fast_us)} times as long as" if fast_us else "longer than"
    return f"{slow} took {times} {fast}: {time(slow_us)} against {time(fast_us)}."


def _both_openings(a: RunData, b: RunData) -> Opening:
    found = [
        replace(tile, label=f"{name}: {tile.label}", notes=tile.notes[: 0 if tile.bar else 1])
        for name, run in (("A", a), ("B", b))
        for tile in tiles(run)
    ]
    both = a.log is not None and b.log is not None
    charts = [[bus_chart(run), (both and timeline(run)) or time_chart(run)] for run in (a, b)]
    return Opening(comparison_headline(a, b), found, _pairs(*charts), columns=2)


def _different_keys(a: RunData, b: RunData) -> list[str]:
    keys = {**a.config, **b.config}
    return sorted(key for key in keys if a.config.get(key) != b.config.get(key))


def differences(a: RunData, b: RunData) -> Section:
    """The section with config keys that differ, and all measures with difference and ratio."""
    config: list[list[Cell]] = [
        [key, str(a.config.get(key, "")), str(b.config.get(key, ""))]
        for key in _different_keys(a, b)
    ]
    of_a, of_b = measures(a), measures(b)
    rows: list[list[Cell]] = [
        [name, of_a.get(name), of_b.get(name), *_difference(of_a.get(name), of_b.get(name))]
        for name in {**of_a, **of_b}
    ]
    return Section(
        "differences",
        "What differs",
        "B - A, and B over A. Sums are over all processors and all locks.",
        tables=[
            Table("config-differences", "Config", ["key", "A", "B"], config),
            Table("differences-table", "Results", ["what", "A", "B", "B - A", "B / A"], rows),
        ],
    )


def measures(run: RunData) -> dict[str, float]:
    """Name -> value of the quantities by which runs are compared; the names include the units."""
    bus, locks = run.summary["bus"], run.summary["locks"]
    found: dict[str, Any] = {
        "simulated_us": run.summary["simulated_us"],
        "instructions": run.summary["instructions"],
        "bus utilisation (ratio)": bus["utilisation"],
        "bus transactions": bus["all_transactions"],
        "mean bus wait (us)": bus["mean_wait_us"],
    }
    for table in ("states_us", "activities_us"):
        for name in run.processors[0][table]:
            total = sum(ps(processor[table][name]) for processor in run.processors)
            if total:
                found[f"{name} (us)"] = us(total)
    acquisitions = sum(lock["acquisitions"] for lock in locks)
    if acquisitions:
        found["lock acquisitions"] = acquisitions
        for name in ("wait", "hold"):
            total = sum(ps(lock[f"{name}_us"]) for lock in locks)
            found[f"lock {name} per acquisition (us)"] = us(round(total / acquisitions))
    for name, value, unit in cost_table(run).rows:
        if isinstance(value, int | float):
            found[f"{name} ({unit})" if unit else str(name)] = value
    for name, value in run.summary["guest"]["results"].items():
        if isinstance(value, int | float):
            found[f"guest: {name}"] = value
    return found


def _difference(a: float | None, b: float | None) -> list[Cell]:
    if a is None or b is None:
        return [None, None]
    return [round(b - a, 6), ratio(b, a) if a else None]


def _side_by_side(a: RunData, b: RunData) -> list[Section]:
    """The sections with charts; each chart of A is followed by that of B with the same scale."""
    others = {section.id: section for section in sections_of(b)}
    found = []
    for section in sections_of(a):
        other = others.get(section.id)
        if other is not None and (charts := _pairs(section.charts, other.charts)):
            found.append(replace(section, charts=charts, tables=[], texts={}, missing=""))
    return found


def _pairs(charts_of_a: list[Chart], charts_of_b: list[Chart]) -> list[Chart]:
    """The charts that both runs have, each of A followed by that of B with the same scale."""
    of_b = {chart.id: chart for chart in charts_of_b}
    pairs = [(chart, of_b[chart.id]) for chart in charts_of_a if chart.id in of_b]
    return [chart for pair in pairs for chart in _pair(*pair)]


def _pair(a: Chart, b: Chart) -> list[Chart]:
    for name in a.views.keys() & b.views.keys():
        _same_height(a.views[name], b.views[name])
        _same_time(a.views[name], b.views[name])
    return [
        replace(chart, id=f"{chart.id}-{side.lower()}", title=f"{side}: {chart.title}")
        for side, chart in (("A", a), ("B", b))
    ]


def _same_height(a: go.Figure, b: go.Figure) -> None:
    """Gives both figures the same range of values, so that bars and lines can be compared."""
    lengths = [_longest(drawn) for drawn in (a, b)]
    across = any(trace.type == "bar" and trace.orientation == "h" for trace in a.data)
    axis = "xaxis" if across else "yaxis"
    if a.layout[axis].range is None and all(lengths):
        for drawn in (a, b):
            drawn.layout[axis].range = [0, 1.05 * max(lengths)]


def _same_time(a: go.Figure, b: go.Figure) -> None:
    """Gives both figures over time the same length, that of the longer run."""
    spans = [drawn.layout.meta["over_time"] for drawn in (a, b)]
    if all(spans):
        whole = [min(span[0] for span in spans), max(span[1] for span in spans)]
        for drawn in (a, b):
            drawn.layout.meta = {**drawn.layout.meta, "over_time": whole}


def _longest(drawn: go.Figure) -> float:
    """The longest bar or stack of bars, or the highest point; 0 if the chart shows neither."""
    if any(trace.type not in ("bar", "scatter") for trace in drawn.data):
        return 0.0
    across = [trace.type == "bar" and trace.orientation == "h" for trace in drawn.data]
    lengths = [list(t.x if h else t.y) for t, h in zip(drawn.data, across, strict=True)]
    if drawn.layout.barmode == "stack":
        return max((sum(column) for column in zip(*lengths, strict=True)), default=0.0)
    return max((max(each, default=0.0) for each in lengths), default=0.0)
