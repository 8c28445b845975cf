#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A Linux program prints the same in the simulator and on this host, and ends with the same status.

    run_linux.py --symsim S --gcc G [--link=OPTION] [--set KEY=VALUE] [--expect FILE]
                 PROGRAM.c PROCESSORS...

PROGRAM.c is compiled by gcc -m32 -static with this host's library, and runs as ./PROGRAM one two. It
finds given.txt in its folder, and has a text as its standard input. What it leaves in kept/ is the
same too.
It runs on the host, and in the simulator with each number of processors: with the last number in
the reference engine, with the others in the fast one. If this host cannot compile or run 32-bit
programs, the test ends with status 77, which ctest shows as "Skipped".
A file of --expect has what is printed, and the status, where the host would do something else.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS = 240  # the host may be busy
HOST_RUNS = 3  # what the host prints may depend on its load; what symsim prints may not
LIMIT_MS = 20000  # of simulated time
ARGUMENTS = ["one", "two words"]
GIVEN = b"a file\nof two lines\n"
INPUT = b"from the caller\n"


class Failed(Exception):
    pass


def compiled(options, folder):
    program = folder / options.program.stem
    command = [options.gcc, "-m32", "-static", "-O1", "-w", "-pthread", str(options.program)]
    command += [*options.link, "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"gcc -m32 -static does not work here: {done.stderr[-300:]}")
        sys.exit(SKIPPED)
    return program


def kept(folder):
    found = (folder / "kept").rglob("*")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.is_file()}


def on_host(program):
    shutil.rmtree(program.parent / "kept", ignore_errors=True)  # of an earlier run
    try:
        done = subprocess.run(
            [program, *ARGUMENTS],
            capture_output=True,
            timeout=SECONDS,
            env={"NAME": "value"},
            cwd=program.parent,
            input=INPUT,
        )
    except OSError as error:
        print(f"this host runs no 32-bit programs: {error}")
        sys.exit(SKIPPED)
    return done.stdout, done.returncode if done.returncode >= 0 else 128 - done.returncode


def expected_of(options, program):
    if options.expect is None:
        return on_host(program)
    *lines, status = options.expect.read_bytes().splitlines(keepends=True)
    return b"".join(lines), int(status.removeprefix(b"status "))


def in_simulator(options, program, processors, engine, folder):
    keys = {
        "machine.processors": processors,
        "run.engine": engine,
        "run.limit_ms": LIMIT_MS,
        "guest.env": "NAME=value",
        "guest.files": f"given.txt={folder / 'given.txt'}",
    }
    out = folder / f"{engine}-{processors}"
    command = [str(options.symsim), str(program), "--quiet", "--out", str(out)]
    for setting in [*(f"{key}={value}" for key, value in keys.items()), *options.set]:
        command += ["--set", setting]
    done = subprocess.run(
        [*command, "--", *ARGUMENTS], capture_output=True, timeout=SECONDS, input=INPUT
    )
    console = out / "console.txt"
    if not console.is_file():
        raise Failed(f"{done.stderr.decode(errors='replace')[-800:]}")
    if kept(out / "files") != kept(program.parent):
        raise Failed(f"{engine}: kept/ is not the same: {list(kept(out / 'files'))}")
    return console.read_bytes(), done.returncode


def compare(what, expected, found):
    if expected == found:
        return
    raise Failed(
        f"{what}: status {found[1]}, and {expected[1]} on the host; printed\n"
        f"{found[0].decode(errors='replace')}\nand on the host\n"
        f"{expected[0].decode(errors='replace')}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--symsim", type=pathlib.Path, required=True)
    parser.add_argument("--gcc", required=True)
    parser.add_argument("--link", action="append", default=[])
    parser.add_argument("--fast", action="store_true", help="no run in the reference engine")
    parser.add_argument("--expect", type=pathlib.Path)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("processors", type=int, nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "given.txt").write_bytes(GIVEN)
        program = compiled(options, folder)
        expected = expected_of(options, program)
        runs = [(number, "fast") for number in options.processors]
        if not options.fast:
            runs[-1] = (options.processors[-1], "reference")
        try:
            for number, engine in runs:
                found = in_simulator(options, program, number, engine, folder)
                for _ in range(HOST_RUNS - 1):
                    if found == expected:
                        break
                    expected = expected_of(options, program)
                compare(f"{number} processors, {engine}", expected, found)
        except (Failed, subprocess.TimeoutExpired) as failure:
            sys.exit(f"{options.program.stem}: {failure}")


if __name__ == "__main__":
    main()
