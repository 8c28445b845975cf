# SPDX-License-Identifier: MIT
"""The first screen of the page about a run: what slowed whom, in a sentence and a few numbers.

Every word must hold for every run. So a sentence says how long something took; it says "because"
nowhere. What a run spun for, and what holders of locks waited behind, is known from a log only.
"""

from typing import Any

import numpy as np

from symlab.reports import words
from symlab.reports.bus import bus_chart
from symlab.reports.colours import ACTIVITIES
from symlab.reports.intervals import Occupied
from symlab.reports.processes import time_chart
from symlab.reports.run_data import RunData, ps, ratio
from symlab.reports.section import Opening, Part, Tile
from symlab.reports.spinning import LOCKED, waits_of_holders
from symlab.reports.timelines import activity_spans, timeline
from symlab.reports.words import PARTS, share, time_parts

FREE = "var(--rule)"  # the colour of the part of a bar that is nobody's


def opening(run: RunData) -> Opening:
    charts = [bus_chart(run), timeline(run) or time_chart(run)]
    return Opening(headline(run), tiles(run), charts)


def tiles(run: RunData) -> list[Tile]:
    """The same four for each run."""
    return [_processors(run), _bus(run), _holders(run), _longest_wait(run)]


def headline(run: RunData) -> str:
    """The sentence: what took most of the processors' time, and what that did to others."""
    parts, whole = time_parts(run.processors), run.end_ps * len(run.processors)
    one = len(run.processors) == 1
    spent = f"The {'processor' if one else 'processors'} spent"
    theirs = "its" if one else "their"
    loss = max((part for part in parts if part != "executing"), key=parts.__getitem__)
    if parts["executing"] >= parts[loss]:
        start = f"{spent} {share(parts['executing'], whole)} of {theirs} time {PARTS['executing']}"
        if not parts[loss]:
            return f"{start}."
        return f"{start}; the largest loss was {share(parts[loss], whole)}, {PARTS[loss]}."
    took_ps, doing = parts[loss], PARTS[loss]
    if loss == "spinning":
        lock, for_lock_ps = most_spun_for(run)
        if 2 * for_lock_ps > took_ps:
            took_ps, doing = for_lock_ps, f"spinning for {lock}"
    return f"{spent} {share(took_ps, whole)} of {theirs} time {doing}{_effect(run, loss)}."


def most_spun_for(run: RunData) -> tuple[str, int]:
    """The lock for which the processors spun longest, and how long, in ps: the spinning that falls
    into waits for the lock. ("", 0) if the run has no log of all its time, or if nobody spun for a
    lock."""
    if run.log is None or run.log_note:
        return "", 0
    spans = activity_spans(run.log.marks, len(run.processors), *run.log_span_ps)
    spans = spans[spans["what"] == "spin"]
    found = dict.fromkeys(run.lock_names.values(), 0)
    groups: Any = run.episodes.waits.groupby(["lock", "processor"])
    for (lock, processor), waits in groups:
        spun = spans[spans["processor"] == processor]
        occupied = Occupied(spun["start_ps"], spun["end_ps"] - spun["start_ps"])
        ends = np.minimum(waits["acquired_ps"], run.log_span_ps[1])
        found[run.lock_names[int(lock)]] += int(occupied.between(waits["attempt_ps"], ends).sum())
    return max(found.items(), key=lambda item: item[1], default=("", 0))


def _effect(run: RunData, loss: str) -> str:
    """What the loss did to the holders of locks or to the bus, as the end of the sentence."""
    critical = words.critical_parts(run.processors)
    if loss == "spinning" and any(critical.values()):
        waited = share(critical["waiting"], sum(critical.values()))
        return f"; in critical sections they waited for the bus for {waited} of the time"
    bus = run.summary["bus"]
    if loss == "spinning":
        spinners = sum(map(ps, bus["busy_us_by_activity"]["spin"].values()))
        return f", and the bus was busy with it for {share(spinners, run.bus_ps)} of the run"
    return f"; the bus was busy for {share(ps(bus['busy_us']), run.bus_ps)} of the run"


def _bar(times: dict[str, int], colours: dict[str, str], whole: int) -> list[Part]:
    """The parts of a bar that are not 0, the longest first."""
    return [
        Part(name, ratio(time, whole), share(time, whole), colours[name])
        for name, time in sorted(times.items(), key=lambda item: -item[1])
        if time
    ]


def _processors(run: RunData) -> Tile:
    parts, whole = time_parts(run.processors), run.end_ps * len(run.processors)
    most = max(parts, key=parts.__getitem__)
    notes = []
    if parts["spinning"] and len(run.processors) > 1:
        spun = [time_parts([processor])["spinning"] for processor in run.processors]
        who = spun.index(max(spun))
        notes.append(f"Spun most: processor {who}, {share(spun[who], run.end_ps)}.")
        lock, for_lock_ps = most_spun_for(run)
        if for_lock_ps:
            notes.append(f"Spun for {lock}: {share(for_lock_ps, whole)}.")
    bar = _bar(parts, words.PART_COLOURS, whole)
    return Tile("Time of the processors", f"{share(parts[most], whole)} {most}", bar, notes)


def _bus(run: RunData) -> Tile:
    bus = run.summary["bus"]
    held = bus["busy_us_by_activity"]
    by_activity = {activity: sum(map(ps, kinds.values())) for activity, kinds in held.items()}
    by_kind = {
        kind: sum(ps(kinds.get(kind, 0)) for kinds in held.values()) for kind in words.KIND_WORDS
    }
    most = max(by_kind, key=by_kind.__getitem__)
    notes = []
    if by_kind[most]:
        taken = share(by_kind[most], run.bus_ps)
        notes.append(f"Held longest for {words.KIND_WORDS[most]}: {taken}.")
        notes.append(f"Mean wait of a request: {words.time(bus['mean_wait_us'])}.")
    free = Part("free", 1 - ratio(ps(bus["busy_us"]), run.bus_ps), "", FREE)
    bar = [*_bar(by_activity, ACTIVITIES, run.bus_ps), free]
    return Tile("Bus", f"{share(ps(bus['busy_us']), run.bus_ps)} busy", bar, notes)


def _holders(run: RunData) -> Tile:
    critical = words.critical_parts(run.processors)
    whole = sum(critical.values())
    if not whole:
        return Tile("Lock holders", "none", notes=["No lock was held."])
    waiting = critical["waiting"]
    notes = []
    if waiting and waiting < whole:
        times = words.number(whole / (whole - waiting))
        notes.append(f"{times} times as long as without waits.")
    if run.log is not None and not run.log_note:
        behind: dict[str, Any] = {str(row[0]): row[1] for row in waits_of_holders(run.log.bus).rows}
        every = behind.pop("all waits of holders")
        spinners = [behind[name] for name in ("spin", LOCKED) if name in behind]
        if spinners:
            taken = share(sum(spinners), every)
            notes.append(f"For {taken} of the waits, spinners had the bus or a locked line.")
    bar = _bar(critical, words.PART_COLOURS, whole)
    waited = f"{share(waiting, whole)} waiting"
    return Tile("Lock holders, in critical sections", waited, bar, notes)


def _longest_wait(run: RunData) -> Tile:
    waited = run.locks[["max_wait_us", "open_wait_us"]].max(axis=1)
    if not waited.any():
        bus = run.summary["bus"]
        return Tile("Longest wait for the bus", words.time(bus["max_wait_us"]))
    longest: Any = waited.idxmax()
    row = run.locks.loc[longest]
    name = run.lock_names[int(row["address"], 16)]
    [lock] = [x for x in run.summary["locks"] if x["address"] == row["address"]]
    notes = [f"Processor {row['processor']}, for {name}."]
    if row["open_wait_us"] > row["max_wait_us"]:
        notes.append("It had not ended when the run did.")
    if lock["acquisitions"]:
        mean = words.time(lock["mean_wait_us"])
        notes.append(f"Mean of {lock['acquisitions']:,} acquisitions: {mean}.")
    if lock["releases"]:
        mean, most = (words.time(lock[f"{name}_hold_us"]) for name in ("mean", "max"))
        notes.append(f"Mean hold: {mean}; longest: {most}.")
    return Tile("Longest wait for a lock", words.time(float(waited.max())), [], notes)
