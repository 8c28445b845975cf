# SPDX-License-Identifier: MIT
"""A sweep keeps finished runs, repeats unfinished ones, and loses no other run to an error."""

import errno
import hashlib
import json
import os
import shutil
import signal
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import PATIENCE_S, Lab, alive, wait_until
from symlab import OutputError, RunFailed, UserError, run, sweep
from symlab.runs import local_runner
from symlab.runs.executing import keep
from symlab.runs.store import Identity, Store

ALL = ["1-xchgb", "1-read", "2-xchgb", "2-read", "3-xchgb", "3-read"]


def swept(lab: Lab, **more) -> pd.DataFrame:
    return sweep(lab.config, out=lab.out, jobs=2, simulator=lab.simulator, **more)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "runs").iterdir())


def test_a_sweep_gives_one_row_per_run_in_grid_order_with_units(lab):
    frame = swept(lab)
    assert [f"{p}-{m}" for p, m in zip(frame.processors, frame.lock, strict=True)] == ALL
    row = frame[(frame.processors == 2) & (frame.lock == "read")].iloc[0]
    assert row.simulated_us == 2008.0
    assert row.instructions == 20
    assert (row.bus_busy_us, row.bus_utilisation) == (5.25, 0.5)
    assert (row.read_transactions, row.locked_read_transactions) == (4, 2)
    assert (row.executing_us, row.halted_us) == (2 * 2001.0, 14.0)
    assert (row.user_us, row.spin_us) == (6.0, 2 * 2005.0)
    assert row.elapsed_us == 2001.0
    assert row.increments == 1000
    assert row.status == "finished"
    assert (lab.out / "runs" / row.run / "summary.json").exists()
    assert row.slowdown == pytest.approx(row.cpu_s / (row.simulated_us / 1e6))


def test_the_files_of_a_sweep_exist_and_host_columns_are_in_a_separate_file(lab):
    swept(lab)
    found = sorted(p.name for p in lab.out.iterdir() if p.is_file() and p.name[0] != ".")
    assert found == [
        "tiny-claims.json",
        "tiny-claims.md",
        "tiny-host.csv",
        "tiny.csv",
        "tiny.png",
        "tiny.svg",
    ]
    header = (lab.out / "tiny.csv").read_text().splitlines()[0].split(",")
    assert header[:3] == ["processors", "lock", "increments"]
    assert header[-1] == "status"
    assert not {"run", "cpu_s", "wall_s", "slowdown"} & set(header)
    host = (lab.out / "tiny-host.csv").read_text().splitlines()[0]
    assert host == "processors,lock,status,run,cpu_s,wall_s,peak_rss_mb,mips,slowdown"


def test_results_do_not_depend_on_the_folder_or_the_number_of_jobs(lab):
    swept(lab)
    again = lab.folder / "elsewhere" / "again"
    sweep(lab.config, out=again, jobs=1, simulator=lab.simulator)
    for name in ("tiny.csv", "tiny.svg", "tiny.png", "tiny-claims.json", "tiny-claims.md"):
        assert (again / name).read_bytes() == (lab.out / name).read_bytes(), name
    assert b"date" not in (lab.out / "tiny.svg").read_bytes()


def test_finished_runs_are_kept(lab):
    first = swept(lab)
    again = swept(lab)
    assert sorted(lab.events("start")) == sorted(ALL)
    pd.testing.assert_frame_equal(first, again)


def test_finished_runs_of_a_neighbouring_sweep_are_reused(lab):
    first = swept(lab)
    again = lab.out.with_name("again")
    lab.config.write_text(lab.config.read_text().replace("[1, 2, 3]", "[2, 3, 4]"))
    frame = sweep(lab.config, out=again, jobs=1, simulator=lab.simulator)
    assert sorted(lab.events("start")) == sorted([*ALL, "4-xchgb", "4-read"])
    pd.testing.assert_frame_equal(first[2:].reset_index(drop=True), frame[:4])
    # A reused run remains when the other sweep's folder is removed, and is like any other run.
    shutil.rmtree(lab.out)
    pd.testing.assert_frame_equal(sweep(lab.config, out=again, simulator=lab.simulator), frame)
    assert len(lab.events("start")) == 8


def test_unfinished_runs_of_a_neighbouring_sweep_are_not_reused(lab):
    frame = swept(lab)
    damaged, failed = (lab.out / "runs" / name for name in frame.run[:2])
    (damaged / "summary.json").write_text('{"simulated_us": 1')
    failed.rename(failed.with_name(failed.name + ".failed"))
    sweep(lab.config, out=lab.out.with_name("again"), simulator=lab.simulator)
    assert sorted(lab.events("start")[6:]) == ["1-read", "1-xchgb"]


def test_long_points_start_first(lab):
    sweep(lab.config, out=lab.out, jobs=1, simulator=lab.simulator)
    assert lab.events("start") == ["3-xchgb", "3-read", "2-xchgb", "2-read", "1-xchgb", "1-read"]


def test_a_killed_sweep_resumes_without_repeating_or_losing_a_finished_run(lab):
    gates = [lab.hold("1-read"), lab.hold("1-xchgb")]
    process = lab.start("--jobs", "2")
    wait_until(lambda: len(lab.events("start")) == 6)
    wait_until(lambda: len([n for n in names(lab.out) if "." not in n]) == 4)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(alive(pid) for pid in lab.pids()))
    assert len([n for n in names(lab.out) if n.endswith(".partial")]) == 2
    stamps = {n: (lab.out / "runs" / n).stat().st_mtime_ns for n in names(lab.out) if "." not in n}
    for gate in gates:
        gate.unlink()

    code, output = lab.call("--jobs", "2")
    assert code == 0, output
    assert "6 points: 4 kept, 2 to do" in output
    assert "2 interrupted (processors=1 lock=xchgb, and 1 more)" in output
    assert sorted(lab.events("finish")) == sorted(ALL)
    assert lab.events("start")[6:] in (["1-xchgb", "1-read"], ["1-read", "1-xchgb"])
    assert all((lab.out / "runs" / n).stat().st_mtime_ns == t for n, t in stamps.items())
    assert len(names(lab.out)) == 6
    assert not any("." in name for name in names(lab.out))
    table = pd.read_csv(lab.out / "tiny.csv")
    assert list(table.status) == ["finished"] * 6


def test_partial_runs_of_points_no_longer_swept_are_removed_too(lab):
    left = lab.out / "runs" / "0123456789abcdef0123.partial"
    left.mkdir(parents=True)
    (left / "bus.csv").write_text("half")
    swept(lab)
    assert not left.exists()


def test_ctrl_c_stops_the_runs_and_prints_how_to_resume(lab):
    lab.hold("3-xchgb")
    process = lab.start("--jobs", "1")
    wait_until(lambda: lab.events("start") == ["3-xchgb"])
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "To continue: symlab sweep" in output
    assert not any(alive(pid) for pid in lab.pids())
    assert lab.events("start") == ["3-xchgb"]


def test_a_second_sweep_into_the_same_folder_is_refused(lab, monkeypatch):
    monkeypatch.setattr("symlab.runs.store.LOCK_PATIENCE_S", 0.1)
    with Store(lab.out).locked(), pytest.raises(UserError, match=f"process {os.getpid()} is"):
        swept(lab)
    assert len(swept(lab)) == 6


def test_a_failed_run_keeps_its_status_loses_no_other_and_is_tried_again(lab):
    lab.fail(_2_read=3, _3_xchgb=5)
    code, output = lab.call()
    assert code == 1
    assert "2 of 6 runs failed" in output
    assert "processors=2 lock=read: guest-failure" in output
    assert "failure of 2-read" in output
    table = pd.read_csv(lab.out / "tiny.csv")
    assert list(table.status) == [
        "finished",
        "finished",
        "finished",
        "guest-failure",
        "time-limit",
        "finished",
    ]
    assert table.elapsed_us.isna().sum() == 2
    assert table.instructions.isna().sum() == 2
    assert "20.0" not in (lab.out / "tiny.csv").read_text()  # counts stay integers
    assert len([n for n in names(lab.out) if n.endswith(".failed")]) == 2

    lab.fail(_2_read=3)
    code, output = lab.call()
    assert code == 1
    assert "1 previous failed: guest-failure (processors=2 lock=read)" in output
    assert "1 previous failed: time-limit (processors=" in output
    assert len(lab.events("start")) == 8
    lab.fail()
    assert lab.call()[0] == 0
    assert len(names(lab.out)) == 6
    assert not any("." in name for name in names(lab.out))


def without_progress(output: str) -> list[str]:
    """Its lines but those of how far the planning is, which a slow host shows."""
    return [line for line in output.splitlines() if not line.startswith("planning: ")]


def test_a_dry_run_says_what_would_be_run_and_changes_nothing(lab):
    code, output = lab.call("--dry-run", "--set", "machine.processors=1..2")
    assert (code, lab.out.exists()) == (0, False)
    assert without_progress(output) == [
        "4 points: 0 kept, 4 to do; time unknown until the first run has ended",
        *(f"would run processors={p} lock={lock}" for p in (1, 2) for lock in ("xchgb", "read")),
    ]
    lab.fail(_2_read=3)
    lab.call("--set", "machine.processors=1..2")
    left = lab.out / "runs" / "abc.partial"
    left.mkdir()
    before = sorted(lab.out.rglob("*")), len(lab.events("start"))
    code, output = lab.call("--dry-run", "--set", "machine.processors=1..20")
    first, *reasons = [line for line in without_progress(output) if "would run" not in line]
    assert first.startswith("40 points: 3 kept, 37 to do; about 0:0")
    assert "1 previous failed: guest-failure (processors=2 lock=read)" in reasons[0]
    assert reasons[1:] == ["  36 new (processors=3 lock=xchgb, and 35 more)", "and 17 more"]
    assert (sorted(lab.out.rglob("*")), len(lab.events("start"))) == before
    assert lab.call("--dry-run", "--set", "machine.processors=65")[0] == 2


def test_points_that_the_simulator_rejects_are_named_before_the_others_run(lab):
    code, output = lab.call("--set", "machine.processors=[64,65,66]")
    assert code == 1
    assert "6 points: 0 kept, 2 to do, 4 invalid" in output
    assert "4 invalid: machine.processors: 1 to 64 (processors=65 lock=xchgb, and 3 more)" in output


def test_a_run_killed_by_a_signal_is_a_failure_with_its_name(lab):
    gate = lab.hold("3-read")
    process = lab.start("--jobs", "1")
    wait_until(lambda: "3-read" in lab.events("start"))
    os.kill(lab.pids()[-1], signal.SIGSEGV)
    output, _ = process.communicate(timeout=PATIENCE_S)
    gate.unlink()
    assert process.returncode == 1
    assert "killed-SIGSEGV" in output


def test_a_changed_key_is_named_as_the_reason_and_the_old_run_stays(lab):
    lab.call()
    code, output = lab.call("--set", "guest.args.increments=50")
    assert code == 0
    assert "6 changed: config guest.args.increments 1000 -> 50" in output
    assert len(names(lab.out)) == 12
    assert "6 points: 6 kept, 0 to do" in lab.call()[1]
    assert len(lab.events("start")) == 12


def test_a_changed_simulator_or_image_is_named_as_the_reason(lab):
    image = lab.folder / "counter-read.elf"
    image.write_bytes(b"one")
    lab.call()
    image.write_bytes(b"two")
    assert "3 changed: guest image" in lab.call()[1]
    lab.simulator.write_text(lab.simulator.read_text() + "# another build\n")
    assert "6 changed: simulator" in lab.call()[1]


def test_another_standard_input_is_another_run(lab):
    text = lab.config.read_text().replace("[guest]\n", '[guest]\nstdin = "input"\n')
    lab.config.write_text(text)
    (lab.folder / "input").write_text("one")
    assert lab.call()[0] == 0
    assert "6 points: 6 kept, 0 to do" in lab.call()[1]
    (lab.folder / "input").write_text("two")
    assert "6 changed: contents of guest.stdin" in lab.call()[1]
    assert len(names(lab.out)) == 12


def test_other_files_of_the_guest_are_another_run_and_its_own_are_kept(lab):
    given = 'files = "/data=data /in=input"'
    text = lab.config.read_text().replace("[guest]\n", f"[guest]\n{given}\n")
    lab.config.write_text(text)
    (lab.folder / "data").mkdir()
    (lab.folder / "data" / "deep").write_text("one")
    (lab.folder / "input").write_text("one")
    assert lab.call()[0] == 0
    assert "6 points: 6 kept, 0 to do" in lab.call()[1]
    other = lab.out.with_name("other")
    again = ["sweep", str(lab.config), "--out", str(other), "--simulator", str(lab.simulator)]
    assert lab.symlab(*again)[0] == 0
    assert len(lab.events("start")) == 6  # the others' files are linked
    for run in [*(lab.out / "runs").iterdir(), *(other / "runs").iterdir()]:
        assert (run / "files" / "tmp" / "made").read_text() == "by the guest"
    (lab.folder / "data" / "deep").write_text("two")
    assert "6 changed: contents of guest.files" in lab.call()[1]


def test_the_name_of_a_run_does_not_depend_on_the_sweep_or_figure_tables(lab):
    swept(lab)
    text = lab.config.read_text().replace("[1, 2, 3]", "[1, 2, 3, 4]").replace("all-4.1", "other")
    lab.config.write_text(text)
    assert len(swept(lab)) == 8
    assert sorted(lab.events("start")) == sorted([*ALL, "4-xchgb", "4-read"])


def test_a_damaged_run_is_run_again(lab):
    frame = swept(lab)
    (lab.out / "runs" / frame.run[0] / "summary.json").write_text('{"simulated_us": 1')
    code, output = lab.call()
    assert code == 0
    assert "1 damaged" in output
    assert lab.events("start")[6:] == ["1-xchgb"]


def test_an_invalid_point_becomes_a_row_and_a_sweep_of_only_these_is_an_error(lab):
    frame = swept(lab, settings={"machine.processors": [1, 65]})
    assert list(frame.status) == ["finished", "finished", "user-error", "user-error"]
    with pytest.raises(UserError, match="1 to 64"):
        swept(lab, settings={"machine.processors": 65})
    with pytest.raises(UserError, match="unknown key run"):
        swept(lab, settings={"run.sed": 1})


def test_a_simulator_killed_while_the_sweep_is_planned_becomes_a_row_and_is_asked_again(lab):
    first = 'if "--print-config" in args:\n'
    dies = '    if (here / f"kill-{processors}").exists():\n        os.kill(os.getpid(), 9)\n'
    lab.simulator.write_text(lab.simulator.read_text().replace(first, first + dies))
    (lab.folder / "kill-2").touch()
    code, output = lab.call()
    assert code == 1
    assert "processors=2 lock=read: killed-SIGKILL\n" in output
    assert "was asked for --print-config: killed-SIGKILL" in output
    statuses = ["finished"] * 2 + ["killed-SIGKILL"] * 2 + ["finished"] * 2
    assert list(pd.read_csv(lab.out / "tiny.csv").status) == statuses
    code, output = lab.call("--set", "machine.processors=2")
    assert (code, output.count("\n")) == (1, 1), "no point is known; that is nobody's mistake"
    assert "killed-SIGKILL" in output
    (lab.folder / "kill-2").unlink()
    assert list(swept(lab).status) == ["finished"] * 6
    assert len(lab.events("start")) == 6


def test_a_full_disk_loses_only_the_affected_run(lab, monkeypatch):
    rename = Path.rename
    failed = []

    def full_once(self, target):
        if self.suffix == ".partial" and not failed:
            failed.append(self)
            raise OSError(errno.ENOSPC, "No space left on device", str(self))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", full_once)
    frame = swept(lab)
    assert sorted(frame.status) == ["finished"] * 5 + ["output-error"]
    assert list(swept(lab).status) == ["finished"] * 6
    assert len(lab.events("start")) == 7


def test_a_sweep_with_a_run_that_could_not_be_written_ends_with_6(lab):
    lab.fail(_2_read=6, _3_read=3)
    code, output = lab.call()
    assert code == 6, "a full disk is not a failed guest: the next sweep may have room"
    assert "processors=2 lock=read: output-error" in output
    lab.fail(_3_read=3)
    assert lab.call()[0] == 1


def test_a_table_that_cannot_be_written_is_an_error_and_the_runs_stay(lab):
    (lab.out / "tiny.csv").mkdir(parents=True)
    with pytest.raises(OutputError, match=r"tiny\.csv: cannot be written"):
        swept(lab)
    assert len(names(lab.out)) == 6
    assert (lab.out / "tiny.svg").exists()
    assert lab.call()[0] == 6


def test_an_output_folder_that_is_a_file_is_an_error(lab):
    lab.out.write_text("")
    code, output = lab.call()
    assert code == 6
    assert "cannot be written" in output


def test_a_run_that_leaves_no_summary_is_not_finished(lab):
    lab.simulator.write_text(
        lab.simulator.read_text().replace('(out / "summary.json")', '(out / "other.json")')
    )
    assert set(swept(lab).status) == {"output-error"}


def test_an_image_rebuilt_during_the_sweep_is_noticed(lab):
    (lab.folder / "counter-read").write_bytes(b"image")
    lab.simulator.write_text(lab.simulator.read_text().replace('"sha256": None', '"sha256": "0"'))
    frame = swept(lab)
    assert set(frame.status[frame.lock == "read"]) == {"image-changed"}
    assert set(frame.status[frame.lock == "xchgb"]) == {"finished"}


def test_a_config_edited_during_the_sweep_is_noticed(lab):
    edits = "config.write_text(pathlib.Path(config).read_text().replace('1000', '50'))"
    lab.simulator.write_text(
        lab.simulator.read_text().replace(
            'log("start")', f'log("start"); config = pathlib.Path(config); {edits}'
        )
    )
    frame = sweep(lab.config, out=lab.out, jobs=1, simulator=lab.simulator)
    assert list(frame.status).count("finished") == 1
    assert list(frame.status).count("config-changed") == 5


def test_a_simulator_rebuilt_during_the_sweep_is_noticed(lab):
    lab.simulator.write_text(
        lab.simulator.read_text().replace(
            'log("start")', 'log("start"); os.utime(__file__, (1, 1))'
        )
    )
    assert set(swept(lab).status) == {"simulator-changed"}


def test_a_missing_simulator_is_named(lab):
    with pytest.raises(UserError, match=r"no simulator at .*nowhere"):
        sweep(lab.config, out=lab.out, simulator="nowhere")


def test_the_default_folder_is_results_and_the_stem(lab):
    sweep(lab.config, simulator=lab.simulator, settings={"machine.processors": 1})
    assert (lab.folder / "results" / "tiny" / "tiny.csv").exists()


def test_run_returns_the_summary_or_raises_with_status_and_message(lab):
    (lab.folder / "one").mkdir()
    summary = run(
        lab.config,
        settings={"machine.processors": 2},
        out=lab.folder / "one",
        simulator=lab.simulator,
    )
    assert summary["guest"]["results"]["elapsed_us"] == 2001.0
    lab.fail(_1_xchgb=4)
    with pytest.raises(RunFailed, match="failure of 1-xchgb") as caught:
        run(lab.config, out=lab.folder / "one", simulator=lab.simulator)
    assert (caught.value.exit_code, caught.value.status) == (4, "deadlock")


def test_a_record_contains_everything_that_determines_the_run(lab):
    frame = swept(lab)
    record = json.loads((lab.out / "runs" / frame.run[0] / "point.json").read_text())
    assert record["coordinates"] == {"machine.processors": 1, "guest.args.lock": "xchgb"}
    assert record["identity"]["config"]["guest.args.increments"] == 1000
    assert len(record["identity"]["simulator_sha256"]) == 64


def test_the_name_of_a_run_is_the_hash_of_its_whole_record_and_is_computed_once(lab, monkeypatch):
    frame = swept(lab)
    record = json.loads((lab.out / "runs" / frame.run[0] / "point.json").read_text())
    text = json.dumps(record["identity"], sort_keys=True, separators=(",", ":"))
    assert frame.run[0] == hashlib.sha256(text.encode()).hexdigest()[:20]
    identity = Identity(**record["identity"])
    assert identity.name == frame.run[0]
    monkeypatch.setattr(hashlib, "sha256", None)  # a sweep asks for it a dozen times for each run
    assert identity.name == frame.run[0]


def test_the_next_run_is_made_while_the_files_of_the_last_one_are_kept(lab, monkeypatch):
    kept = []

    def slow_keep(task, ended, store, spoilt):
        if not kept:  # a slow disk
            wait_until(lambda: len(lab.events("start")) == 2)
        kept.append(task.name)
        return keep(task, ended, store, spoilt)

    monkeypatch.setattr(local_runner, "keep", slow_keep)
    frame = sweep(lab.config, out=lab.out, jobs=1, simulator=lab.simulator)
    assert list(frame.status) == ["finished"] * 6 and len(kept) == 6


def test_no_more_simulators_than_jobs_run_at_a_time(lab):
    held = [lab.hold(name) for name in ALL]
    sweeping = lab.start("--jobs", "2")
    wait_until(lambda: len(lab.events("start")) == 2)
    time.sleep(0.5)
    assert len(lab.events("start")) == 2
    for file in held:
        file.unlink()
    assert sweeping.wait(PATIENCE_S) == 0 and len(lab.events("finish")) == 6
