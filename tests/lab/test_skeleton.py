# SPDX-License-Identifier: MIT
"""`symlab new`: the files it writes work, and so does the command it prints."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from symlab import UserError, cc, sweep
from symlab.cli import app
from symlab.guest.skeleton import SKELETONS, write_skeleton
from typer.testing import CliRunner

needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)


def told_command(kind: str) -> list[str]:
    """Writes the files into the folder `parts`; returns the arguments of the printed command."""
    result = CliRunner().invoke(app, ["new", kind, "mine", "--in", "parts"])
    assert result.exit_code == 0, result.output
    (line,) = (line for line in result.output.splitlines() if line.startswith("    symlab "))
    return line.split()[1:]


def symlab(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symlab", *words]
    return subprocess.run(command, capture_output=True, text=True)


@needs_simulator
@pytest.mark.parametrize("kind", SKELETONS)
def test_what_is_written_compiles_and_runs_at_once_by_the_printed_command(
    kind, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = symlab(*told_command(kind), "-p", "1,4")
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    (table,) = (path for path in tmp_path.glob("results/*/*.csv") if "host" not in path.name)
    runs = pd.read_csv(table)
    assert (runs.status == "finished").all()
    assert set(runs.columns[1:2]) <= {"lock", "barrier", "strategy"}
    assert runs.iloc[:, 1].nunique() >= 2
    if kind != "workload":
        assert "mine" in set(runs.iloc[:, 1])


@needs_simulator
def test_the_new_lock_is_a_test_and_set_lock_and_its_sweep_compares_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header, config = write_skeleton("lock", "mine", tmp_path)
    cc("guest/workloads/counter.c", output="counter-mine.elf", lock=str(header))
    small = {"guest.args.increments": 100, "machine.processors": [1, 4]}
    runs = sweep(config, settings=small)
    assert set(runs.lock) == {"mine", "xchgb", "read", "backoff", "ticket", "mcs"}
    assert (runs.status == "finished").all() and (runs.increments == 100).all()
    times = runs.pivot(index="processors", columns="lock", values="elapsed_us")
    # Only the start-up time depends on the length of the name. With contention mine differs from
    # xchgb, which is assembler: an iteration of mine is longer.
    assert times.mine[1] == pytest.approx(times.xchgb[1], rel=0.01)
    contended = runs[runs.processors == 4].set_index("lock")
    reads, exchanges = contended.spin_read_transactions, contended.spin_locked_read_transactions
    assert reads.mine == reads.xchgb == 0 < reads["read"], "it spins with exchanges only"
    assert exchanges.mine > exchanges["read"]


@needs_simulator
@pytest.mark.parametrize(
    ("kind", "right", "wrong", "says"),
    [
        ("lock", "exchange_byte(&lock->word, 1) != 0", "lock->word != 0", "counter is "),
        ("barrier", "barrier_spin(&barrier->flag.word, sense)", "(void)sense", "left before "),
    ],
)
def test_the_printed_command_finds_a_wrong_one(kind, right, wrong, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = told_command(kind)
    header = Path("parts", "mine.h")
    assert right in header.read_text()
    header.write_text(header.read_text().replace(right, wrong))
    done = symlab(*command, "-p", "8")
    assert done.returncode == 1
    assert f"processors=8 {kind}=mine: guest-exit" in done.stderr
    assert says in done.stderr, "what the program printed"
    assert f"processors=8 {kind}=mcs" not in done.stderr


@pytest.mark.parametrize("kind", SKELETONS)
def test_no_file_is_overwritten_and_names_are_checked(kind, tmp_path):
    files = write_skeleton(kind, "mine", tmp_path / "new" / "folder")
    with pytest.raises(UserError, match=rf"mine\{files[0].suffix} exists"):
        write_skeleton(kind, "mine", tmp_path / "new" / "folder")
    for name in ["", "9", "Mine", "my lock", "../mine", "-mine"]:
        with pytest.raises(UserError, match="small letters"):
            write_skeleton(kind, name, tmp_path)
    taken = {"lock": "read", "barrier": "counter", "strategy": "single-lock"}.get(kind, "turns")
    for name in [taken, *(["tas"] if kind == "lock" else [])]:
        with pytest.raises(UserError, match="symsim has one of that name"):
            write_skeleton(kind, name, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
    assert not any("@" in file.read_text() or "SPDX" in file.read_text() for file in files)
