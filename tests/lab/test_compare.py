# SPDX-License-Identifier: MIT
"""From a workload and a lock to a curve: what is compared, and with what it is built."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from symlab import report, run, sweep
from symlab.cli import app
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.guest.uses import USES, uses
from symlab.places import CONFIGS, GUEST
from symlab.runs import grid, up_to_date
from symlab.runs.compare import compare
from symlab.runs.experiment import SIZES, Experiment, _request, experiment, prepare
from typer.testing import CliRunner

BINARY = os.environ.get("SYMSIM_BINARY", "")
needs_simulator = pytest.mark.skipif(
    not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator"
)

MINE = """
#include "word.h"
#define LOCK_NAME "mine"
static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    while (exchange_byte(&lock->word, 1) != 0) {
    }
}
"""


XCHGB = (GUEST / "locks" / "xchgb.h").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.h").write_text(MINE)
    return tmp_path


@needs_simulator
def test_a_lock_of_the_user_is_compared_with_locks_of_the_tree(folder):
    settings = {"guest.args.increments": 200}
    (folder / "mine.h").write_text(XCHGB.replace('"xchgb"', '"mine"').replace('"tas"', '"own"'))
    frame = compare(
        "counter", lock=["mine.h", "ttas", "mcs-cas"], processors=["1..2", 5], settings=settings
    )
    assert list(frame.processors) == [1, 1, 1, 2, 2, 2, 5, 5, 5]
    assert list(frame.lock[:3]) == ["mine", "read", "mcs-cas"]
    assert (frame.status == "finished").all() and (frame.increments == 200).all()
    results = folder / "results" / "counter-mine"
    names = {path.name for path in results.iterdir()}
    assert {"counter-mine.svg", "counter-mine.png", "counter-mine.csv"} <= names
    assert not list(folder.glob("*.elf")), "the user's folder stays as it is"
    times = frame.pivot(index="processors", columns="lock", values="elapsed_us")
    again = compare("counter", lock=["xchgb"], processors=[5], settings=settings)
    assert times.mine[5] == pytest.approx(again.elapsed_us[0], rel=0.02), "mine is xchgb"


def test_the_config_of_the_machine_is_not_replaced(folder):
    machine = folder / "out" / "counter-read.toml"
    machine.parent.mkdir()
    machine.write_text((CONFIGS / "machines" / "symmetry-a.toml").read_text())
    chosen = experiment("counter", {"lock": ["read"]}, [1], machine)
    with pytest.raises(UserError, match=r"--machine .*counter-read.toml: the config of this sweep"):
        prepare(chosen, folder / "out")
    assert machine.read_text() == (CONFIGS / "machines" / "symmetry-a.toml").read_text()


@needs_simulator
def test_a_program_of_the_tree_takes_as_long_as_the_image_of_the_build(folder):
    settings = {"guest.args.threads": 50}
    kinds = {"strategy": ["single-lock"]}
    ours = compare("null_threads", **kinds, processors=[1, 2], settings=settings)
    config = folder / "built.toml"
    machine = GUEST.parent / "configs" / "machines" / "symmetry-a.toml"
    config.write_text(
        f'base = "{machine}"\nguest.image = "null_threads-single-lock"\nguest.args.threads = 50\n'
        '[sweep]\n"machine.processors" = [1, 2]\n'
    )
    # The start depends on the number of arguments. So two processors meet at the lock at other
    # times.
    one, two = sweep(config).elapsed_us
    assert list(ours.elapsed_us) == [pytest.approx(one, abs=5), pytest.approx(two, rel=0.03)]


@needs_simulator
@pytest.mark.parametrize(
    ("workload", "choices", "kind"),
    [
        ("barriers", {"barrier": ["all"]}, "barrier"),
        ("quicksort", {}, "strategy"),
        ("quicksort", {"lock": ["read", "mcs"]}, "lock"),
        ("tables", {}, None),
    ],
)
def test_each_kind_of_program_runs(folder, workload, choices, kind):
    argument, size = {"barriers": ("episodes", 5), "tables": ("rounds", 1)}.get(
        workload, ("count", 200)
    )
    frame = compare(workload, **choices, processors=[2], settings={f"guest.args.{argument}": size})
    assert (frame.status == "finished").all()
    assert len(frame) == max((len(frame[kind].unique()) if kind else 1), 1)


@needs_simulator
def test_further_settings_are_fixed_or_axes(folder):
    settings = {"guest.args.increments": "100..200..100", "cache.ways": 1}
    frame = compare("counter", processors=[2], settings=settings)
    assert list(frame.increments) == [100, 200]
    written = tomllib.loads((folder / "results/counter-read/counter-read.toml").read_text())
    assert written["cache"]["ways"] == 1
    assert written["sweep"]["guest.args.increments"] == [100, 200]


@needs_simulator
def test_the_command_prints_a_table_draws_the_curve_and_names_the_report(folder):
    words = ["compare", "counter", "--lock", "mine.h", "--against", "ttas,mcs", "-p", "1..2"]
    words += ["-a", "increments=200"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    # On a slow host there are also lines that say how far the plan is.
    lines = [line for line in result.output.splitlines() if not line.startswith("planning: ")]
    assert lines[:2] == [
        "counter: mine, read, mcs",
        "6 points: 0 kept, 6 to do; time unknown until the first run has ended",
    ]
    at = lines.index(next(line for line in lines if line.startswith("elapsed_us")))
    assert lines[at + 1].split() == ["processors", "mine", "read", "mcs"]
    assert [line.split()[0] for line in lines[at + 2 : at + 4]] == ["1", "2"]
    written = [Path(line.removeprefix("wrote ")) for line in lines if line.startswith("wrote ")]
    assert {path.suffix for path in written} == {".csv", ".svg", ".png"}
    assert lines[-1] == "for a page of it: symlab report results/counter-mine"
    assert all(path.is_file() for path in written)
    again = CliRunner().invoke(app, words).output
    assert "6 points: 6 kept, 0 to do" in again and "finished" not in again
    assert "up to date: results/counter-mine/counter-mine.csv, " in again
    assert again.splitlines()[2:5] == lines[at : at + 3], "the same table"
    assert len(json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)["runs"]) == 6


def test_a_comparison_is_planned_again_if_anything_has_changed(folder):
    def chosen(*options: str) -> Experiment:
        return experiment("counter", {"lock": ["mine.h"]}, [1], options=options)

    results = folder / "results"
    for name in ("runs/1/summary.json", "counter-mine.svg", "part.h"):
        (results / name).parent.mkdir(parents=True, exist_ok=True)
        (results / name).write_text("before")
    (folder / "part.h").write_text("")
    (folder / "mine.h").write_text('#include "part.h"\n' + MINE)
    shown = {"points": 1, "table": "of numbers", "files": []}
    assert up_to_date.shown_before(chosen(), results, BINARY) is None
    changes = [
        lambda: (results / "runs/1/summary.json").unlink(),
        lambda: (results / "counter-mine.svg").write_text("another"),
        lambda: (folder / "part.h").write_text("#define SPINS 2"),
        lambda: os.utime(folder / "mine.h", ns=(0, 1)),
    ]
    for change in changes:
        up_to_date.leave(chosen(), results, shown, BINARY)
        assert up_to_date.shown_before(chosen(), results, BINARY) == shown
        assert up_to_date.shown_before(chosen("-DA=1"), results, BINARY) is None
        change()
        assert up_to_date.shown_before(chosen(), results, BINARY) is None


@needs_simulator
def test_the_written_config_can_be_swept_and_run_alone(folder):
    words = ["compare", "counter", "--lock", "mine.h", "-p", "1..2", "-a", "increments=200"]
    assert CliRunner().invoke(app, words).exit_code == 0
    config = folder / "results" / "counter-mine" / "counter-mine.toml"
    again = config.read_text().splitlines()[2].split()
    assert again[1:3] == ["symlab", "sweep"]
    assert "2 points: 2 kept, 0 to do" in CliRunner().invoke(app, again[2:]).output
    assert run(config, out="alone")["guest"]["results"]["increments"] == 200


@pytest.mark.parametrize("item", catalogue.items("workloads"), ids=lambda item: item.name)
def test_what_a_workload_uses_is_seen_in_its_text(item):
    text = item.file.read_text()
    assert set(uses(item.file)) <= set(USES)
    for kind in ("lock", "barrier", "strategy"):
        if f'"{kind}"' in text and f"check_{kind}_argument" in text:
            assert kind in uses(item.file)


def test_the_sizes_are_of_workloads_that_have_these_arguments():
    for name, arguments in SIZES.items():
        file = catalogue.find("workloads", name).file
        headers = "".join(path.read_text() for path in file.parent.glob("*.h"))
        for argument in arguments:
            assert f'arg_unsigned("{argument}"' in file.read_text() + headers


def test_the_486_is_chosen_if_a_lock_needs_it(folder):
    chosen = experiment("counter", {"lock": ["mcs-cas", "read"]})
    config = prepare(chosen, folder / "out")
    assert tomllib.loads(config.read_text())["processor"]["isa"] == "i486"
    plain = prepare(experiment("counter", {"lock": ["read"]}), folder / "out")
    assert "processor" not in tomllib.loads(plain.read_text())


def test_all_is_every_lock_once(folder):
    chosen = experiment("counter", {"lock": ["mine.h", "read", "all"]})
    names = [one.name for one in chosen.alternatives]
    assert names[:2] == ["mine", "read"] and len(names) == len(set(names)) > 20
    assert "mcs-cas" in names


def test_a_program_of_pthreads_is_built_as_one(folder):
    Path("p.c").write_text("#include <pthread.h>\nint main(void) { return 0; }\n")
    chosen = experiment("p.c", {})
    request = _request(chosen, chosen.alternatives[0], folder)
    assert (request.posix, request.strategy, request.lock) == (True, "local-readyq", "backoff")


@pytest.mark.parametrize(
    ("workload", "choices", "machine", "says"),
    [
        (
            "conter",
            {},
            "symmetry-a",
            r"there is no workload conter; did you mean counter\? There are",
        ),
        ("gone.c", {}, "symmetry-a", r"gone\.c: no such file"),
        ("counter", {"lock": ["gone.h"]}, "symmetry-a", r"--lock gone\.h: no such file"),
        ("counter", {"lock": ["raed"]}, "symmetry-a", "there is no lock raed"),
        ("mine.toml", {}, "symmetry-a", r"is a config; use `symlab sweep mine\.toml`"),
        ("counter", {}, "vax", "there is no machine vax"),
        ("counter", {}, "vax.toml", r"--machine vax\.toml: no such file"),
        ("quicksort", {"lock": ["a.h", "read"]}, "symmetry-a", r"a\.h: no such file"),
        ("counter", {"lock": ["mine.h", "sub/mine.h"]}, "symmetry-a", "are both mine"),
        (
            "quicksort",
            {"strategy": ["single-lock", "idle-queue"], "lock": ["mcs", "read"]},
            "symmetry-a",
            "compare one kind at a time",
        ),
    ],
)
def test_mistakes_are_named(folder, workload, choices, machine, says):
    (folder / "sub").mkdir()
    (folder / "sub" / "mine.h").write_text(MINE)
    with pytest.raises(UserError, match=says):
        experiment(workload, choices, machine=machine)


@pytest.mark.parametrize("name", ["smart-q", "spin-then-block-7", "mine.h"])
def test_a_lock_of_processes_is_refused_in_a_program_that_has_none(folder, name):
    (folder / "mine.h").write_text('#include "preemption.h"\n')
    says = f"--lock {name}: this lock needs a program of processes .process.h., and counter is none"
    with pytest.raises(UserError, match=says):
        experiment("counter", {"lock": ["read", name]})
    with pytest.raises(UserError, match="and quicksort is none"):
        experiment("quicksort", {"strategy": ["single-lock"], "lock": [name]})


def test_what_cannot_be_compared_is_said():
    with pytest.raises(UserError, match="tables has no lock, barrier or strategy"):
        experiment("tables", {}, against=["read"])
    with pytest.raises(UserError, match="'x' processors: neither a number nor a range"):
        experiment("counter", {}, ["x"])


def test_numbers_of_processors_that_are_no_range_are_named():
    with pytest.raises(UserError, match=r'"9\.\.2" runs backwards'):
        experiment("counter", {}, ["9..2"])


def test_a_lock_that_does_not_compile_leaves_the_message_of_gcc(folder, capfd):
    (folder / "bad.h").write_text("oops\n")
    with pytest.raises(UserError, match="gcc could not compile"):
        prepare(experiment("counter", {"lock": ["bad.h"]}), folder / "out")
    assert "bad.h:1" in capfd.readouterr().err


def test_the_figure_emphasises_the_locks_of_the_user_or_those_that_are_compared(tmp_path):
    mine = tmp_path / "mine.h"
    mine.write_text(MINE)

    def own(locks: list[str], *against: str) -> tuple[str, ...]:
        return experiment("counter", {"lock": locks}, [1], against=against).own

    assert own([str(mine), "read"]) == ("mine",)
    assert own(["read"], str(mine)) == ("mine",)
    assert own(["mcs"], "read", "clh") == own(["mcs"], "all") == ("mcs",)
    assert own(["mcs", "read"]) == own([str(mine)]) == ()


def test_the_config_says_how_the_figure_looks_and_options_go_before(tmp_path):
    settings = {"figure.y": "bus_utilisation", "figure.log": "y", "sweep.repeats": 3}
    for title in ({}, {"figure.title": "Mine"}):
        chosen = experiment("counter", {"lock": ["mcs"]}, [1, 2], settings=settings | title,
                            against=["read"])  # fmt: skip
        config = grid.load(prepare(chosen, tmp_path))
        look = config.look
        assert look.title == title.get("figure.title", "counter on symmetry-a")
        assert (look.y, look.log, look.own) == ("bus_utilisation", "y", ("mcs",))
        assert config.repeats == 3


@needs_simulator
def test_a_figure_of_failed_runs_is_drawn_and_reported(tmp_path):
    stuck = tmp_path / "stuck.h"
    never = MINE.replace("exchange_byte(&lock->word, 1)", "1")
    stuck.write_text(never.replace('"mine"', '"stuck"'))
    locks = f"--lock={stuck} --against=read -p 1..2 -a increments=100"
    result = CliRunner().invoke(
        app, ["compare", "counter", *locks.split(), "--out", f"{tmp_path}/r"]
    )
    assert result.exit_code == 1
    table = result.output[result.output.index("elapsed_us") :].splitlines()
    assert table[1].split() == ["processors", "stuck", "read"]
    assert table[3].split()[:2] == ["2", "deadlock"]
    assert report(tmp_path / "r") == tmp_path / "r/report.html"
