# SPDX-License-Identifier: MIT
"""A short form of the soak test of sweeps, tests/soak/sweep_soak.py: what it survives and finds.

It needs SYMSIM_BINARY, which `make test` sets.
"""

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

BINARY = os.environ.get("SYMSIM_BINARY", "")
PROGRAM = Path(__file__).resolve().parents[1] / "soak" / "sweep_soak.py"

sys.path.insert(0, str(PROGRAM.parent))
from faults import Disk  # noqa: E402
from sweep_soak import Soak, Wrong  # noqa: E402

real = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def soak(folder: Path, simulator: str | Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), "--minutes", "0", "--seed", "1", *more]
    command += ["--folder", str(folder / "soak"), "--simulator", str(simulator)]
    return subprocess.run(command, capture_output=True, text=True)


@real
def test_a_sweep_under_faults_gives_the_rows_of_an_undisturbed_one(tmp_path):
    short = ["--runs", "60", "--interrupts", "1", "--kills", "1"]
    done = soak(tmp_path, BINARY, *short, "--every-s", "0.3", "--early-s", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    survived = done.stdout.splitlines()[-1].removeprefix("survived: ").split(", ")
    found = {name: int(count) for name, _, count in (one.rpartition(" ") for one in survived)}
    assert (found["Ctrl-C"], found["sweeps killed"], found["rows equal"]) == (1, 1, 60)
    assert any(name.startswith("simulators killed") for name in found)
    assert "full disks" in found or "no tmpfs" in done.stdout


@real
def test_a_sweep_that_never_finishes_is_found(tmp_path):
    simulator = tmp_path / "symsim"
    simulator.write_text(
        '#!/bin/sh\ncase "$*" in\n--serve) exit 2;;\n'  # so each run has a command line
        '*swept/*) echo "symsim: broken" >&2; exit 3;;\nesac\n'
        f'exec {BINARY} "$@"\n'
    )
    simulator.chmod(0o755)
    done = soak(tmp_path, simulator, "--runs", "4", "--interrupts", "0", "--kills", "0")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED, seed 1: row\n" in done.stdout
    assert "guest-failure" in done.stdout


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2,70,finished", "row\n  2,70,finished\ninstead of\n  2,7,finished"),
        ("2,,user-error", "instead of"),
        ("2,,killed-SIGKILL", ""),
        ("2,7,finished", ""),
    ],
)
def test_a_row_that_differs_is_found(row, said, tmp_path):
    options = argparse.Namespace(runs=2, simulator="symsim")
    one = Soak(options, tmp_path, Disk(tmp_path, False), random.Random(1))
    one.expected = ["processors,elapsed_us,status", "1,5,finished", "2,7,finished"]
    one.out.mkdir()
    (one.out / "soak.csv").write_text("\n".join([*one.expected[:2], row, ""]))
    if said:
        with pytest.raises(Wrong) as error:
            one.check_table()
        assert said in str(error.value)
    else:
        one.check_table()


def test_a_finished_run_that_is_lost_or_made_again_is_found(tmp_path):
    options = argparse.Namespace(runs=2, simulator="symsim")
    one = Soak(options, tmp_path, Disk(tmp_path, False), random.Random(1))
    one.log.write_text("")
    (one.out / "runs" / "a").mkdir(parents=True)
    one.finished = {"a": 1}
    with pytest.raises(Wrong, match="made again: \\['a'\\]"):
        one.check(1, "")
    one.finished = {"b": 1}
    with pytest.raises(Wrong, match="lost: \\['b'\\]"):
        one.check(1, "")
    one.finished = {}
    with pytest.raises(Wrong, match=r"run a was kept, but manifest.json is missing"):
        one.check(1, "")
    one.log.write_text("Traceback (most recent call last):")
    with pytest.raises(Wrong, match="no user should see"):
        one.check(1, "")
