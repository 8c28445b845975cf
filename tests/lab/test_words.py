# SPDX-License-Identifier: MIT
"""The words of the commands: earlier ones still work, options mean the same everywhere, help has no
types of Python, and the shell completes names."""

import inspect
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import symlab
from conftest import Lab
from symlab.cli import COMMANDS, LISTED, LazyCommands, app
from symlab.commands.old_names import today
from symlab.commands.options import names_of
from transaction_run import BINARY, ROOT
from typer.testing import CliRunner

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
NOTICE = "symlab: notice: this command is now called: "
QUICKSTART = str(ROOT / "configs" / "quickstart.toml")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("reproduce ALL", "paper ALL"),
        ("reproduce ALL --quick -j 2", "paper ALL quick -j 2"),
        ("reproduce WKS --figure 4 --gather", "paper WKS claims --figure 4"),
        ("reproduce ALL --quick --help", "paper ALL quick --help"),
        ("reproduce --sensitivity MTH", "paper MTH sensitivity"),
        ("claims ALL-46 --explain", "paper ALL claims ALL-46"),
        ("claims a/b.csv --figure wks-4", "paper WKS claims a/b.csv --figure wks-4"),
        ("run counter --lock mcs --against read", "compare counter --lock mcs --against read"),
        ("run counter --lock=mcs,read", "compare counter --lock=mcs,read"),
        ("run counter --lock all", "compare counter --lock all"),
        ("run counter -p 1..4", "compare counter -p 1..4"),
        ("run counter --set cache.ways=[1,2]", "compare counter --set cache.ways=[1,2]"),
    ],
)
def test_an_old_name_works_with_one_line_of_notice(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert today(old.split()) == new.split()
    said = capsys.readouterr()
    assert said.out == "" and said.err == f"{NOTICE}{shlex.join(['symlab', *new.split()])}\n"


@pytest.mark.parametrize(
    "words",
    [
        "run counter --lock mcs -p 8",
        "run a.toml --set run.seed=2",
        "run counter -a n=5 -D A=1",
        "run",
        "",
    ],
)
def test_a_command_in_the_words_of_today_stays_without_a_word(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert today(words.split()) == words.split()
    assert capsys.readouterr().err == ""


def test_an_option_is_the_same_in_each_command_and_help_names_no_type() -> None:
    short = {"--out": "-o", "--jobs": "-j", "--quiet": "-q", "--verbose": "-v"}
    short |= {"--processors": "-p", "--arg": "-a", "--define": "-D"}
    has: dict[str, set[str]] = {}
    for name, command in LazyCommands().items():
        for option in command.params:
            for long in set(option.opts) & short.keys():
                assert short[long] in option.opts, f"{name} {long}"
            for word in option.opts:
                has.setdefault(word, set()).add(name)
        if name not in ("cc", "stubs"):  # these show C
            text = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "80"}).output
            assert not re.search(r"<\w+|list\[|[{}]", text.partition("Example:")[0]), text
    many = {"run", "compare", "sweep", "check", "paper"}
    assert has["--out"] >= many | {"report", "plot"} and has["--quiet"] == many
    assert has["--json"] == many | {"list", "status"}
    assert has["--verbose"] == {"compare", "sweep", "paper"}
    assert has["--jobs"] >= many - {"run"}
    assert set(COMMANDS) - set(LISTED) == {"bench", "calibrate", "select", "reference"}


@pytest.mark.parametrize(
    ("kind", "begun", "offered"),
    [
        ("locks", "mc", {"mcs", "mcs-cas"}),
        ("locks", "read,mc", {"read,mcs", "read,mcs-cas"}),
        ("barriers", "tour", {"tournament"}),
        ("strategies", "idle", {"idle-queue"}),
        ("workloads", "counte", {"counter"}),
        ("machines", "symmetry-a", {"symmetry-a"}),
        ("papers", "", {"ALL", "MTH", "URPC", "WKS"}),
    ],
)
def test_the_shell_completes_names(kind: str, begun: str, offered: set[str]) -> None:
    names = {name for name, _ in names_of(kind)(begun)}
    assert names >= offered and all(name.startswith(begun) for name in names)


def symlab_says(*words: str) -> Any:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def test_list_and_status_print_json(lab: Lab) -> None:
    papers = json.loads(symlab_says("list", "papers", "--json"))["papers"]
    assert [one["name"] for one in papers] == ["ALL", "MTH", "URPC", "WKS"]
    lab.fail(_2_read=3)
    words = ["sweep", str(lab.config), "-o", str(lab.out), "--simulator", str(lab.simulator)]
    swept = CliRunner().invoke(app, [*words, "--json"])
    found = json.loads(swept.stdout)
    assert swept.exit_code == 1
    assert sorted(run["status"] for run in found["runs"])[-1] == "guest-failure"
    assert all(Path(file).is_file() for file in found["files"])
    state = json.loads(symlab_says("status", str(lab.out), "--json"))
    assert (len(state["finished"]), len(state["failed"])) == (5, 1)
    assert CliRunner().invoke(app, [*words, "-q"]).stdout == ""


@needs_simulator
def test_one_run_of_a_config_or_a_program(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["-p", "2", "-a", "increments=20", "--simulator", BINARY]
    said = symlab_says("run", QUICKSTART, *few)
    assert "2 processors" in said and Path("results/quickstart/summary.json").is_file()
    summary = json.loads(symlab_says("run", QUICKSTART, *few, "--json", "-o", "one"))
    assert summary["guest"]["results"]["increments"] == 20
    Path("hi.c").write_text('#include <stdio.h>\nint main(void) { puts("hi"); }\n')
    assert symlab_says("run", "hi.c", "--simulator", BINARY).startswith(
        "hi\nRun in results/run-hi\n"
    )
    built = symlab.run(
        "counter", lock="mcs", processors=2, settings={"guest.args.increments": 20},
        simulator=BINARY,
    )  # fmt: skip
    assert built.folder == Path("results/run-counter-mcs")
    assert built.config["guest.args.lock"] == "mcs" and built.results["increments"] == 20
    with pytest.raises(symlab.UserError, match="one run has one; `symlab compare`"):
        symlab.run("counter", lock="all", simulator=BINARY)
    with pytest.raises(symlab.UserError, match="one run has one value"):
        symlab.run(QUICKSTART, settings={"cache.ways": [1, 2]}, simulator=BINARY)


def test_functions_take_all_but_the_first_argument_by_name() -> None:
    for name in ("check", "compare", "load", "report", "run", "sweep"):
        first, *others = inspect.signature(getattr(symlab, name)).parameters.values()
        assert first.kind is first.POSITIONAL_OR_KEYWORD
        kinds = {one.kind for one in others if one.name != "other"}
        assert kinds <= {inspect.Parameter.KEYWORD_ONLY}, name
        assert "overrides" not in [one.name for one in others]


@pytest.mark.parametrize("command", ["", "compare"])
def test_help_is_a_word_and_an_option(command: str) -> None:
    both = (f"help {command}", f"{command} --help")
    word, option = (CliRunner().invoke(app, words.split()) for words in both)
    assert word.exit_code == 0 and word.output == option.output != ""
