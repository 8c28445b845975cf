# SPDX-License-Identifier: MIT
"""Lets `symlab check` search the mutants: a table of how many schedules each bug takes.

    python3 tests/mutants/search.py FOLDER [NAME...] [--minutes M] [--preemptions K] [--right]
                                    [--jobs N] [--random]

Writes FOLDER/mutants.csv, a row for each mutant:

    found        the violation, empty: none within the budget
    schedules    runs of the search, the last of which found it
    preemptions  of the shortest schedule found, its held stores included
    complete     1: no schedules were left within the bounds
    undisturbed  1: the first run, without holds, already shows the bug
    stress       the run of ordinary stress that finds one, empty: none of as many runs; the
                 processors start at random times (symlab check --search stress)
"""

import argparse
import csv
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import make
from symlab.check.checking import Answer, check
from symlab.check.elf import Image
from symlab.check.prepare import WEAKEST, Order, Prepared
from symlab.check.rules import Setting
from symlab.runs.simulator import Simulator

COLUMNS = [
    "kind", "name", "expected", "found", "schedules", "preemptions", "complete", "undisturbed",
    "stress", "schedule",
]  # fmt: skip


@dataclass(frozen=True)
class Budget:
    minutes: float
    preemptions: int
    jobs: int | None
    random: bool

    @property
    def how(self) -> str:
        return "random" if self.random else "exhaustive"


def search(
    mutant: make.Mutant, folder: Path, budget: Budget, right: bool, stress: int | None = None
) -> Answer:
    """One search; `stress`: instead so many runs of ordinary stress.

    Raises MutantError, LabError.
    """
    image = make.build_image(mutant, folder, right)
    config = image.with_suffix(".toml")
    settings: dict[str, Any] = {**WEAKEST, **dict(mutant.settings)}
    config.write_text(make.config_text(mutant, str(image.resolve()), settings), encoding="utf-8")
    elf = Image(image)
    setting = Setting(tuple(elf.guarded), tuple(elf.objects), ignored=frozenset({"order"}))
    results = folder / f"{mutant.name}.{'stress' if stress else 'check'}"
    results.mkdir(exist_ok=True)
    order = Order(
        mutant.name,
        processors=mutant.processors,
        preemptions=max(budget.preemptions, mutant.preemptions),
        search="stress" if stress else budget.how,
        most=stress,
        depth=1 + max(budget.preemptions, mutant.preemptions),
        minutes=None if stress else budget.minutes,
        jobs=budget.jobs,
    )
    prepared = Prepared(
        folder=results,
        config=config,
        image=elf,
        setting=setting,
        names=mutant.name,
        simulator=Simulator(None),
        processors=mutant.processors,
        whole=False,
    )
    return check(order, prepared)


def row(mutant: make.Mutant, answer: Answer, stress: Answer | None) -> dict[str, object]:
    failure = answer.failure
    return {
        "kind": mutant.kind,
        "name": mutant.name,
        "expected": mutant.violation,
        "found": failure.violation.rule if failure else "",
        "schedules": failure.runs if failure else answer.tally.schedules,
        "preemptions": len(failure.schedule) if failure else "",
        "complete": int(answer.complete),
        "undisturbed": int(failure is not None and not failure.found),
        "stress": stress.failure.runs if stress and stress.failure else "",
        "schedule": ", ".join(map(str, failure.schedule)) if failure else "",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float, default=1.0, help="host time for each [1]")
    parser.add_argument("--preemptions", type=int, default=2)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--random", action="store_true", help="PCT, of that depth")
    parser.add_argument("--right", action="store_true", help="the versions without the bug")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    budget = Budget(chosen.minutes, chosen.preemptions, chosen.jobs, chosen.random)
    named = [make.find(name) for name in chosen.names] or make.mutants()
    with (chosen.folder / "mutants.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for mutant in named:
            if chosen.right and not mutant.has_right_version:
                continue
            answer = search(mutant, chosen.folder, budget, chosen.right)
            runs = answer.failure.runs if answer.failure else 0
            stress = search(mutant, chosen.folder, budget, False, runs) if runs else None
            result = row(mutant, answer, stress)
            table.writerow(result)
            file.flush()
            words = [result[column] for column in COLUMNS[:9]]
            print(*words, f"{answer.seconds:.1f} s", flush=True)


if __name__ == "__main__":
    try:
        main()
    except make.MutantError as error:
        sys.exit(f"search.py: {error}")
