# SPDX-License-Identifier: MIT
"""Says in a few lines what a planned sweep will do: how many runs, why, and for how long."""

from collections import defaultdict
from datetime import timedelta

from symlab.runs.estimate import Estimate
from symlab.runs.plan import Reason, Task

MOST_GROUPS = 6  # different reasons that are listed; further ones are only counted


def estimate_of(tasks: list[Task]) -> Estimate:
    """The estimate of a sweep's time. It knows what the kept runs took."""
    estimate = Estimate()
    for task in tasks:
        if task.took_s is not None:
            estimate.learn(task.point.weight, task.took_s)
    for task in to_do(tasks):
        estimate.add(task.name, task.point.weight)
    return estimate


def to_do(tasks: list[Task]) -> list[Task]:
    """The tasks that need a run, one of those that share a run."""
    missing = (t for t in tasks if t.reason not in (Reason.KEPT, Reason.INVALID))
    return list({task.name: task for task in missing}.values())


def planned_lines(tasks: list[Task], jobs: int | None) -> list[str]:
    """The first line has the numbers and the estimated time; then a line for each reason to make
    runs, or why points are invalid. `jobs`: runs at a time, None if not known."""
    runs = to_do(tasks)
    counts = [f"{sum(t.reason is Reason.KEPT for t in tasks)} kept", f"{len(runs)} to do"]
    if invalid := [task for task in tasks if task.reason is Reason.INVALID]:
        counts.append(f"{len(invalid)} invalid")
    lines = [f"{len(tasks)} points: {', '.join(counts)}{_duration(tasks, jobs)}"]
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in [*runs, *invalid]:
        groups[task.why.strip().splitlines()[0]].append(task)
    if list(groups) == [Reason.NEW]:
        return lines
    for why, those in list(groups.items())[:MOST_GROUPS]:
        more = f", and {len(those) - 1} more" if len(those) > 1 else ""
        lines.append(f"  {len(those)} {why} ({those[0].point.label}{more})")
    if len(groups) > MOST_GROUPS:
        lines.append(f"  and {len(groups) - MOST_GROUPS} more reasons")
    return lines


def _duration(tasks: list[Task], jobs: int | None) -> str:
    total_s = estimate_of(tasks).total_s(jobs or 1)
    if not to_do(tasks):
        return ""
    if total_s is None:
        return "; time unknown until the first run has ended"
    each = f"{jobs} at a time" if jobs else "one at a time"
    return f"; about {clock(total_s)}, {each}"


def clock(seconds: float) -> str:
    """The time as hours, minutes and seconds: 1:02:03."""
    return str(timedelta(seconds=round(seconds)))
