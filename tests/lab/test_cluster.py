# SPDX-License-Identifier: MIT
"""A sweep on a dask.distributed cluster, with worker processes and schedulers that are killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import dask
import pandas as pd
import pytest
from conftest import Lab, alive, wait_until
from distributed import LocalCluster
from symlab import ClusterError, UserError, sweep
from symlab.files import sha256_of
from symlab.runs.cluster_worker import Job, Refused, Shipped, keep_copy, perform
from symlab.runs.processes import Children

# A program: a scheduler with two worker processes, reachable only from this host. It prints the
# scheduler's address.
CLUSTER = """
import sys, time
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    )
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    settings = {
        # By default dask gives up a lost worker after 15 s, which is too short on a slow host.
        "distributed.deploy.lost-worker-timeout": "1h",
        "distributed.scheduler.allowed-failures": 1,
    }
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            local_directory=str(tmp_path_factory.mktemp("workers")),
        ) as cluster,
    ):
        yield cluster


# A sweep with two points, 1-read and 2-read.
SMALL = {"machine.processors": [1, 2], "guest.args.lock": "read"}


def swept(lab: Lab, cluster: LocalCluster, overrides: Mapping[str, object] = SMALL) -> pd.DataFrame:
    address = cluster.scheduler_address
    return sweep(
        lab.config,
        out=lab.out,
        jobs=None,
        settings=overrides,
        simulator=lab.simulator,
        scheduler=address,
    )


def started(lab: Lab, address: str) -> subprocess.Popen[str]:
    """Starts a command that sweeps over `SMALL`; returns when only the held run 2-read is left."""
    lab.hold("2-read")
    process = lab.start(
        *("--scheduler", address),
        *("--set", "machine.processors=[1,2]", "--set", "guest.args.lock=read"),
    )
    wait_until(lambda: set(lab.events("start")) == {"1-read", "2-read"}, 240)
    wait_until(lambda: any("." not in name for name in runs(lab.out)), 240)
    return process


def runs(out: Path) -> list[str]:
    return sorted(path.name for path in (out / "runs").iterdir())


def test_a_sweep_on_a_cluster_gives_the_same_results_as_on_this_host(lab, cluster):
    there = swept(lab, cluster)
    far = lab.folder / "far" / "here"
    here = sweep(lab.config, out=far, jobs=None, settings=SMALL, simulator=lab.simulator)
    assert list(there.status) == ["finished"] * 2
    host = ["cpu_s", "wall_s", "slowdown"]
    pd.testing.assert_frame_equal(there.drop(columns=host), here.drop(columns=host))
    for run in here.run:
        one, other = lab.out / "runs" / run, far / "runs" / run
        assert sorted(p.name for p in one.iterdir()) == sorted(p.name for p in other.iterdir())
        for name in ("summary.json", "config.toml", "bus.csv", "point.json"):
            assert (one / name).read_bytes() == (other / name).read_bytes(), name
    assert len(lab.events("start")) == 4
    pd.testing.assert_frame_equal(swept(lab, cluster), there)
    assert len(lab.events("start")) == 4, "what is finished is kept"


def test_a_simulator_killed_while_a_run_is_sent_becomes_a_row(lab, cluster):
    first = 'if "--print-config" in args:\n'
    dies = """    if processors == 2:  # the plan asks first, then who sends the run
        with open(here / "asked", "a") as asked:
            asked.write("x")
            if asked.tell() == 2:
                os.kill(os.getpid(), 9)
"""
    lab.simulator.write_text(lab.simulator.read_text().replace(first, first + dies))
    assert list(swept(lab, cluster).status) == ["finished", "killed-SIGKILL"]
    assert list(swept(lab, cluster).status) == ["finished"] * 2
    assert lab.events("start") == ["1-read", "2-read"]


def test_a_worker_that_is_killed_loses_no_run(lab, cluster):
    process = started(lab, cluster.scheduler_address)
    (run,) = [pid for pid in lab.pids() if alive(pid)]
    worker = int(Path(f"/proc/{run}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: lab.events("start").count("2-read") == 2, 240)
    assert not alive(run), "the run has died with its worker"
    (lab.folder / "hold-2-read").unlink()
    output, _ = process.communicate(timeout=240)
    assert process.returncode == 0, output
    assert lab.events("finish") == ["1-read", "2-read"]
    assert list(pd.read_csv(lab.out / "tiny.csv").status) == ["finished"] * 2


def test_a_run_whose_workers_all_die_becomes_a_row_and_the_others_are_made(lab, cluster):
    die = 'log("start"); name != "2-read" or os.kill(os.getppid(), 9) or time.sleep(60)'
    lab.simulator.write_text(lab.simulator.read_text().replace('log("start")', die))
    frame = swept(lab, cluster)
    assert list(frame.status) == ["finished", "worker-lost"]
    assert lab.events("start").count("2-read") > 1


def test_ctrl_c_stops_the_runs_on_the_workers_and_keeps_finished_ones(lab, cluster):
    process = started(lab, cluster.scheduler_address)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=240)
    assert process.returncode == 130, output
    assert "To continue: symlab sweep" in output
    wait_until(lambda: not any(alive(pid) for pid in lab.pids()), 240)
    (lab.folder / "hold-2-read").unlink()
    assert list(swept(lab, cluster).status) == ["finished"] * 2
    assert lab.events("finish") == ["1-read", "2-read"]


def test_a_sweep_that_is_killed_leaves_no_run_behind(lab, cluster):
    process = started(lab, cluster.scheduler_address)
    process.kill()
    process.wait()
    wait_until(lambda: not any(alive(pid) for pid in lab.pids()), 240)


def test_a_lost_scheduler_is_an_error_and_finished_runs_are_kept(lab, cluster):
    script = lab.folder / "cluster.py"
    script.write_text(CLUSTER)
    other = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    address = other.stdout.readline().strip()
    process = started(lab, address)
    other.kill()
    output, _ = process.communicate(timeout=240)
    assert process.returncode == 1, output
    assert f"--scheduler {address}: the connection to the scheduler is lost" in output
    assert "finished runs are kept" in output
    (lab.folder / "hold-2-read").unlink()
    assert list(swept(lab, cluster).status) == ["finished"] * 2
    assert lab.events("start").count("1-read") == 1


def test_a_failed_run_comes_back_with_its_message(lab, cluster):
    lab.fail(_2_read=3)
    frame = swept(lab, cluster)
    assert list(frame.status) == ["finished", "guest-failure"]
    record = (lab.out / "runs" / frame.run[1] / "point.json").read_text()
    assert "failure of 2-read" in record


def test_a_worker_with_another_guest_refuses_and_names_both(lab, cluster, monkeypatch):
    image = lab.folder / "counter-read"
    image.write_bytes(b"one")
    before = sha256_of(image)
    text = f'log("start"); pathlib.Path("{image}").write_bytes(b"two")'
    lab.simulator.write_text(lab.simulator.read_text().replace('log("start")', text))
    with pytest.raises(ClusterError, match=r"refuses: its guest .*counter-read has SHA") as caught:
        swept(lab, cluster, {**SMALL, "machine.processors": [1, 2, 3]})
    assert before in str(caught.value)
    assert sha256_of(image) in str(caught.value)
    assert "finished runs are kept" in str(caught.value)


def job(lab: Lab, guest_name: str = "", guest: bytes | None = None) -> Job:
    simulator = Shipped("simulator", str(lab.simulator), sha256_of(lab.simulator))
    inputs: tuple[tuple[Shipped, str], ...] = ()
    if guest is not None:
        path = lab.folder / "guest.elf"
        path.write_bytes(guest)
        inputs = ((Shipped("guest", str(path), sha256_of(path)), guest_name),)
    text = lab.config.read_text() + "[run]\nseed = 1\n"
    return Job("n", "t", text, simulator, inputs)


def test_a_simulator_that_differs_from_the_sweeps_is_refused(lab):
    given = job(lab)
    lab.simulator.write_text("other")
    with pytest.raises(Refused) as caught:
        perform(given, lab.folder, Children())
    assert given.simulator.sha256 in str(caught.value)
    assert sha256_of(lab.simulator) in str(caught.value)


@pytest.mark.parametrize("name", ["guest.elf", "sub/guest.elf", "../../guest.elf"])
def test_a_worker_uses_the_sent_copy_of_a_file_it_does_not_see(lab, tmp_path_factory, name):
    given = job(lab, name, b"image")
    program = lab.simulator.read_bytes().replace(
        b'log("finish")',
        f"import shutil; shutil.copy('{name}', out / 'seen')".encode(),
    )
    moved = program.replace(b"here = pathlib.Path(__file__).parent", b"here = pathlib.Path('.')")
    lab.simulator.unlink()
    (lab.folder / "guest.elf").unlink()
    room = tmp_path_factory.mktemp("room")
    keep_copy(given.simulator, moved, room)
    with pytest.raises(Refused, match="nor was it sent"):
        perform(given, room, Children())
    keep_copy(given.inputs[0][0], b"image", room)
    returned = perform(given, room, Children())
    assert returned.ended.exit_code == 0, returned.ended.message
    assert returned.files["seen"] == b"image"
    assert {"summary.json", "config.toml", "host.json"} <= returned.files.keys()
    assert all(path.name.startswith("symsim-") and path.is_file() for path in room.iterdir())


@pytest.mark.parametrize("name", ["input", "sub/input", "../input"])
def test_a_worker_finds_the_standard_input_under_its_name(lab, tmp_path_factory, name):
    (lab.folder / "input").write_bytes(b"text")
    sent = Shipped("standard input", str(lab.folder / "input"), sha256_of(lab.folder / "input"))
    given = replace(job(lab), inputs=((sent, name),))
    text = given.config.replace("[guest]\n", f'[guest]\nstdin = "{name}"\n')
    returned = perform(replace(given, config=text), tmp_path_factory.mktemp("room"), Children())
    assert returned.ended.exit_code == 0, returned.ended.message
    assert sent.sha256 in returned.files["summary.json"].decode()


def test_an_absolute_guest_that_a_worker_does_not_see_is_refused(lab):
    given = job(lab, str(lab.folder / "guest.elf"), b"image")
    (lab.folder / "guest.elf").unlink()
    keep_copy(given.inputs[0][0], b"image", lab.folder)
    with pytest.raises(Refused, match="name the guest relative to the config"):
        perform(given, lab.folder, Children())


def test_the_error_without_a_scheduler_names_its_address(lab):
    address = "tcp://127.0.0.1:1"
    with pytest.raises(UserError, match=f"--scheduler {address}: no dask scheduler answers"):
        sweep(lab.config, out=lab.out, simulator=lab.simulator, scheduler=address)


def test_jobs_and_a_scheduler_exclude_each_other(lab):
    with pytest.raises(UserError, match="--jobs"):
        sweep(lab.config, out=lab.out, simulator=lab.simulator, scheduler="tcp://x:1", jobs=2)
