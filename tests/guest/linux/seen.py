#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the simulator shows of a Linux program: threads, system calls, futexes, a fault.

    seen.py --symsim S --gcc G PROGRAM.c

Runs PROGRAM.c in both engines, and compares their files. If this host cannot compile 32-bit
programs, the test ends with status 77, which ctest shows as "Skipped".
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from run_linux import SECONDS, SKIPPED, Failed

TURNS = 20
FILES = (
    "summary.json", "processes.csv", "system_calls.csv", "futexes.csv", "trace.pftrace",
    "profile.folded",
)  # fmt: skip
PROBES = pathlib.Path(__file__).resolve().parents[3] / "guest" / "include"
# The code is without frame pointers, and without tables to walk the stack.
FLAGS = ("-m32", "-static", "-O2", "-fomit-frame-pointer", "-fno-asynchronous-unwind-tables")


def compiled(options, folder):
    program = folder / options.program.stem
    command = [options.gcc, *FLAGS, "-pthread", f"-iquote{PROBES}", options.program, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"gcc -m32 -static does not work here: {done.stderr[-300:]}")
        sys.exit(SKIPPED)
    return program


def run(options, program, out, engine, *arguments):
    keys = {
        "machine.processors": 2,
        "run.engine": engine,
        "observe.perfetto": "true",
        "observe.profile_us": 97,
        "guest.args.quantum_us": 1000,
    }
    command = [options.symsim, program, "--quiet", "--out", out]
    for key, value in keys.items():
        command += ["--set", f"{key}={value}"]
    done = subprocess.run([*command, "--", *arguments], capture_output=True, timeout=SECONDS)
    if not (out / "manifest.json").is_file():
        raise Failed(done.stderr.decode(errors="replace")[-800:])
    return done.stderr.decode()


def rows(out, name):
    with (out / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def expect(what, found, wanted):
    if found != wanted:
        raise Failed(f"{what}: {found}, and {wanted} was expected")


def check_threads(out):
    threads = rows(out, "processes.csv")
    found = [(t["name"], t["function"], t["of_process"]) for t in threads]
    number = threads[0]["process"]
    wanted = [("seen", "main"), ("alpha", "first"), ("a-name-that-is-", "second")]
    expect("threads", found, [(*thread, number) for thread in wanted])
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    linux = summary["linux"]
    parts = sum(
        round(1e6 * linux[f"{part}_us"]) for part in ("user", "kernel", "scheduler", "idle")
    )
    expect("all time", parts, round(2e6 * summary["simulated_us"]))
    expect("switches", linux["switches"], sum(int(t["quanta"]) for t in threads))
    return summary, threads


def check_calls(out, summary, threads):
    calls = {row["call"]: row for row in rows(out, "system_calls.csv")}
    expect("getppid", calls["getppid"]["count"], "7")
    expect("clone", calls["clone"]["count"], "2")
    expect("rseq", calls["rseq"]["count"], "1")  # glibc tries it once
    expect("clone3", calls["clone3"]["count"], "2")  # refused, then clone
    expect("getgid32", calls["getgid32"]["count"], "1")  # answered as getuid is
    for name in ("page_fault", "futex", "write", "interrupt", "nanosleep"):
        names = [call for call in calls if name in call]
        if not names or int(calls[names[0]]["clocks"]) <= 0:
            raise Failed(f"no clocks of {name}: {calls.keys()}")
    if not 64 < int(calls["page_fault"]["count"]) < 400:
        raise Failed(f"{calls['page_fault']['count']} page faults")
    faults = sum(int(t["page_faults"]) for t in threads)
    expect("page faults", str(faults), calls["page_fault"]["count"])
    kernel = sum(round(1e6 * float(row["kernel_us"])) for row in calls.values())
    expect("kernel time", kernel, round(1e6 * summary["linux"]["kernel_us"]))
    sleep = next(row for name, row in calls.items() if "nanosleep" in name)
    if float(sleep["elapsed_us"]) < 1000 or float(sleep["kernel_us"]) > 900:
        raise Failed(f"the sleep: {sleep}")
    if sum(int(row["bus_uses"]) for row in calls.values()) == 0:
        raise Failed("the kernel has not used the bus")


def check_futexes(out, threads):
    futexes = rows(out, "futexes.csv")
    numbers = {t["process"]: t["name"] for t in threads}
    locks = [row for row in futexes if row["symbol"] == "lock"]
    if not locks:
        raise Failed(f"no wait for the mutex: {futexes}")
    for row in locks:
        expect("caller", (row["function"], row["caller"]), ("pthread_mutex_lock", "section"))
        if row["woken_in"] != "futex" or numbers[row["woken_by"]] not in (
            "alpha",
            "a-name-that-is-",
        ):
            raise Failed(f"woken by a wrong thread: {row}")
    if not any(row["woken_in"] == "exit" for row in futexes):
        raise Failed(f"no join: {futexes}")


def check_probes(out, summary):
    locks = {row["lock"] for row in rows(out, "locks.csv")}
    expect("own_lock", sum(int(r["acquisitions"]) for r in rows(out, "locks.csv")), 2 * TURNS)
    expect("locks", "own_lock" in locks, True)
    events = {event["event"]: event["count"] for event in summary["linux"]["events"]}
    expect("events", events.get("seen:passes"), 2 * TURNS)


def check_profile(out):
    """Each stack that ends in stay() is one of those that the program can have."""
    found = set()
    for line in (out / "profile.folded").read_text(encoding="utf-8").splitlines():
        _, *functions = line.rpartition(" ")[0].split(";")
        if functions[-1] != "stay":
            continue
        own = [
            f for f in functions if f in ("main", "first", "second", "section", "handler", "stay")
        ]
        found.add(";".join(own))
        if "deep" in functions:
            raise Failed(f"longjmp has left deep(): {line}")
    wanted = {"first;section;stay", "main;stay", "main;handler;stay"}
    second = {"second;section;stay", "second;first;section;stay"} & found  # inlined or not
    expect("stacks", found, wanted | second)
    expect("stacks of the second thread", len(second), 1)


def check_trace(out):
    trace = (out / "trace.pftrace").read_bytes()
    texts = (b"thread 101 alpha, first", b"system calls", b"futex lock", b"woken by thread")
    for text in (*texts, b"seen:passes", b"7, -"):
        if text not in trace:
            raise Failed(f"{text} is not in the trace")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--symsim", type=pathlib.Path, required=True)
    parser.add_argument("--gcc", required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = compiled(options, folder)
        try:
            for engine in ("fast", "reference"):
                run(options, program, folder / engine, engine)
            for file in FILES:
                same = (folder / "fast" / file).read_bytes() == (
                    folder / "reference" / file
                ).read_bytes()
                expect(f"{file} is the same in both engines", same, True)
            out = folder / "fast"
            summary, threads = check_threads(out)
            check_calls(out, summary, threads)
            check_futexes(out, threads)
            check_trace(out)
            check_probes(out, summary)
            check_profile(out)
            said = run(options, program, folder / "crash", "fast", "crash")
            for text in ("thread 100 faulted", " crash", "main+0x"):
                expect(f"{text} in {said}", text in said, True)
        except (Failed, subprocess.TimeoutExpired) as failure:
            sys.exit(f"{options.program.stem}: {failure}")


if __name__ == "__main__":
    main()
