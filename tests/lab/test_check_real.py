# SPDX-License-Identifier: MIT
"""`symlab check` with the real simulator: locks of the tree pass, broken ones are found, told and
replayed byte for byte."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE_S, alive, wait_until
from distributed import LocalCluster
from symlab.check.elf import Image
from symlab.check.prepare import Order, kind_of, prepare_check
from symlab.errors import UserError
from transaction_run import BINARY

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

# A lock by a load and a store. SECTION: what the litmus of Dekker's algorithm does to be right.
NAIVE = """\
#pragma once
#include "ordering.h"
#include "probes.h"
#include "release.h"
#define LOCK_NAME "naive"
#define LOCK_HAS_TRY 0
struct lock {
    LINE_ALIGNED volatile unsigned word;
};
#define LOCK_INIT {0}
struct lock_slot {
};
static inline void lock_acquire(struct lock* lock, struct lock_slot* slot) {
    (void)slot;
    PROBE(PROBE_LOCK_ATTEMPT, lock);
    while (lock->word) {}
    lock->word = 1;
    PROBE(PROBE_LOCK_ACQUIRED, lock);
}
static inline void lock_release(struct lock* lock, struct lock_slot* slot) {
    (void)slot;
    release_word(lock, &lock->word, 0);
}
"""


def check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symlab", "check", *words, "--out", str(folder / "out")]
    return subprocess.run(
        [*command, "--simulator", str(BINARY)],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip


def summary(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "out" / "check.json").read_text())


@pytest.fixture
def naive(tmp_path: Path) -> Path:
    path = tmp_path / "naive.h"
    path.write_text(NAIVE)
    return path


def test_a_lock_of_the_tree_passes(tmp_path: Path) -> None:
    done = check(tmp_path, "check_lock", "--lock", "xchgb", "-k", "1", "-a", "acquisitions=1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all with at most 1 preemptions" in done.stdout
    found = summary(tmp_path)
    assert found["complete"] and found["violation"] is None
    rows = (tmp_path / "out" / "schedules.csv").read_text().splitlines()
    assert len(rows) - 1 == found["schedules"]
    again = check(tmp_path, "check_lock", "--lock", "xchgb", "-k", "1", "-a", "acquisitions=1")
    assert again.returncode == 0 and summary(tmp_path) == found  # from the journal


def test_a_broken_lock_is_found_told_and_replayed(naive: Path) -> None:
    folder = naive.parent
    done = check(folder, str(naive))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "processors 0 and 1 are in the section of lock at once" in done.stdout
    assert "guest/workloads/check_lock.c:" in done.stdout
    violation = summary(folder)["violation"]
    assert isinstance(violation, dict) and violation["rule"] == "exclusion"
    assert violation["entries"] <= 2
    replay = folder / "out" / "replay.toml"
    subprocess.run([str(BINARY), str(replay), "--out", str(folder / "r"), "--quiet"], cwd=folder)
    for name in ("trace.pftrace", "console.txt"):
        assert (folder / "r" / name).read_bytes() == (folder / "out/replay" / name).read_bytes()


def test_the_answer_is_the_same_for_each_number_of_jobs(naive: Path) -> None:
    answers = []
    for jobs in ("1", "3"):
        check(naive.parent, str(naive), "--jobs", jobs, "--no-stores")
        answers.append(summary(naive.parent))
        (naive.parent / "out" / "journal.jsonl").unlink()
    assert answers[0] == answers[1]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_check_that_is_stopped_leaves_nothing_behind_and_goes_on(
    tmp_path: Path, how: signal.Signals
) -> None:
    command = [sys.executable, "-m", "symlab", "check", "check_lock", "--out", "out", "-k", "3"]
    process = subprocess.Popen(
        [*command, "--simulator", str(BINARY)], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "out" / "journal.jsonl"
    wait_until(lambda: journal.is_file() and len(journal.read_bytes()) > 20_000)
    begun = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and mine(pid, tmp_path)]
    process.send_signal(how)
    _, said = process.communicate(timeout=PATIENCE_S)
    if how == signal.SIGINT:
        assert process.returncode == 130 and "To continue: symlab check" in said
    wait_until(lambda: not any(map(alive, begun)))
    assert len(begun) >= 2
    kept = len(journal.read_text().splitlines()) - 2
    done = check(tmp_path, "check_lock", "-k", "3", "--minutes", "0.001")
    assert done.returncode == 0 and "the time is over" in done.stdout
    assert summary(tmp_path)["schedules"] >= kept


def mine(pid: str, folder: Path) -> bool:
    """Whether the process works in `folder`."""
    try:
        return Path(f"/proc/{pid}/cwd").resolve() == folder
    except OSError:
        return False


def test_a_cluster_gives_the_same_answer(naive: Path) -> None:
    words = ("check_lock", "--lock", "xchgb", "-k", "1", "-a", "acquisitions=1")
    assert check(naive.parent, *words).returncode == 0
    here = summary(naive.parent)
    (naive.parent / "out" / "journal.jsonl").unlink()
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=naive.parent
    ) as cluster:
        address = cluster.scheduler_address
        done = check(naive.parent, *words, "--scheduler", address)
        assert done.returncode == 0, done.stderr
        assert summary(naive.parent) == here
        assert check(naive.parent, str(naive), "--scheduler", address).returncode == 1


def test_a_random_search_states_its_probability(naive: Path) -> None:
    words = ("--search", "random", "--depth", "3", "-a", "acquisitions=1", "--schedules")
    done = check(naive.parent, str(naive), *words, "2000")
    assert done.returncode == 1
    found = summary(naive.parent)
    assert 0 < found["probability_per_run"] < 0.01
    done = check(naive.parent, "check_lock", *words, "20")
    assert done.returncode == 0 and "1/(n*k^(d-1))" in done.stdout


AN_AXIS: Any = {"cache.ways": [1, 2]}  # whose type is wrong, too


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (Order("no_such_program"), "there is no workload no_such_program"),
        (Order("missing.h"), "no such file"),
        (Order("missing.toml"), "no such file"),
        (Order("check_lock", preemptions=-1), "at least 0"),
        (Order("check_lock", settings=AN_AXIS), "no axes"),
        (Order("check_lock", settings={"cache.colour": 1}), "cache.colour"),
        (Order("check_lock", {"lock": "colour"}), "there is no lock colour"),
    ],
)
def test_mistakes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: Order, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=said):
        prepare_check(replace(order, out=tmp_path / "out", simulator=Path(BINARY)))


def test_a_program_that_ends_too_early_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    done = check(tmp_path, "check_lock", "-a", "acquisitions=0")
    assert done.returncode == 2 and "acquisitions must be at least 1" in done.stderr
    done = check(tmp_path, "check_lock", "--ignore", "colour")
    assert done.returncode == 2 and "no such rule" in done.stderr


def test_a_header_says_what_it_is(tmp_path: Path) -> None:
    for kind in ("lock", "barrier", "strategy"):
        header = tmp_path / f"{kind}.h"
        header.write_text(f'#define {kind.upper()}_NAME "mine"\n')
        assert kind_of(header) == kind
    (tmp_path / "other.h").write_text("")
    with pytest.raises(UserError, match="--lock"):
        kind_of(tmp_path / "other.h")


def test_an_image_has_names_lines_and_what_is_checked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    order = Order("check_lock", {"lock": "mcs"}, out=out, simulator=Path(BINARY))
    image = prepare_check(order).image
    (guarded,) = image.guarded
    (objects,) = image.objects
    assert image.name(guarded.begin) == "section" and image.name(guarded.lock) == "lock"
    assert image.name(guarded.begin + 4) == "section+0x4"
    assert (
        image.name(objects.begin) == "slots" and (objects.end - objects.begin) % objects.size == 0
    )
    assert image.name(0xF0000000) == "0xf0000000"
    begin = next(b for b, _, name in image._symbols if name == "main")
    assert "guest/workloads/check_lock.c:" in image.lines([begin])[begin][0]
    with pytest.raises(UserError, match="guest image"):
        Image(Path(__file__))
