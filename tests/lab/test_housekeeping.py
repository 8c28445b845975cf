# SPDX-License-Identifier: MIT
"""The classification of runs in a sweep's folder, `symlab status` and `symlab gc`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Lab
from symlab import UserError, sweep
from symlab.cli import app
from symlab.results.loading import load
from symlab.runs.housekeeping import collect, inventory
from symlab.runs.simulator import Simulator
from symlab.runs.store import Identity, Store
from typer.testing import CliRunner


def swept(lab: Lab, **more: Any) -> None:
    sweep(lab.config, out=lab.out, jobs=2, simulator=lab.simulator, **more)


def said(command: str, *arguments: str) -> str:
    result = CliRunner().invoke(app, [command, *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def names(runs: list[Path]) -> list[str]:
    return sorted(run.name for run in runs)


@pytest.fixture
def worn(lab):
    """A sweep's folder with runs in every state.

    It has six points, of which one has failed. All points were run before with another number of
    increments; one of these runs is damaged. One more run was interrupted.
    """
    swept(lab)
    (lab.folder / "codes.json").write_text(json.dumps({"2-read": 3}))
    swept(lab, settings={"guest.args.increments": 7})
    store = Store(lab.out)
    store.begin("0123456789abcdef0123")
    damaged = inventory(lab.out).older[0]
    (damaged / "summary.json").write_text("{")
    return lab


def test_runs_are_classified_by_state(worn):
    found = inventory(worn.out)
    assert [len(found.needed), len(found.older), len(found.failed)] == [5, 5, 1]
    assert [len(found.partial), len(found.damaged), found.missing] == [1, 1, []]
    assert found.label(found.failed[0]) == "processors=2 lock=read"
    assert found.holder == ""


def test_status_lists_the_states_and_changes_nothing(worn):
    before = names(list((worn.out / "runs").iterdir()))
    text = said("status", str(worn.out))
    for line in [
        "5 finished, ",
        "5 finished, of no point",
        "1 failed",
        "1 interrupted",
        "1 damaged",
    ]:
        assert line in text
    assert "failed processors=2 lock=read: guest-failure: failure of 2-read" in text
    assert names(list((worn.out / "runs").iterdir())) == before


def test_gc_removes_what_the_last_sweep_does_not_need_and_nothing_else(worn):
    needed = names(inventory(worn.out).needed)
    assert "8 runs" in said("gc", "--dry-run", str(worn.out))
    assert len(list((worn.out / "runs").iterdir())) == 13
    assert "8 runs" in said("gc", str(worn.out))
    assert names(list((worn.out / "runs").iterdir())) == needed
    (worn.folder / "codes.json").unlink()
    (worn.folder / "log").unlink()
    swept(worn, settings={"guest.args.increments": 7})
    assert worn.events("start") == ["2-read"], "what was needed is there"


def test_a_missing_run_is_reported(lab):
    swept(lab)
    run = inventory(lab.out).needed[0]
    run.rename(lab.folder / "elsewhere")
    assert inventory(lab.out).missing == [run.name]
    assert "1 of the last sweep's runs are gone" in said("status", str(lab.out))


def test_nothing_is_removed_while_a_sweep_is_running(worn):
    with Store(worn.out).locked():
        found = inventory(worn.out)
        assert found.holder
        assert f"process {found.holder} is sweeping" in said("status", str(worn.out))
        with pytest.raises(UserError, match="is sweeping into this folder"):
            collect(worn.out)
    assert len(list((worn.out / "runs").iterdir())) == 13


def test_nothing_is_removed_if_no_sweep_has_ended(lab, tmp_path):
    with pytest.raises(UserError, match="has no folder runs"):
        inventory(tmp_path)
    swept(lab)
    for table in lab.out.glob("*-host.csv"):
        table.unlink()
    with pytest.raises(UserError, match="no table that says which runs"):
        collect(lab.out)
    assert len(inventory(lab.out).needed) == 6


def increments_of_a_run_called(form: str, lab: Lab) -> int:
    """A number of increments for which the run on one processor has a name of this form."""
    simulator = Simulator(lab.simulator)
    config = simulator.resolve(lab.config, {})
    for number in range(10**6):
        config["guest.args.increments"] = number
        if re.fullmatch(form, Identity.of(config, None, simulator.sha256).name):
            return number
    raise AssertionError(f"no run has a name of the form {form}")


@pytest.mark.parametrize("form", [r"\d{20}", r"\d+e\d+"])
def test_a_run_whose_name_looks_like_a_number_is_kept(form: str, lab: Lab) -> None:
    number = increments_of_a_run_called(form, lab)
    one = {"machine.processors": [1], "guest.args.lock": ["xchgb"]}
    swept(lab, settings={**one, "guest.args.increments": number})
    (run,) = (lab.out / "runs").iterdir()
    assert re.fullmatch(form, run.name)
    assert names(inventory(lab.out).needed) == [run.name]
    assert list(load(lab.out)["run"]) == [run.name]
    assert collect(lab.out) == {}
    assert run.is_dir()


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("processors,status\n1,finished\n", "there is no column run"),
        (
            "run,status\n1.2345678901234567e+19,finished\n",
            "'1.2345678901234567e[+]19', which is not a",
        ),
    ],
)
def test_nothing_is_removed_if_a_table_does_not_name_its_runs(
    table: str, wrong: str, lab: Lab
) -> None:
    swept(lab)
    (lab.out / "other-host.csv").write_text(table)
    with pytest.raises(UserError, match=f"other-host.csv: .*{wrong}.*; run the sweep again"):
        collect(lab.out)
    assert len(list((lab.out / "runs").iterdir())) == 6
