# SPDX-License-Identifier: MIT
"""The page about one run: title, warnings, opening, and the sections in their order."""

from symlab.report.distance import distance
from symlab.report.guest import guest
from symlab.report.handoff import handoff
from symlab.report.lines import lines
from symlab.report.locks import fairness, locks
from symlab.report.opening import opening
from symlab.report.page import Page
from symlab.report.processes import processes
from symlab.report.processors import processors
from symlab.report.profile import profile
from symlab.report.provenance import provenance
from symlab.report.run_data import RunData
from symlab.report.section import Section
from symlab.report.spaces import spaces
from symlab.report.spinning import spinning
from symlab.report.utilisation import utilisation

SECTIONS = (
    locks, handoff, fairness, distance, spaces, processes, spinning, processors, utilisation, lines,
    profile, guest, provenance,
)  # fmt: skip


def run_page(run: RunData) -> Page:
    machine = run.config["machine.name"] or "machine without a name"
    after = f"{run.summary['status']} after {run.summary['simulated_us']:,} us"
    subtitle = f"Run {run.name} on a {machine}, {after}"
    return Page(title_of(run), subtitle, opening(run), sections_of(run), warnings_of(run))


def sections_of(run: RunData) -> list[Section]:
    """The sections in the order of SECTIONS, without those that do not apply to the run.

    If the guest failed, the section about the guest is first.
    """
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
