# SPDX-License-Identifier: MIT
"""The page about one run: title, warnings, and the sections in their order."""

from symlab.report.handoff import handoff
from symlab.report.lines import lines
from symlab.report.locks import fairness, locks
from symlab.report.overview import overview
from symlab.report.page import Page
from symlab.report.processors import processors
from symlab.report.profile import profile
from symlab.report.run_data import RunData
from symlab.report.section import Section
from symlab.report.spinning import spinning
from symlab.report.timelines import timelines
from symlab.report.utilisation import utilisation

SECTIONS = (
    overview,
    utilisation,
    processors,
    timelines,
    locks,
    handoff,
    fairness,
    spinning,
    lines,
    profile,
)


def run_page(run: RunData) -> Page:
    return Page(title_of(run), subtitle_of(run), sections_of(run), warnings_of(run))


def sections_of(run: RunData) -> list[Section]:
    """The sections in the order of SECTIONS, without those that do not apply to the run."""
    return [section for build in SECTIONS if (section := build(run)) is not None]


def title_of(run: RunData) -> str:
    return f"{run.summary['guest']['image']}, {len(run.processors)} processors"


def subtitle_of(run: RunData) -> str:
    return f"Run {run.name} on a {run.config['machine.name'] or 'machine without a name'}."


def warnings_of(run: RunData) -> list[str]:
    if not run.summary["partial"]:
        return []
    until = f"numbers are right up to {run.summary['simulated_us']:,} us"
    return [f"The guest did not reach its end ({run.summary['status']}); {until}."]
