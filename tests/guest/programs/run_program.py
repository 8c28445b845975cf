#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A whole program prints the same in the simulator, on a real processor and with glibc.

    run_program.py --symsim S --gcc G --built FOLDER --root SOURCES PROGRAM.c LEVEL...

For each level of optimisation, e.g. O2:
  guest   FOLDER/PROGRAM-O2.elf in the simulator; must exit with 0; its output is the reference
  host    FOLDER/PROGRAM-O2.native, the same object file with the same library on this processor
  glibc   PROGRAM.c compiled by this host's gcc -m32 with this host's library
The outputs of host and glibc are compared byte for byte with the reference. If one of them cannot
run, the test compares the other, prints the reason and ends with status 77, which ctest shows as
"Skipped", not as passed. Any difference or failure ends the test with status 1.
"""

import argparse
import difflib
import pathlib
import platform
import subprocess
import sys
import tempfile

SKIPPED = 77
HOST_SECONDS = 240  # the host may be busy
GUEST_LIMIT_MS = 60000  # of simulated time

CONFIG = """base = "{root}/configs/machines/symmetry-a.toml"
[machine]
processors = 1
[guest]
image = "{image}"
stdin = "{stdin}"
[run]
limit_ms = {limit}
"""


class Failed(Exception):
    pass


def run(command, text=b""):
    """What the command prints; `text`: its standard input."""
    done = subprocess.run(command, input=text, capture_output=True, timeout=HOST_SECONDS)
    if done.returncode != 0:
        text = (done.stdout[-400:] + done.stderr[-800:]).decode(errors="replace")
        raise Failed(f"{command[0]} ended with {done.returncode}:\n{text}")
    return done.stdout


def standard_input(options):
    return options.program.with_suffix(".in")


def typed(options):
    """The bytes of the program's standard input."""
    file = standard_input(options)
    return file.read_bytes() if file.is_file() else b""


def guest_output(options, name, scratch):
    image = options.built / f"{name}.elf"
    config = scratch / f"{name}.toml"
    stdin = standard_input(options)
    config.write_text(
        CONFIG.format(
            root=options.root,
            image=image,
            stdin=stdin if stdin.is_file() else "",
            limit=GUEST_LIMIT_MS,
        )
    )
    out = scratch / name
    console = out / "console.txt"
    try:
        run([str(options.symsim), str(config), "--quiet", "--out", str(out)])
    except Failed as failure:
        printed = console.read_text(errors="replace") if console.is_file() else ""
        raise Failed(f"{failure}{name} in the simulator: {printed[-400:]}") from failure
    return console.read_bytes()


def compare(what, expected, found):
    if expected == found:
        return
    lines = difflib.unified_diff(
        found.decode(errors="replace").splitlines(),
        expected.decode(errors="replace").splitlines(),
        what,
        "simulator",
        lineterm="",
        n=0,
    )
    raise Failed("\n".join(list(lines)[:20]))


def why_no_host(options, scratch):
    """The reason why 32-bit x86 programs cannot run on this host, or None."""
    if platform.machine() not in ("x86_64", "i386", "i686"):
        return f"this host is {platform.machine()}, not x86"
    source, program = scratch / "exit.S", scratch / "exit"
    source.write_text(".globl _start\n_start: movl $1, %eax\nmovl $42, %ebx\nint $0x80\n")
    flags = ["-m32", "-static", "-nostdlib", "-no-pie"]
    run([options.gcc, *flags, str(source), "-o", str(program)])
    try:
        status = subprocess.run([program], timeout=HOST_SECONDS).returncode
    except OSError as error:
        return f"this kernel runs no 32-bit programs: {error}"
    return None if status == 42 else f"this kernel runs no 32-bit programs: status {status}"


def why_no_glibc(options, scratch):
    source = scratch / "hello.c"
    source.write_text('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n')
    command = [options.gcc, "-m32", str(source), "-o", str(scratch / "hello")]
    if subprocess.run(command, capture_output=True).returncode == 0:
        return None
    return f"{options.gcc} -m32 finds no 32-bit glibc; apt-get install gcc-multilib"


def glibc_output(options, level, scratch):
    program = scratch / f"glibc-{level}"
    flags = f"-m32 -march=i386 -mno-sse -mfpmath=387 -std=gnu11 -w -{level}".split()
    run([options.gcc, *flags, str(options.program), "-o", str(program), "-lm"])
    return run([str(program)], typed(options))


def test(options, scratch):
    no_host = why_no_host(options, scratch)
    no_glibc = no_host or why_no_glibc(options, scratch)
    for level in options.levels:
        name = f"{options.program.stem}-{level}"
        printed = guest_output(options, name, scratch)
        if not no_host:
            compare("host", printed, run([str(options.built / f"{name}.native")], typed(options)))
        if not no_glibc:
            compare("glibc", printed, glibc_output(options, level, scratch))
        last = printed.splitlines()[-1].decode()
        print(f"-{level}: {last}, {len(printed)} bytes printed")
    return no_host or no_glibc


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--symsim", type=pathlib.Path, required=True)
    parser.add_argument("--gcc", required=True)
    parser.add_argument("--built", type=pathlib.Path, required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("levels", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            missing = test(options, pathlib.Path(folder))
        except (Failed, subprocess.TimeoutExpired) as failure:
            sys.exit(f"{options.program.stem}: {failure}")
    if missing:
        print(f"compared with less than there could be: {missing}")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
