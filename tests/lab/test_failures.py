# SPDX-License-Identifier: MIT
"""What is said of failed runs: the cause in a line, and the curves that they are missing from."""

import json
from pathlib import Path

import pandas as pd
import pytest
from conftest import Lab
from symlab import sweep
from symlab.runs.failures import axes_without_effect, cause, failed_series
from symlab.runs.store import Store
from symlab.runs.sweeping import Order, run_sweep

DIVIDE = """\
symsim: warning: observe.vcd writes 100 MB a second
symsim: guest-failure: processor 0 at main+0x22, div.c:2 (505.5 us): unhandled divide error
  the guest has no interrupt table (lidt), so no handler could take it
"""


def test_the_cause_is_what_was_said_first_without_the_advice() -> None:
    assert cause("guest-failure", DIVIDE, None) == (
        "processor 0 at main+0x22, div.c:2 (505.5 us): unhandled divide error"
    )
    assert cause("user-error", "symsim: a.toml:1: wrong\n  do this", None) == "a.toml:1: wrong"
    assert cause("abort", "symsim: warning: only this\n", None) == "warning: only this"


def test_the_cause_of_a_silent_failure_is_the_last_line_of_the_console(tmp_path: Path) -> None:
    assert cause("guest-exit", "", tmp_path) == ""
    (tmp_path / "console.txt").write_text("line one\nthe table is full\n\n")
    assert cause("guest-exit", "", tmp_path) == "the guest printed last: the table is full"


def simulated(lab: Lab, code: str) -> None:
    """Makes the run 2-read of the fake simulator end with this code."""
    text = lab.simulator.read_text()
    lab.simulator.write_text(text.replace("if code:\n", f"if code:\n{code}\n"))
    lab.fail(_2_read=1)


def test_a_sweep_and_status_show_the_first_line_of_a_failure(lab: Lab) -> None:
    simulated(lab, '    sys.exit("symsim: guest-exit: at main\\n  advice")')
    code, output = lab.call()
    assert code == 1
    assert "\n    at main\n" in output
    assert "advice" not in output
    output = lab.symlab("status", str(lab.out))[1]
    assert "failed processors=2 lock=read: guest-exit: at main\n" in output


def test_a_sweep_and_status_show_the_last_line_of_the_console(lab: Lab) -> None:
    simulated(lab, '    (out / "console.txt").write_text("one\\nfull\\n"); sys.exit(1)')
    assert "\n    the guest printed last: full\n" in lab.call()[1]
    output = lab.symlab("status", str(lab.out))[1]
    assert "failed processors=2 lock=read: guest-exit: the guest printed last: full\n" in output


def test_status_of_a_failure_without_a_message(lab: Lab) -> None:
    simulated(lab, "    sys.exit(1)")
    lab.call()
    output = lab.symlab("status", str(lab.out))[1]
    assert "failed processors=2 lock=read: guest-exit\n" in output
    for run in (lab.out / "runs").glob("*.failed"):
        (run / "point.json").write_text("{")
    code, output = lab.symlab("status", str(lab.out))
    assert code == 0
    assert ": its point.json cannot be read" in output


def test_a_failed_curve_is_named_with_its_statuses() -> None:
    runs = pd.DataFrame(
        [(p, lock, "finished") for p in (1, 2) for lock in ("read", "mcs", "clh")],
        columns=["processors", "lock", "status"],
    )
    assert failed_series(runs, ["lock"]) == []
    runs.loc[runs["lock"] == "mcs", "status"] = "deadlock"
    runs.loc[(runs["lock"] == "clh") & (runs["processors"] == 2), "status"] = "time-limit"
    mcs, clh = failed_series(runs, ["lock"])
    assert (mcs.label, mcs.vanished) == ("mcs (failed: deadlock)", True)
    assert (clh.label, clh.vanished) == ("clh (1 of 2 failed: time-limit)", False)


def test_a_sweep_says_of_which_curve_no_run_finished(lab: Lab) -> None:
    lab.fail(_1_read=4, _2_read=4, _3_read=5)
    code, output = lab.call()
    assert code == 1
    assert "no run of this curve finished: read (failed: deadlock, time-limit)" in output


def test_an_axis_without_effect_is_named(lab: Lab) -> None:
    result = run_sweep(Order(lab.config, lab.out, simulator=lab.simulator))
    (note,) = result.notes  # the fake simulator's numbers depend on the processors only
    assert note.startswith("guest.args.lock: no number of any run depends on it")
    code, output = lab.call("--set", "guest.args.lock=read")
    assert (code, "depends on it" in output) == (0, False)


def test_an_axis_has_an_effect_if_one_number_differs_anywhere() -> None:
    runs = pd.DataFrame(
        {"p": [1, 1, 2, 2], "q": [1, 2, 1, 2], "x_us": [5, 5, 6, 6], "status": ["finished"] * 4}
    )
    assert axes_without_effect(runs, ["p", "q"]) == ["q"]
    runs.loc[3, "x_us"] = 7
    assert axes_without_effect(runs, ["p", "q"]) == []
    assert axes_without_effect(runs.assign(status="deadlock"), ["p", "q"]) == []


def test_a_figure_that_symlab_does_not_have_is_named(lab: Lab) -> None:
    lab.config.write_text(lab.config.read_text().replace("all-4.1", "all-4.l"))
    assert "figure.name all-4.l: symlab has no such figure" in lab.call()[1]


def test_status_of_a_first_sweep_that_has_not_ended(lab: Lab) -> None:
    sweep(lab.config, out=lab.out, simulator=lab.simulator)
    for table in lab.out.glob("tiny*"):
        table.unlink()
    output = lab.symlab("status", str(lab.out))[1]
    assert "6 finished, 0.0 MB\n" in output
    assert "no sweep has ended here yet" in output
    assert "last sweep" not in output
    with Store(lab.out).locked():
        output = lab.symlab("status", str(lab.out))[1]
    assert "6 finished, 0.0 MB\n" in output
    assert "ended" not in output


@pytest.mark.parametrize("text", ["[", "[]", '{"schema_version": 1}', '{"schema_version": 9}'])
def test_a_record_that_cannot_be_read_is_a_damaged_run(text: str, lab: Lab) -> None:
    sweep(lab.config, out=lab.out, simulator=lab.simulator)
    run = next((lab.out / "runs").iterdir())
    record = json.loads((run / "point.json").read_text())
    (run / "point.json").write_text(text)
    assert "1 damaged" in lab.call()[1]
    assert json.loads((run / "point.json").read_text()) == record


def test_the_only_run_of_a_curve_gives_it_its_name() -> None:
    one = pd.DataFrame({"lock": ["mcs"], "processors": [1], "status": ["deadlock"]})
    assert [curve.name for curve in failed_series(one, ["lock"])] == ["mcs"]
    assert [curve.name for curve in failed_series(one, [])] == [""]
