#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the kernel of Linux programs costs: the table of docs/how-it-works/kernel.md.

    scripts/linux_costs.py [--set KEY=VALUE]...

tests/guest/linux/costs.c does each operation 100 and 400 times on Models A and B. Clocks are from
the program; instructions and bus transactions are the difference of the two runs.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FEW, MANY = 100, 400
OPERATIONS = {  # the name in costs.c: processors, and how many of it in one step
    "null-call": (1, 1),
    "page-fault": (1, 1),
    "switch": (1, 2),
    "handoff": (2, 2),
    "thread-start": (2, 1),
    "fork": (1, 1),
}


def compiled(folder):
    program = folder / "costs"
    source = ROOT / "tests/guest/linux/costs.c"
    flags = ["-m32", "-static", "-O2", "-pthread"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(program)], check=True)
    return program


def run(program, model, operation, number, processors, settings):
    out = program.parent / "run"
    settings = [
        f"guest.image={program}",
        f"guest.argv={operation} {number}",
        f"machine.processors={processors}",
        "processor.isa=i686",
        *settings,
    ]
    command = [
        str(ROOT / "symsim"),
        str(ROOT / f"configs/machines/symmetry-{model}.toml"),
    ]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run([*command, "--quiet", "--out", str(out)], check=True)
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    clocks = int((out / "console.txt").read_text(encoding="utf-8").split()[-1])
    kinds = summary["bus"]["transactions"]
    locked = kinds["locked_read"] + kinds["locked_store"]
    total = summary["bus"]["all_transactions"]
    return clocks, [summary["instructions"], kinds["store"], locked, total]


def costs(program, model, operation, settings):
    processors, in_step = OPERATIONS[operation]
    _, few = run(program, model, operation, FEW, processors, settings)
    clocks, many = run(program, model, operation, MANY, processors, settings)
    steps = (MANY - FEW) * in_step
    return clocks, [f"{(b - a) / steps:,.0f}" for a, b in zip(few, many, strict=True)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    columns = "Clocks, A | Instructions | Transactions, A | stores | locked | Clocks, B"
    print(f"| | {columns} | Transactions, B |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        program = compiled(Path(name))
        for operation in OPERATIONS:
            clocks, (instructions, stores, locked, total) = costs(
                program, "a", operation, options.set
            )
            on_b, (*_, total_b) = costs(program, "b", operation, options.set)
            row = [
                f"{clocks:,}",
                instructions,
                total,
                stores,
                locked,
                f"{on_b:,}",
                total_b,
            ]
            print(f"| {operation} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
