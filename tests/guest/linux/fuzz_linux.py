#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random system calls do no harm to the kernel with Linux's system calls (fuzz.c).

    fuzz_linux.py --symsim S --gcc G --kernel K [--seed N] [--calls N] [--rounds N] [--seconds T]

The kernel K, which checks its locks, takes the place of that beside S. A run fails if the kernel
panics, if it does not end, or if processes or memory are left. With --seconds runs follow one
another for so long, each with its seed. SYMSIM_FUZZ_SEED and SYMSIM_FUZZ_SECONDS set both.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
LIMIT_MS = 120000  # of simulated time
PROCESSORS = [2, 4, 3, 8]


def compiled(options, folder):
    program = folder / "fuzz"
    source = pathlib.Path(__file__).with_name("fuzz.c")
    command = [
        options.gcc,
        "-m32",
        "-static",
        "-O1",
        "-w",
        str(source),
        "-o",
        str(program),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"gcc -m32 -static does not work here: {done.stderr[-300:]}")
        sys.exit(SKIPPED)
    return program


def simulator_with(options, folder):
    """A copy of the simulator, which looks for the kernel beside itself."""
    (folder / "guest").mkdir()
    shutil.copy(options.kernel, folder / "guest" / "linux.elf")
    return shutil.copy(options.symsim, folder / "symsim")


def run(options, seed, simulator, program, folder):
    """None, or why the run has failed."""
    processors = PROCESSORS[seed % len(PROCESSORS)]
    out = folder / "out"
    keys = {
        "machine.processors": processors,
        "memory.size_mb": 16,
        "run.limit_ms": LIMIT_MS,
        "run.engine": "reference" if seed % 8 == 7 else "fast",
    }
    command = [str(simulator), str(program), "--quiet", "--out", str(out)]
    for key, value in keys.items():
        command += ["--set", f"{key}={value}"]
    arguments = [str(seed), str(options.calls), str(options.rounds)]
    done = subprocess.run([*command, "--", *arguments], check=False, capture_output=True)
    console = (out / "console.txt").read_bytes() if (out / "console.txt").is_file() else b""
    if done.returncode == 0 and console.endswith(b"no process is left: 1\nmemory is left: 1\n"):
        return None
    return (
        f"seed {seed}, {processors} processors: status {done.returncode}\n"
        f"{console[-800:].decode(errors='replace')}\n{done.stderr.decode(errors='replace')[-800:]}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--symsim", type=pathlib.Path, required=True)
    parser.add_argument("--kernel", type=pathlib.Path, required=True)
    parser.add_argument("--gcc", required=True)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SYMSIM_FUZZ_SEED", "1")))
    parser.add_argument("--calls", type=int, default=300, help="of each thread of a child")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument(
        "--seconds", type=float, default=float(os.environ.get("SYMSIM_FUZZ_SECONDS", "0"))
    )
    options = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = compiled(options, folder)
        simulator = simulator_with(options, folder)
        seed = options.seed
        while seed == options.seed or time.monotonic() - begin < options.seconds:
            failure = run(options, seed, simulator, program, folder)
            if failure is not None:
                sys.exit(failure)
            seed += 1
    print(f"SYMSIM_FUZZ_SEED={options.seed}: {seed - options.seed} runs")


if __name__ == "__main__":
    main()
