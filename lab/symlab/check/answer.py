# SPDX-License-Identifier: MIT
"""What a check writes: the config that replays a failure, its story, and the tables."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from symlab.check.checking import JOURNAL, Answer, Failure
from symlab.check.elf import Image
from symlab.check.journal import Journal
from symlab.check.prepare import CONFIG, file_of
from symlab.check.schedule import INTERRUPT, STORES, Schedule, text
from symlab.check.search import preemptions
from symlab.check.trace import NEVER, Trace
from symlab.files import write_atomically
from symlab.runs.processes import Children, Ended

REPLAY = "replay.toml"
MOST_STEPS = 40  # sentences; earlier accesses are left out first
PROBE_VERBS = {
    1: "tries to acquire {}",
    2: "has acquired {}",
    3: "begins to release {}",
    6: "has released {}",
    16: "creates the thread {}",
    17: "starts the thread {}",
    18: "finishes the thread {}",
    19: "blocks the thread {}",
    20: "resumes the thread {}",
    34: "gives back {}",
    35: "takes {} into use",
}


def replay(answer: Answer, failure: Failure) -> tuple[Path, Ended]:
    """Writes replay.toml, which a plain ./symsim runs, and runs it into the folder `replay`.
    Raises OutputError."""
    folder = answer.prepared.folder
    path = write_config(folder, REPLAY, failure.schedule, answer.limit_ms)
    out = folder / "replay"
    out.mkdir(exist_ok=True)
    return path, answer.prepared.simulator.run_into(path, {}, out, Children())


def write_config(folder: Path, name: str, schedule: Schedule, limit_ms: float) -> Path:
    """Writes a config of one schedule. Raises OutputError."""
    return file_of(
        folder,
        name,
        [
            "# Written by `symlab check`: the run of one schedule. ./symsim runs it.",
            f'base = "{CONFIG}"',
            f'schedule.holds = "{text(schedule)}"',
            f"run.limit_ms = {limit_ms!r}",
            "observe.perfetto = true",
        ],
    )


def sentence(failure: Failure, image: Image) -> str:
    """What went wrong, in one sentence."""
    violation = failure.violation
    return violation.what.replace("{name}", image.name(violation.address))


def places(failure: Failure, image: Image) -> list[str]:
    """Where each processor was at the violation: symbol, source line, and the functions into which
    that was inlined. At the end of the run by its position, else by its last event before."""
    trace, until = failure.trace, failure.violation.t_ps
    at = {p: position[0] for p, position in enumerate(trace.positions)}
    if until < trace.end_ps:
        events = [(a.t_ps, a.processor, a.eip) for a in trace.accesses]
        events += [(p.t_ps, p.processor, p.eip) for p in trace.probes]
        at |= {processor: eip for t, processor, eip in sorted(events) if t <= until}
    lines = image.lines(list(at.values()))
    found = []
    for processor, eip in sorted(at.items()):
        found.append(f"processor {processor} at {image.name(eip)}")
        found += [f"    {line}" for line in lines.get(eip, [])]
    return found


def story(failure: Failure, image: Image) -> list[str]:
    """Who did what when, up to the violation: holds, probe points, accesses to shared memory."""
    trace, violation = failure.trace, failure.violation
    until = violation.t_ps
    steps = [*_holds(failure.schedule, trace)]
    for probe in trace.probes:
        if verb := PROBE_VERBS.get(probe.kind):
            steps.append((probe.t_ps, 1, probe.processor, verb.format(image.name(probe.operand))))
    for access in trace.accesses:
        name = image.name(access.address)
        if access.locked and access.stored is not None:
            said = f"exchanges {name}: reads {access.value:#x}, writes {access.stored:#x}"
        elif access.write:
            late = access.order_ps == NEVER or access.order_ps - access.t_ps > 10_000_000
            seen = " (never seen by others)" if access.order_ps == NEVER else (
                f" (seen by others at {_us(access.order_ps - trace.begin_ps)})"
            )  # fmt: skip
            said = f"writes {access.value:#x} to {name}{seen if late else ''}"
        else:
            said = f"reads {access.value:#x} from {name}"
        steps.append((access.t_ps, 2, access.processor, said))
    steps = sorted(step for step in steps if step[0] <= until)
    if len(steps) > MOST_STEPS:
        kept = [step for step in steps[:-MOST_STEPS] if step[1] == 0]
        steps = kept + steps[-MOST_STEPS:]
    lines = [f"{_us(t - trace.begin_ps)}: processor {p} {said}" for t, _, p, said in steps]
    end = max(until - trace.begin_ps, 0)
    return [*lines, f"{_us(end)}: {sentence(failure, image)}"]


def _holds(schedule: Schedule, trace: Trace) -> list[tuple[int, int, int, str]]:
    steps = []
    for entry, hold in zip(schedule, trace.holds, strict=True):
        if hold is None:
            continue
        begin, end = hold
        if entry.action == INTERRUPT:
            steps.append((begin, 0, entry.processor, "is interrupted by its timer"))
            continue
        until = _us(end - trace.begin_ps)
        said = f"is held until {until}"
        if entry.action == STORES:
            said = f"has its stores stay in the write buffer until {until}"
        steps.append((begin, 0, entry.processor, said))
    return steps


def _us(ps: int) -> str:
    return f"{ps / 1e6:.2f} us"


def summary(answer: Answer) -> dict[str, Any]:
    """The content of check.json."""
    tally, order = answer.tally, answer.order
    found = None
    if failure := answer.failure:
        image = answer.prepared.image
        found = {
            "rule": failure.violation.rule,
            "what": sentence(failure, image),
            "schedule": text(failure.schedule),
            "entries": len(failure.schedule),
            "preemptions": preemptions(failure.schedule),
            "found_after_schedules": failure.runs,
            "time_us": (failure.violation.t_ps - failure.trace.begin_ps) / 1e6,
            "story": story(failure, image),
            "places": places(failure, image),
            "config": REPLAY,
        }
    return {
        "schema_version": 1,
        "program": answer.prepared.names,
        "processors": answer.prepared.processors,
        "search": order.search,
        "preemptions": order.preemptions if order.search == "exhaustive" else None,
        "stores": answer.bounds.stores,
        "depth": order.depth if answer.pct else None,
        "seed": None if order.search == "exhaustive" else order.seed,
        "probability_per_run": answer.pct.bound if answer.pct else None,
        "complete": answer.complete,
        "schedules": tally.schedules,
        "orders": len(tally.orders),
        "schedules_by_preemptions": dict(sorted(tally.by_preemptions.items())),
        "outcomes": [
            {"status": status, "said": said, "schedules": count}
            for (status, said), count in sorted(tally.outcomes.items())
        ],
        "lengthened": tally.lengthened,
        "unquiet": tally.unquiet,
        "quiet_us": answer.bounds.quiet_ns / 1e3,
        "worst": {name: {"value": v, "schedule": text(s)} for name, (v, s) in tally.worst.items()},
        "violation": found,
    }


def write_tables(answer: Answer) -> list[Path]:
    """Writes check.json and schedules.csv, and a config for each worst case. Raises OutputError."""
    folder = answer.prepared.folder
    write_atomically(folder / "check.json", (json.dumps(summary(answer), indent=1) + "\n").encode())
    written = [folder / "check.json", folder / "schedules.csv"]
    rows = io.StringIO()
    table = csv.writer(rows, lineterminator="\n")
    table.writerow(
        ["schedule", "preemptions", "status", "said", "order", "length_us", "rule", "handoff_us",
         "wait_handoffs", "unfairness"]
    )  # fmt: skip
    for judged in Journal.read(folder / JOURNAL):
        rule = judged.violation.rule if judged.violation else ""
        worst = judged.worst
        table.writerow(
            [text(judged.ran), preemptions(judged.ran), judged.status, judged.said,
             f"{judged.order & (1 << 64) - 1:016x}", judged.length_ps / 1e6, rule,
             worst.handoff_ps / 1e6, worst.wait_handoffs, worst.unfairness]
        )  # fmt: skip
    write_atomically(written[1], rows.getvalue().encode())
    for name, (_, schedule) in answer.tally.worst.items():
        short = name.removesuffix("_ps")
        written.append(write_config(folder, f"worst-{short}.toml", schedule, answer.limit_ms))
    return written
