#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many runs of the locks of processes, each in both engines, whose files must be the same bytes.

    process_runs.py grid  SYMSIM FOLDER LOCK... [--processors 1-4,20] [--seeds 2]
    process_runs.py sweep SYMSIM FOLDER LOCK... [--stride 1] [--most 4000]

FOLDER has the images of tests/guest. `grid`: process_locks and, from 3 processors, process_waits, on
each number of processors. `sweep`: process_preempted, preempted after each instruction of an acquire
and a release (every STRIDE-th, at most MOST): of a free lock, and of one that others want too.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SHORT_QUANTA = {"guest.args.quantum_us": 1000}
NO_WAIT = {"guest.args.quantum_us": 10000, "guest.args.extension_us": 5000, "guest.args.turns": 100}


def simulate(symsim, image, settings, out):
    """Runs once; returns the bytes of all result files but host.json."""
    config = out.with_suffix(".toml")
    config.write_text(f'[guest]\nimage = "{image}"\n')
    words = [f"--set={key}={value}" for key, value in settings.items()]
    command = [symsim, config, "--quiet", "--out", out, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr[-500:]}")
    return {file.name: file.read_bytes() for file in out.iterdir() if file.name != "host.json"}


def run(symsim, image, settings):
    """Runs in both engines; returns summary.json. Raises RuntimeError if a run fails or if the two
    differ."""
    settings = {
        "run.limit_ms": 60000,
        "processor.isa": "i486",
        "sync_bus.present": "true",
        "sub_page.present": "true",
        "memory.size_mb": 32,  # for the 170 processes of process_locks on 20 processors
        **settings,
    }
    with tempfile.TemporaryDirectory() as name:
        files = []
        for engine in ("fast", "reference"):
            out = pathlib.Path(name, engine)
            files.append(simulate(symsim, image, {**settings, "run.engine": engine}, out))
    if files[0] != files[1]:
        raise RuntimeError("the engines differ")
    return json.loads(files[0]["summary.json"])


def grid(arguments, lock):
    """Prints the largest of each number that the programs report."""
    most = {}
    for processors in numbers(arguments.processors):
        for seed in range(arguments.seeds):
            both = {"machine.processors": processors, "run.seed": seed}
            results = attempt(arguments, "process_locks", lock, {**SHORT_QUANTA, **both})
            if processors >= 3:
                results |= attempt(arguments, "process_waits", lock, {**NO_WAIT, **both})
            for name, value in results.items():
                most[name] = max(most.get(name, 0), value)
    return " ".join(f"{name} {value}" for name, value in most.items())


def numbers(text):
    """1, 4, 5, 6 of "1,4-6"."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def sweep(arguments, lock):
    """Says how many instructions each path has."""
    lengths = []
    for others in (0, 2):
        for after in range(1, arguments.most + 1, arguments.stride):
            settings = {
                **SHORT_QUANTA,
                "machine.processors": 4,
                "guest.args.others": others,
                "preempt.on_processor": 1,
                "preempt.from": "region",
                "preempt.region": 1,
                "preempt.instructions": after,
            }
            summary = attempt(arguments, "process_preempted", lock, settings, whole=True)
            end_us = summary["guest"]["results"]["path_end_us"]
            preemption = summary["preemption"]
            if not preemption["arrived"] or preemption["time_us"] > end_us:
                break
        lengths.append(f"{others} others: up to instruction {after}")
    return ", ".join(lengths)


def attempt(arguments, program, lock, settings, whole=False):
    image = pathlib.Path(arguments.folder, f"{program}-{lock}.elf").resolve()
    try:
        summary = run(arguments.symsim, image, settings)
    except RuntimeError as error:
        words = " ".join(f"--set {key}={value}" for key, value in settings.items())
        raise RuntimeError(f"{image.name} {words}: {error}") from None
    return summary if whole else dict(summary["guest"]["results"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["grid", "sweep"])
    parser.add_argument("symsim")
    parser.add_argument("folder")
    parser.add_argument("locks", nargs="+")
    parser.add_argument("--processors", default="1-20")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--most", type=int, default=4000)
    arguments = parser.parse_args()
    check = {"grid": grid, "sweep": sweep}[arguments.what]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = {pool.submit(check, arguments, lock): lock for lock in arguments.locks}
        for future in concurrent.futures.as_completed(futures):
            try:
                print(f"{futures[future]}: {future.result()}", flush=True)
            except RuntimeError as error:
                failed += 1
                print(f"{futures[future]}: FAILED {error}", flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
