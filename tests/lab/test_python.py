# SPDX-License-Identifier: MIT
"""symlab from Python: `run()` with its Run, and the progress bar of `sweep()`."""

import io
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import symlab
from symlab import (
    LabError,
    OutputError,
    Run,
    RunFailed,
    UserError,
    cc,
    check,
    compare,
    load,
    run,
    sweep,
)
from symlab.guest.compiling import Request, build
from symlab.runs import screen
from symlab.runs.one_run import time_text

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
CONFIG = ROOT / "configs" / "quickstart.toml"
SHORT = {"machine.processors": 3, "guest.args.increments": 300}

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(CONFIG, settings=SHORT, out=tmp_path_factory.mktemp("one"), simulator=BINARY)


@needs_simulator
def test_the_tables_of_a_run_agree_with_its_summary(one: Run) -> None:
    assert one["guest"]["exit_status"] == 0
    assert one.results["increments"] == 300
    assert one.config["machine.processors"] == 3
    assert one.bus.busy_us.sum() == pytest.approx(one["bus"]["busy_us"], abs=0.1)
    assert one.locks.acquisitions.sum() == 300 and len(one.locks) == 3
    assert one.processors.index.tolist() == [0, 1, 2]
    assert one.processors.sum(axis=1).tolist() == pytest.approx([one["simulated_us"]] * 3)
    assert one.console == ""


@needs_simulator
def test_a_run_shows_its_main_numbers_as_text_and_in_a_notebook(one: Run) -> None:
    text, html = repr(one), one._repr_html_()
    bus = f"{one['bus']['utilisation']:.1%} busy"
    for shown in ["counter-read.elf, exit status 0", "3 processors, write-through", bus, "300 acq"]:
        assert shown in text and shown in html
    assert text.startswith("Run in ") and html.startswith("<table>")


@needs_simulator
def test_an_earlier_run_is_read_from_its_folder(one: Run, tmp_path: Path) -> None:
    again = Run.of(one.folder)
    assert repr(again) == repr(one)
    pd.testing.assert_frame_equal(again.locks, one.locks)
    with pytest.raises(UserError, match=r"no summary\.json"):
        Run.of(tmp_path)


@needs_simulator
def test_a_program_runs_without_a_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hi.c").write_text('#include <stdio.h>\nint main(void) { puts("<hi>"); return 0; }\n')
    build(Request((Path("hi.c"),), Path("hi.elf")))
    hi = run("hi.elf", settings={"machine.processors": 2}, simulator=BINARY)
    assert hi.folder == Path("results/hi") and hi.console == "<hi>\n"
    assert len(hi.processors) == 2 and len(hi.locks) == 0
    assert (hi.report()).is_file()
    with pytest.raises(UserError, match=r"no\.elf: no such file; `symlab cc`"):
        run("no.elf", simulator=BINARY)


@needs_simulator
def test_a_config_of_symsim_is_found_from_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    short = {"machine.processors": 1, "guest.args.increments": 10}
    assert run("configs/quickstart.toml", settings=short, simulator=BINARY)["status"] == "finished"


def test_html_in_the_names_of_a_guest_is_escaped(tmp_path: Path) -> None:
    activities = {"user": 1.0}
    summary = {
        "guest": {"image": "<b>.elf", "exit_status": 0, "results": {"<i>": 1}},
        "config": {"cache.protocol": "p", "cache.store_policy": "s", "machine.name": "m"},
        "processors": [{"processor": 0, "activities_us": activities}],
        "bus": {"utilisation": 0.5, "all_transactions": 1, "mean_wait_us": 0.5},
        "locks": [lock_named(f"lock {number}") for number in range(7)],
        "simulated_us": 1.0,
        "status": "finished",
    }
    one = Run(tmp_path, summary)
    assert "<b>" not in one._repr_html_() and "&lt;i&gt;" in one._repr_html_()
    assert "and 2 more locks" in repr(one)


def lock_named(name: str) -> dict[str, object]:
    times = ("wait_us", "mean_wait_us", "max_wait_us", "mean_hold_us")
    return {"name": name, "acquisitions": 1, **dict.fromkeys(times, 1.0)}


@pytest.mark.parametrize(
    ("time_us", "text"),
    [(0.0, "0 us"), (2.786, "2.79 us"), (999.0, "999 us"), (57822.7, "57.8 ms"), (3e6, "3 s")],
)
def test_a_time_has_three_digits_and_its_unit(time_us: float, text: str) -> None:
    assert time_text(time_us) == text


def test_a_sweep_shows_what_symlab_sweep_shows(lab, monkeypatch) -> None:
    lab.fail(_2_read=3)
    shown = shown_by(lab, monkeypatch)  # on a slow host also how far the plan is
    assert "6 points: 0 kept, 6 to do" in shown
    assert shown.count("finished   processors=") == 5
    assert "guest-failure processors=2 lock=read" in shown
    lab.fail()
    assert "6 points: 5 kept, 1 to do" in shown_by(lab, monkeypatch)


def shown_by(lab, monkeypatch: pytest.MonkeyPatch) -> str:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    sweep(lab.config, out=lab.out, simulator=lab.simulator, progress=True)
    return shown.getvalue()


def test_no_bar_goes_to_a_file_or_a_pipe(lab, monkeypatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    sweep(lab.config, out=lab.out, simulator=lab.simulator)
    assert shown.getvalue() == ""


class Place:
    """An output of a notebook: all that it has shown."""

    def __init__(self) -> None:
        self.html: list[str] = []

    def display(self, data: dict[str, str], raw: bool, display_id: bool) -> "Place":
        return self

    def update(self, data: dict[str, str], raw: bool) -> None:
        self.html.append(data["text/html"])


def test_a_bar_in_a_notebook_updates_one_output(lab, monkeypatch) -> None:
    place = Place()
    shell = SimpleNamespace(kernel=None)
    display = SimpleNamespace(display=place.display)
    notebook = SimpleNamespace(get_ipython=lambda: shell, display=display)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    sweep(lab.config, out=lab.out, simulator=lab.simulator)
    running = [html for html in place.html if "planning" not in html]  # on a slow host that too
    assert running[0].startswith('<progress value="0" max="6"></progress> 0/6 runs')
    assert place.html[-1].startswith('<progress value="6" max="6"></progress> 6/6 runs')


def test_an_interrupted_sweep_leaves_the_terminal_as_it_was(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with pytest.raises(KeyboardInterrupt), screen.progress_bar(True, 1) as watcher:
        watcher.planned([])
        raise KeyboardInterrupt


# ---- the exceptions that docs/how-to/python.md lists ----


def test_tab_offers_the_public_names() -> None:
    assert (
        set(dir(symlab))
        == set(symlab.__all__)
        >= {"run", "sweep", "load", "compare", "check", "report", "cc"}
    )
    for name in symlab.__all__:
        assert getattr(symlab, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        symlab.nothing  # noqa: B018


def test_the_documented_exceptions_are_the_public_ones() -> None:
    page = (ROOT / "docs" / "how-to" / "python.md").read_text(encoding="utf-8")
    table = page[page.index("## Errors") :]
    listed = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    public = {name for name in symlab.__all__ if issubclass_of_error(getattr(symlab, name))}
    assert listed == public - {"LabError"}


def issubclass_of_error(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, LabError)


def test_without_a_simulator_everything_raises_user_error(tmp_path: Path) -> None:
    calls = [
        lambda: run(CONFIG, simulator="nothing"),
        lambda: sweep(
            ROOT / "papers/ALL/figures/figure-4.1.toml", out=tmp_path / "a", simulator="nothing"
        ),
        lambda: compare("counter", out=tmp_path / "b", simulator="nothing"),
    ]
    for call in calls:
        with pytest.raises(UserError, match="no simulator at nothing"):
            call()
    assert not list(tmp_path.iterdir())


def test_a_wrong_argument_raises_user_error(tmp_path: Path) -> None:
    calls = [
        lambda: load(tmp_path),
        lambda: Run.of(tmp_path),
        lambda: cc(str(tmp_path / "nothing.c"), output=str(tmp_path / "x.elf")),
        lambda: compare("nothing"),
        lambda: sweep(tmp_path / "nothing.toml"),
        lambda: Run(tmp_path, {}).bus,
        lambda: Run(tmp_path, {}).console,
    ]
    for call in calls:
        with pytest.raises(UserError):
            call()


@needs_simulator
@pytest.mark.parametrize(
    ("program", "settings", "said"),
    [
        ("nothing.toml", {}, "nothing.toml"),
        ("nothing.elf", {}, "nothing.elf: no such file"),
        (CONFIG, {"no.such": 1}, "no.such: there is no such key"),
        (CONFIG, {"machine.processors": 99}, "machine.processors: 99 does not fit"),
        (CONFIG, {"guest.image": "nothing.elf"}, "nothing.elf"),
        (CONFIG, {"guest.args.lock": "nothing"}, "counter-nothing"),
    ],
)
def test_a_mistake_in_a_run_raises_user_error(
    program: str | Path, settings: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=said) as raised:
        run(program, settings=settings, out=tmp_path / "out", simulator=BINARY)
    assert raised.value.exit_code == 2
    assert "symsim: " not in str(raised.value) and "--set: " not in str(raised.value)
    assert not (tmp_path / "out").exists()


@needs_simulator
def test_a_run_that_fails_raises_run_failed_with_its_end(tmp_path: Path) -> None:
    with pytest.raises(RunFailed) as raised:
        run(CONFIG, settings={"run.limit_ms": 1}, out=tmp_path, simulator=BINARY)
    assert (raised.value.exit_code, raised.value.status) == (5, "time-limit")
    assert raised.value.summary is not None and raised.value.summary["status"] == "time-limit"


@needs_simulator
def test_a_file_that_cannot_be_written_raises_output_error(tmp_path: Path, lab) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        run(CONFIG, settings=SHORT, out=tmp_path / "file" / "out", simulator=BINARY)
    with pytest.raises(OutputError, match="cannot be written"):
        sweep(lab.config, out=tmp_path / "file" / "out", simulator=lab.simulator)


def test_a_scheduler_that_cannot_be_reached_is_a_mistake_or_a_cluster_error(lab) -> None:
    with pytest.raises(UserError, match="is not an address"):
        sweep(lab.config, out=lab.out, simulator=lab.simulator, scheduler="nothing")


@needs_simulator
def test_the_runs_of_a_sweep_are_read_in_its_order(tmp_path: Path) -> None:
    settings = {**SHORT, "machine.processors": [2, 1]}
    frame = sweep(CONFIG, settings=settings, out=tmp_path, simulator=BINARY)
    assert [len(one.processors) for one in Run.of_sweep(frame)] == [2, 1]
    assert [len(one.processors) for one in Run.of_sweep(frame[frame.processors == 1])] == [1]
    with pytest.raises(UserError, match="attrs without folder"):
        list(Run.of_sweep(pd.DataFrame({"run": [], "status": []})))


@needs_simulator
def test_a_check_from_python_says_what_it_found(tmp_path: Path) -> None:
    done = check(
        "check_lock", lock="read", search="random", schedules=2, out=tmp_path / "out",
        simulator=BINARY, jobs=1,
    )  # fmt: skip
    assert done.violation is None and done.summary["schedules"] == 2
    assert (done.folder / "check.json").is_file()
    with pytest.raises(UserError, match="--search all: there are exhaustive"):
        check("counter", search="all", simulator=BINARY)
    with pytest.raises(UserError, match="--ignore nothing: no such rule"):
        check("counter", ignore=["nothing"], simulator=BINARY)
