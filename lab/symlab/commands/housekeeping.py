# SPDX-License-Identifier: MIT

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from symlab.commands.options import AsJson
from symlab.terminal import console, print_json, warn

if TYPE_CHECKING:
    from symlab.runs.housekeeping import Inventory

Folder = Annotated[
    Path,
    typer.Argument(metavar="SWEEP", help="Folder of a sweep's results: results/ALL/figure-4.1."),
]

MB = 1e6


def status_command(out: Folder, as_json: AsJson = False) -> None:
    """Print the finished and failed runs of a sweep.

    Also prints causes of failures, and the disk space of runs that no sweep needs any more.
    """
    from symlab.runs.housekeeping import bytes_of, inventory

    found = inventory(out)
    if as_json:
        print_json(_record(found))
        return
    if found.holder:
        console.print(f"process {found.holder} is sweeping into {out}")
    ended = " that ended" if found.holder else ""
    for text, runs in [
        ("finished", found.needed),
        (f"finished, of no point of the last sweep{ended}", found.older),
        ("failed", found.failed),
        ("being run" if found.holder else "interrupted", found.partial),
        ("damaged", [*found.damaged]),
    ]:
        if runs:
            console.print(f"{len(runs):>6} {text}, {bytes_of(runs) / MB:.1f} MB")
    if found.missing:
        console.print(f"{len(found.missing):>6} of the last sweep's runs are gone")
    if not found.ended and not found.holder:
        console.print("       no sweep has ended here yet; the same `symlab sweep` continues it")
    for run in found.failed:
        console.print(f"failed {found.label(run)}: {why_failed(found, run)}\n       see {run}")
    for run, wrong in found.damaged.items():
        warn(f"{run}: {wrong}; the next sweep makes the run again")


def _record(found: "Inventory") -> dict[str, object]:
    """The inventory: names of runs by state."""
    states = {
        "finished": found.needed, "older": found.older, "failed": found.failed,
        "partial": found.partial, "damaged": [*found.damaged],
    }  # fmt: skip
    return {
        **{state: [run.name for run in runs] for state, runs in states.items()},
        "causes": {run.name: why_failed(found, run) for run in found.failed},
        "missing": found.missing,
        "ended": found.ended,
        "process": found.holder or None,
    }


def why_failed(found: "Inventory", run: Path) -> str:
    """Status and cause of a failed run, in a line."""
    from symlab.runs.failures import cause

    record = found.records.get(run.name)
    if record is None:
        return "its point.json cannot be read"
    said = cause(record.status, record.message, run)
    return f"{record.status}: {said}" if said else record.status


def gc_command(
    out: Folder,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be removed; remove nothing.")
    ] = False,
) -> None:
    """Remove runs that the last sweep does not need.

    These are runs of an earlier config, and failed, interrupted or damaged runs.
    """
    from symlab.runs.housekeeping import collect

    removed = collect(out, dry_run)
    for run in removed:
        console.print(f"{'would remove' if dry_run else 'removed'} {run}")
    console.print(f"{len(removed)} runs, {sum(removed.values()) / MB:.1f} MB")
