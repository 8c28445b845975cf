# SPDX-License-Identifier: MIT
"""`symlab new lock`: the files it writes and the commands it prints work."""

import os
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from symlab import UserError
from symlab.cli import app
from symlab.compiling import GUEST
from symlab.skeleton import write_lock
from typer.testing import CliRunner

BINARY = os.environ.get("SYMSIM_BINARY")
SMALL = " --set guest.args.increments=100 --set 'machine.processors=[1,4]'"


def told_commands(folder: Path) -> list[str]:
    result = CliRunner().invoke(app, ["new", "lock", "mine", "--in", str(folder)])
    assert result.exit_code == 0, result.output
    text = result.output.replace("\\\n", " ")
    return re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_the_printed_commands_lead_to_a_comparison(tmp_path):
    *builds, exclusion, sweep = told_commands(tmp_path)
    for command in [*builds, exclusion + " --quiet", sweep + SMALL]:
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
    runs = pd.read_csv(tmp_path / "results" / "mine" / "mine.csv")
    assert set(runs.lock) == {"mine", "xchgb", "read", "backoff", "ticket", "mcs"}
    assert (runs.status == "finished").all() and (runs.increments == 100).all()
    times = runs.pivot(index="processors", columns="lock", values="elapsed_us")
    # The template spins on xchgb; only the start-up time depends on the length of the name.
    assert times.mine.tolist() == pytest.approx(times.xchgb.tolist(), rel=0.01)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_the_printed_commands_detect_a_lock_without_mutual_exclusion(tmp_path):
    *builds, exclusion, _ = told_commands(tmp_path)
    header = tmp_path / "mine.h"
    wrong = header.read_text().replace("exchange_byte(&lock->word, 1) != 0", "lock->word != 0")
    header.write_text(wrong)
    for command in builds:
        subprocess.run(command, shell=True, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(exclusion, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "expected 0x0" in done.stdout


def test_no_file_is_overwritten_and_names_are_checked(tmp_path):
    write_lock("mine", tmp_path)
    with pytest.raises(UserError, match=r"mine\.h exists"):
        write_lock("mine", tmp_path)
    for name in ["", "9", "Mine", "my lock", "../mine", "-mine"]:
        with pytest.raises(UserError, match="small letters"):
            write_lock(name, tmp_path)
    assert (GUEST / "locks" / "read.h").exists()
    with pytest.raises(UserError, match="has a lock of that name"):
        write_lock("read", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.h", "mine.toml"]
