# SPDX-License-Identifier: MIT
"""The page with the story of a preempted holder quotes the run of its config."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from pftrace import read_trace
from transaction_run import BINARY, ROOT

PAGE = ROOT / "docs/how-to/preempted-holder.md"
CONFIG = "configs/preempted-holder.toml"
PS_PER_US = 1e6

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def run(out: Path, *settings: str) -> Path:
    command = [str(BINARY), CONFIG, "--quiet", "--out", str(out), *settings]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return out


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("preempted") / "holder")


def rows(first: str) -> list[list[str]]:
    """Cells of the lines of the page's table whose head begins with `first`."""
    table = PAGE.read_text(encoding="utf-8").split(f"\n| {first} |")[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]


def test_each_time_of_the_story_is_a_change_of_that_process_in_the_trace(story):
    trace = read_trace(story / "trace.pftrace")
    waits = [s for s in trace.slices if s.path[-1] == "waits for turns_lock"]
    first = min(waits, key=lambda s: s.start)
    holder = f"process {first.name.removeprefix('process ')}"
    (gone,) = (
        s for s in trace.on(holder) if s.name == "preempted" and set(s.flows) & set(first.end_flows)
    )
    acquired = max(s.end for s in trace.on(holder) if s.name == "acquire" and s.end < gone.start)

    quoted = rows("us")
    assert len(quoted) > 8
    for us, process, *_ in quoted:
        slices = trace.on(f"process {process}")
        changes = {round((s.start - acquired) / PS_PER_US, 1) for s in slices}
        assert float(us) in changes, f"process {process} at {us} us"


def test_the_numbers_of_both_runs_are_those_of_their_summaries(story, tmp_path):
    other = run(tmp_path / "other", "--set", "guest.args.lock=read-no-preempt")
    locks = [
        json.loads((folder / "summary.json").read_text())["locks"][0] for folder in (story, other)
    ]
    keys = ("max_hold_us", "mean_wait_us", "waited_for_preempted_holder_us")
    for (_, *cells), key in zip(rows("In the whole run"), keys, strict=True):
        for cell, lock in zip(cells, locks, strict=True):
            digits = len(cell.partition(".")[2])
            assert cell == f"{lock[key]:.{digits}f}", key


def test_the_page_names_files_and_functions_that_exist():
    text = PAGE.read_text(encoding="utf-8")
    for function, file in re.findall(r"`(\w+)`, `(guest/\S+?)`", text):
        assert function in (ROOT / file).read_text(encoding="utf-8"), (function, file)
