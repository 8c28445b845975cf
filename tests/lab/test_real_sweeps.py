# SPDX-License-Identifier: MIT
"""Sweeps of the real simulator with a full disk, a kill, a changed guest, or a cluster.

They need SYMSIM_BINARY, which `make test` sets.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import alive, children_of, wait_until
from distributed import LocalCluster
from symlab import load, sweep
from symlab.errors import UserError

BINARY = os.environ.get("SYMSIM_BINARY", "")
ROOT = Path(__file__).resolve().parents[2]
GUESTS = ROOT / "build" / "release" / "guest"

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A folder with a config and two guests of its own; the sweep has one and two processors."""
    for name in ("read", "xchgb"):
        shutil.copy(GUESTS / f"counter-{name}.elf", tmp_path / f"{name}.elf")
    path = tmp_path / "two.toml"
    path.write_text(
        f'base = "{ROOT}/configs/machines/symmetry-a.toml"\n[guest]\nimage = "{{lock}}"\n'
        '[guest.args]\nincrements = 100\n[sweep]\n"guest.args.lock" = ["read", "xchgb"]\n'
        '"machine.processors" = [1, 2]\n'
    )
    return path


def ages(out: Path) -> dict[str, int]:
    return {run.name: run.stat().st_mtime_ns for run in (out / "runs").iterdir()}


def test_after_a_change_of_a_guest_only_its_runs_are_repeated(config):
    out = config.parent / "out"
    first = sweep(config, out=out, simulator=BINARY)
    before = ages(out)
    with (config.parent / "read.elf").open("ab") as file:
        file.write(b"\0")  # after the loaded part: the file differs, the program does not
    second = sweep(config, out=out, simulator=BINARY)
    assert list(second.lock) == ["read", "read", "xchgb", "xchgb"]
    assert set(second.run[:2]).isdisjoint(first.run)
    assert list(second.run[2:]) == list(first.run[2:])
    assert {name: age for name, age in ages(out).items() if name in before} == before
    assert list(second.elapsed_us) == list(first.elapsed_us)


def test_a_lock_given_by_its_alias_has_its_name_in_the_results(config):
    symsims = {"guest.image": "counter-{lock}", "machine.processors": 1}
    done = sweep(
        config,
        out=config.parent / "out",
        jobs=None,
        settings=symsims | {"guest.args.lock": ["tas", "ttas"]},
        simulator=BINARY,
    )
    assert list(done["lock"]) == ["xchgb", "read"] and set(done["status"]) == {"finished"}
    twice = symsims | {"guest.args.lock": ["tas", "xchgb"]}
    with pytest.raises(UserError, match=r"lock=xchgb .*is there twice"):
        sweep(config, out=config.parent / "twice", jobs=None, settings=twice, simulator=BINARY)
    images = config.with_name("images.toml")
    images.write_text('[guest.args]\nincrements = 100\n[sweep]\n"guest.image" = ["counter-tas"]\n')
    done = sweep(images, out=config.parent / "images", simulator=BINARY)
    assert list(done["image"]) == ["counter-xchgb"] and set(done["status"]) == {"finished"}


def test_after_a_change_of_a_rom_its_run_is_repeated(config):
    rom = config.parent / "boot.bin"
    rom.write_bytes(b"\xfa\xf4".ljust(510, b"\0") + b"\x55\xaa")  # cli, hlt
    config.write_text('[guest]\nrom = "boot.bin"\n[sweep]\n"machine.processors" = [1]\n')
    out = config.parent / "out"
    first = sweep(config, out=out, simulator=BINARY)
    assert list(first.status) == ["finished"]
    rom.write_bytes(b"\xfa\x90\xf4".ljust(510, b"\0") + b"\x55\xaa")
    second = sweep(config, out=out, simulator=BINARY)
    assert second.instructions[0] == first.instructions[0] + 1


def namespaces() -> bool:
    done = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
    return done.returncode == 0


@pytest.mark.skipif(not shutil.which("unshare") or not namespaces(), reason="no tmpfs to be had")
def test_runs_lost_to_a_full_disk_are_made_by_the_next_sweep(config):
    out = config.parent / "out"
    out.mkdir()
    command = [sys.executable, "-m", "symlab", "sweep", str(config), "--out", str(out)]
    again = shlex.join([*command, "--simulator", str(BINARY), "--jobs", "1"])
    script = f"""
        mount -t tmpfs -o size=1m none {out} && cd {out} || exit 99
        head -c 960k /dev/zero > filler
        {again}; echo "exit $?"
        rm filler
        {again}; echo "second $?"
    """
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, cwd=ROOT
    )
    first, _, second = done.stdout.partition("exit ")
    assert "output-error" in first, done.stderr
    assert "No space left" in done.stderr
    assert second.startswith(("1", "6")), "a run failed, or the tables could not be written"
    finished = first.count("finished")
    assert f" points: {finished} kept, " in second, "what has finished is kept"
    assert second.rstrip().endswith("second 0"), done.stderr


def test_a_killed_simulator_becomes_a_row_and_the_next_sweep_repeats_it(config):
    out = config.parent / "out"
    command = [sys.executable, "-m", "symlab", "sweep", str(config), "--out", str(out)]
    more = ["--simulator", str(BINARY), "--jobs", "2", "--set", "machine.processors=[1,20]"]
    endless = ["--set", "guest.args.increments=100000000", "--set", "guest.args.lock=read"]
    process = subprocess.Popen([*command, *more, *endless], stdout=subprocess.PIPE, text=True)

    def simulators() -> list[int]:
        return [run for server in children_of(process.pid) for run in children_of(server)]

    wait_until(lambda: len([*out.glob("runs/*.partial/console.txt.part")]) == 2, 240)
    killed = simulators()
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    output, _ = process.communicate(timeout=240)
    assert process.returncode == 1
    assert output.count("killed-SIGKILL") == 2
    assert list(load(out).status) == ["killed-SIGKILL"] * 2
    assert len(killed) == 2
    assert not any(alive(pid) for pid in killed)
    frame = sweep(
        config, out=out, jobs=None, settings={"guest.args.lock": "read"}, simulator=BINARY
    )
    assert list(frame.status) == ["finished"] * 2


def test_a_cluster_gives_the_same_bytes(config):
    out, far = config.parent / "out", config.parent / "far" / "out"
    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as cluster:
        there = sweep(config, out=far, simulator=BINARY, scheduler=cluster.scheduler_address)
    here = sweep(config, out=out, simulator=BINARY)
    assert list(there.status) == ["finished"] * 4
    assert (out / "two.csv").read_bytes() == (far / "two.csv").read_bytes()
    pd.testing.assert_series_equal(here.run, there.run)
    for run in here.run:
        for file in (out / "runs" / run).iterdir():
            if file.name != "host.json":
                other = far / "runs" / run / file.name
                assert file.read_bytes() == other.read_bytes(), file
