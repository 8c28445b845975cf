# SPDX-License-Identifier: MIT
"""Soak test of sweeps: thousands of short runs under faults give the results of a quiet sweep.

    .venv/bin/python tests/soak/sweep_soak.py --runs 2000 --minutes 10 --seed 1

One sweep is made undisturbed. The other is interrupted by Ctrl-C and killed, each several times,
and resumed; all the while simulators are killed and the disk is filled and freed. After each part:

- the exit code is right, and no traceback appears;
- no finished run is lost, made again or damaged;
- each finished row of the table equals that of the undisturbed sweep.

At the end a quiet sweep must exit with 0, and all files but -host.csv must be equal byte for byte.
Rounds are made until the minutes are over. The seed determines which faults come when, in host
time; what they hit depends on the host.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from faults import MOUNTED, Disk, can_mount, in_namespace, kill_a_simulator
from symlab.runs.store import FAILED, PARTIAL, damage

ROOT = Path(__file__).resolve().parents[2]
POLL_S = 0.005
PYTHON_S = 0.5  # in which Python starts and prints its own traceback if it is interrupted
SLOT_BYTES = 64 << 10  # of the disk, for each run
SPARE_BYTES = 16 << 20  # of the disk, for tables and figures
INTERRUPTED = (130, -signal.SIGINT)  # Python ends by the signal if it interrupts eval or exec
EXIT_CODES = {0, 1, 6}  # of a sweep that ends by itself, perhaps with failed runs or on a full disk
LOST = {"killed-SIGKILL", "output-error"}  # what faults make of a run
NOT_FOR_USERS = ("Traceback", "error of symlab itself", "Exception ignored", "Warning:")

CONFIG = """\
base = "{root}/configs/machines/symmetry-a.toml"

[guest]
image = "counter-read"

[guest.args]
lock = "read"

[sweep]
"machine.processors" = [1, 2]
"guest.args.increments" = "2..{last}"
"""


class Wrong(Exception):
    """What the soak test has found."""


@dataclass
class Soak:
    """The sweep under faults, and what it has survived so far."""

    options: argparse.Namespace
    folder: Path
    disk: Disk
    chance: random.Random
    survived: Counter[str] = field(default_factory=Counter)
    finished: dict[str, int] = field(default_factory=dict)  # run -> time of its folder
    parts: int = 0

    def __post_init__(self) -> None:
        self.config = self.folder / "soak.toml"
        last = 1 + self.options.runs // 2
        self.config.write_text(CONFIG.format(root=ROOT, last=last))
        self.quiet = self.folder / "undisturbed"
        self.out = self.disk.folder / "swept"  # no neighbour, so that no run is taken from there
        self.log = self.folder / "log.txt"

    def command(self, out: Path) -> list[str]:
        program = [sys.executable, "-m", "symlab", "sweep", str(self.config), "--out", str(out)]
        return [*program, "--jobs", "2", "--simulator", str(self.options.simulator)]

    def undisturbed(self) -> None:
        done = subprocess.run(self.command(self.quiet), capture_output=True, text=True)
        if done.returncode != 0:
            raise Wrong(f"the undisturbed sweep ended with {done.returncode}:\n{done.stderr}")
        self.expected = self.rows(self.quiet)

    def round(self) -> None:
        """One sweep from nothing to its end, under faults."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.finished = {}
        ends = ["Ctrl-C"] * self.options.interrupts + ["SIGKILL"] * self.options.kills
        self.chance.shuffle(ends)
        for number, end in enumerate(ends):
            while True:  # a sweep may end before it is interrupted
                share = 2 * (self.options.runs - len(self.finished)) / (len(ends) - number + 1)
                if self.part(end, self.trigger(share)) == end:
                    break
        self.part("", lambda: False)
        self.last()

    def trigger(self, runs: float) -> Callable[[], bool]:
        """When a part is interrupted: at some time, which may be while it starts or plans, or else
        after some of so many `runs`."""
        if self.chance.random() < 0.3:
            at = time.monotonic() + self.chance.uniform(PYTHON_S, self.options.early_s)
            return lambda: time.monotonic() >= at
        enough = len(self.finished) + int(self.chance.uniform(0, runs))
        return lambda: len(self.folders()) > enough

    def part(self, end: str, due: Callable[[], bool]) -> str:
        """A sweep under faults until it ends, or until `due` says that it is to be ended by `end`.

        Returns `end`, or "" if the sweep ended by itself.
        """
        with self.log.open("w") as log:
            process = subprocess.Popen(
                self.command(self.out), stdout=log, stderr=subprocess.STDOUT, cwd=self.folder
            )
            ended = self.disturb(process, end, due)
        self.parts += 1
        self.check(code := process.wait(), ended)
        self.progress()
        return ended if code not in EXIT_CODES else ""

    def disturb(self, process: subprocess.Popen[bytes], end: str, due: Callable[[], bool]) -> str:
        """Kills simulators and fills the disk while the sweep runs. Returns `end` if the sweep was
        ended by it, else ""."""
        every = self.options.every_s
        ended = ""
        now = time.monotonic()
        kill_at, fill_at = (now + self.chance.uniform(0, every) for _ in range(2))
        free_at = 0.0
        while process.poll() is None:
            now = time.monotonic()
            if now >= kill_at and (kind := kill_a_simulator(process.pid, self.chance)):
                self.survived[f"simulators killed ({kind})"] += 1
                kill_at = now + self.chance.uniform(0, every)
            if self.disk.small and now >= fill_at:
                self.survived["full disks"] += 1
                free_at = now + self.chance.uniform(0.2, 1.5)
                fill_at = free_at + self.chance.uniform(0, 4 * every)
            if now < free_at:
                self.disk.fill()
            elif free_at:
                self.disk.free()
                free_at = 0.0
            if end and not ended and due():
                process.send_signal(signal.SIGINT if end == "Ctrl-C" else signal.SIGKILL)
                ended = end
            time.sleep(POLL_S)
        self.disk.free()
        return ended

    def check(self, code: int, ended: str) -> None:
        """Raises Wrong unless the part ended as it must, and its runs and rows are right."""
        said = self.log.read_text(errors="replace")
        if any(word in said for word in NOT_FOR_USERS):
            raise Wrong("a message that no user should see")
        if ended == "SIGKILL" and code == -signal.SIGKILL:
            self.survived["sweeps killed"] += 1
        elif ended == "Ctrl-C" and code in INTERRUPTED:
            self.survived["Ctrl-C"] += 1
            if "to do" in said and "To continue" not in said:
                raise Wrong("Ctrl-C, but the sweep does not say how to continue")
        elif code in EXIT_CODES:
            self.survived[f"ends with exit code {code}"] += 1
        else:
            raise Wrong(f"exit code {code}")
        now = self.folders()
        if lost := [run for run in self.finished if run not in now]:
            raise Wrong(f"finished runs are lost: {lost}")
        if again := [run for run, made in self.finished.items() if now[run] != made]:
            raise Wrong(f"finished runs were made again: {again}")
        for run in now.keys() - self.finished.keys():
            if (wrong := damage(self.out / "runs" / run)) is not None:
                raise Wrong(f"run {run} was kept, but {wrong}")
        self.finished = now
        self.check_table()
        if code == 0 and len(now) != self.options.runs:
            raise Wrong(f"exit code 0 with {len(now)} finished runs")

    def check_table(self) -> None:
        """Each row of the table is one of the undisturbed sweep, or says how its run was lost."""
        rows = self.rows(self.out)
        if rows and len(rows) != len(self.expected):
            raise Wrong(f"the table has {len(rows)} lines, not {len(self.expected)}")
        for row, expected in zip(rows, self.expected, strict=False):
            status = row.rsplit(",", 1)[1]
            if row != expected and status not in LOST and "status" not in status:
                raise Wrong(f"row\n  {row}\ninstead of\n  {expected}")

    def last(self) -> None:
        """The quiet sweep at the end of a round, and the comparison of all files."""
        with self.log.open("w") as log:
            command = self.command(self.out)
            code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
        self.check(code, "")
        if code != 0:
            raise Wrong(f"the quiet sweep at the end ended with {code}")
        wanted, found = (self.results(folder) for folder in (self.quiet, self.out))
        if wanted.keys() != found.keys():
            raise Wrong(f"files {sorted(found)} instead of {sorted(wanted)}")
        if differing := [name for name in wanted if wanted[name] != found[name]]:
            raise Wrong(f"these files differ from the undisturbed sweep's: {differing}")
        left = [run.name for run in (self.out / "runs").iterdir() if "." in run.name]
        if left:
            raise Wrong(f"left in runs/: {left}")
        self.survived["rounds"] += 1
        self.survived["rows equal"] += len(self.expected) - 1

    def results(self, folder: Path) -> dict[str, bytes]:
        """The files of a sweep that must not depend on the host."""
        files = (file for file in folder.iterdir() if file.is_file() and file.name != ".lock")
        return {file.name: file.read_bytes() for file in files if "-host." not in file.name}

    def rows(self, folder: Path) -> list[str]:
        table = folder / f"{self.config.stem}.csv"
        return table.read_text().splitlines() if table.exists() else []

    def folders(self) -> dict[str, int]:
        """The finished runs, and when the folder of each was last changed."""
        try:
            with os.scandir(self.out / "runs") as entries:
                whole = [one for one in entries if not one.name.endswith((PARTIAL, FAILED))]
                return {one.name: one.stat().st_mtime_ns for one in whole}
        except FileNotFoundError:
            return {}

    def progress(self) -> None:
        runs = f"{len(self.finished)} of {self.options.runs} runs"
        print(f"{self.parts} parts, {runs}; {self}", flush=True)

    def __str__(self) -> str:
        return ", ".join(f"{name} {count}" for name, count in sorted(self.survived.items()))


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Soak test of sweeps: runs under faults.")
    parser.add_argument("--runs", type=int, default=2000, help="of the sweep; an even number")
    parser.add_argument("--minutes", type=float, default=10, help="rounds begin for so long")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--interrupts", type=int, default=10, help="by Ctrl-C, in each round")
    parser.add_argument("--kills", type=int, default=10, help="of the sweep, in each round")
    parser.add_argument("--every-s", type=float, default=2, help="longest time between two kills")
    parser.add_argument("--early-s", type=float, default=12, help="for interruptions of the plan")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "soak-sweep")
    parser.add_argument("--simulator", type=Path, default=ROOT / "symsim")
    return parser.parse_args()


def main() -> int:
    order = options()
    if MOUNTED not in os.environ and can_mount():
        return in_namespace([sys.executable, *sys.argv, "--seed", str(order.seed)])
    folder = order.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    disk = Disk.made(folder / "disk", order.runs * SLOT_BYTES + SPARE_BYTES)
    if not disk.small:
        print("no tmpfs can be mounted here (unshare -rm): the full disk is left out")
    print(f"seed {order.seed}; files in {folder}", flush=True)
    soak = Soak(order, folder, disk, random.Random(order.seed))
    end = time.monotonic() + 60 * order.minutes
    try:
        soak.undisturbed()
        while not soak.survived["rounds"] or time.monotonic() < end:
            soak.round()
    except Wrong as wrong:
        kept = folder / "wrong"  # the disk vanishes with its namespace
        shutil.copytree(disk.folder, kept)
        print(f"{soak}\nFAILED, seed {order.seed}: {wrong}\nsee {soak.log} and {kept}")
        return 1
    print(f"survived: {soak}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
