# SPDX-License-Identifier: MIT
"""A misspelt argument of a program ends a run, a sweep and a check, unless the user insists."""

import json
import os
from pathlib import Path

import pytest
from symlab import UserError, compare, run, sweep
from symlab.cli import app
from symlab.places import CONFIGS
from symlab.runs.executing import Outcome
from symlab.runs.grid import Point
from symlab.runs.plan import Reason, Task
from symlab.runs.store import Identity
from symlab.runs.unused import Arguments
from typer.testing import CliRunner

needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)
MEANT = r"guest\.args\.incremets: the program never asks for it; did you mean increments\?"
CONFIG = f"""
base = "{CONFIGS / "machines/symmetry-a.toml"}"
guest.image = "counter-read"
guest.args.increments = 100
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(CONFIG)
    return tmp_path


@needs_simulator
def test_the_first_run_ends_the_sweep_and_the_second_sweep_makes_none(folder):
    settings = {"guest.args.incremets": 5, "guest.args.increments": 100}
    with pytest.raises(UserError, match=MEANT):
        compare("counter", lock=["read", "mcs"], processors=["1..8"], settings=settings, jobs=1)
    finished = [one for one in Path("results/counter-read/runs").iterdir() if "." not in one.name]
    assert len(finished) == 1, "what is measured is right, and is kept"
    with pytest.raises(UserError, match=MEANT):
        compare("counter", lock=["read", "mcs"], processors=["1..8"], settings=settings, jobs=1)
    assert len(list(Path("results/counter-read/runs").iterdir())) == 1
    frame = compare("counter", processors=[1], settings=settings, strict=False)
    assert list(frame.status) == ["finished"] and list(frame.incremets) == [5]


@needs_simulator
def test_a_run_and_a_sweep_from_python_are_strict(folder):
    wrong = {"guest.args.incremets": 5}
    with pytest.raises(UserError, match=MEANT):
        run("mine.toml", settings=wrong)
    assert run("mine.toml", settings=wrong, strict=False)["guest"]["results"]["increments"] == 100
    with pytest.raises(UserError, match=MEANT):
        sweep("mine.toml", settings={**wrong, "machine.processors": "1..2"})
    assert run("mine.toml", settings={"guest.args.lock": "read"})["status"] == "finished"


@needs_simulator
def test_the_commands_are_strict_unless_the_user_insists(folder):
    words = ["sweep", "mine.toml", "--set", "machine.processors=1..2"]
    words += ["--set", "guest.args.incremets=5"]
    for command in (words, ["compare", "counter", "-p", "1", "-a", "incremets=5"]):
        refused = CliRunner().invoke(app, command)
        assert isinstance(refused.exception, UserError), refused.output
        assert "--no-strict" in str(refused.exception)
    insisted = CliRunner().invoke(app, [*words, "--no-strict"])
    assert insisted.exit_code == 0, insisted.output
    assert "warning: guest.args.incremets: the program never asks for it" in insisted.output


@needs_simulator
def test_a_config_may_have_arguments_for_those_that_inherit_from_it(folder):
    (folder / "mine.toml").write_text(CONFIG + "guest.args.work_us = 300\n")
    assert run("mine.toml")["status"] == "finished"
    with pytest.raises(UserError, match=r"work_us: the program never asks for it; .* increments, "):
        run("mine.toml", settings={"guest.args.work_us": 301})
    frame = sweep("mine.toml", settings={"machine.processors": "1..2"})
    assert list(frame.work_us) == [300, 300]
    (folder / "mine.toml").write_text(CONFIG + "guest.args.incremets = 300\n")
    with pytest.raises(UserError, match=MEANT):
        run("mine.toml")


def test_a_misspelt_lock_of_a_sweep_makes_no_run_and_is_told_what_is_meant(lab):
    overrides = {"guest.args.lock": ["read", "raed"], "machine.processors": [1]}
    frame = sweep(lab.config, out=lab.out, simulator=lab.simulator, settings=overrides)
    assert list(frame.status) == ["finished", "user-error"]
    assert lab.events("start") == ["1-read"]
    with pytest.raises(
        UserError, match=r"guest\.args\.lock: there is no lock raed; did you mean read"
    ):
        sweep(
            lab.config, out=lab.out, simulator=lab.simulator, settings={"guest.args.lock": "raed"}
        )
    own = {"guest.args.lock": "my-own", "machine.processors": [1]}
    assert list(sweep(lab.config, simulator=lab.simulator, settings=own).status) == ["finished"]


def ended(folder: Path, image: str, **arguments: str) -> tuple[Task, Outcome]:
    """A finished run whose program asked only for `size`."""
    place = folder / f"{image}-{len(list(folder.iterdir()))}"
    place.mkdir()
    hint = "did you mean size?"
    unused = [{"name": name, "hint": hint} for name in arguments if name != "size"]
    (place / "summary.json").write_text(json.dumps({"guest": {"unused_arguments": unused}}))
    config = {"guest.image": image} | {f"guest.args.{k}": v for k, v in arguments.items()}
    task = Task(Point({}, {}), Identity(config, "sha", "sha"), Reason.NEW)
    return task, Outcome("finished", folder=place)


def test_an_argument_of_one_program_of_the_sweep_is_no_mistake(tmp_path):
    small = ended(tmp_path, "small", size="1", depth="2")
    deep_task, deep_end = ended(tmp_path, "deep", size="1", depth="2")
    (deep_end.folder / "summary.json").write_text('{"guest": {}}')
    arguments = Arguments([small[0], deep_task], strict=True)
    arguments.ended(*small)  # not known yet: no run of the other program has ended
    arguments.ended(deep_task, deep_end)
    assert arguments.unused == []


def test_a_program_is_one_with_each_of_its_locks(tmp_path):
    one = ended(tmp_path, "counter-{lock}", size="1", lock="read", sise="1")
    other = ended(tmp_path, "counter-{lock}", size="1", lock="mcs", sise="1")
    arguments = Arguments([one[0], other[0]], strict=False)
    arguments.ended(*one)
    assert [unused["name"] for unused in arguments.unused] == ["lock", "sise"]
    two = [ended(tmp_path, "{program}", program=name, sise="1") for name in ("a", "b")]
    arguments = Arguments([task for task, _ in two], strict=False)
    arguments.ended(*two[0])
    assert arguments.unused == []
    arguments.ended(*two[1])
    assert "sise" in [unused["name"] for unused in arguments.unused]


def test_a_run_that_failed_shows_nothing(tmp_path):
    task, end = ended(tmp_path, "a", sise="1")
    arguments = Arguments([task], strict=True)
    arguments.ended(task, Outcome("deadlock", folder=end.folder))
    assert arguments.unused == []
    with pytest.raises(UserError, match="sise"):
        arguments.ended(task, end)
