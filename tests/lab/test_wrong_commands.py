# SPDX-License-Identifier: MIT
"""A wrong command is answered in words of its user, with exit code 2, and leaves nothing."""

import re
from pathlib import Path

import pytest
from conftest import Lab
from symlab.errors import OutputError
from symlab.files import write_all
from transaction_run import BINARY, ROOT

FIGURE = str(ROOT / "papers" / "ALL" / "figures" / "figure-4.1.toml")
TABLE = str(ROOT / "papers" / "ALL" / "results" / "figure-4.1.csv")
QUICKSTART = str(ROOT / "configs" / "quickstart.toml")
NINES = "9" * 5000

# Each command, and a part of what it says.
WRONG = {
    "nosuch": "No such command 'nosuch'",
    "list lokcs": "Did you mean 'locks'?",
    "paper ALL quik": "Did you mean 'quick'?",
    "list nosuch": "'nosuch' is not one of 'locks', 'barriers'",
    "new nosuch mine": "'nosuch' is not one of 'lock', 'barrier', 'strategy', 'workload'",
    "new lock Mine": "a name is at most 64 small letters",
    "run": "Missing argument 'CONFIG|PROGRAM'",
    "run nothing.toml": "nothing.toml",
    "run nothing.elf": "nothing.elf: no such file; `symlab cc`",
    "run nothing.c": "nothing.c: no such file",
    "run conter": "did you mean counter? There are",
    "run counter -p x": "'x' is not a whole number",
    f"run {QUICKSTART} --lock mcs": "is built already; --set guest.args.lock=NAME chooses another",
    f"run {QUICKSTART} -D X=1": "is built already; --set guest.image=NAME chooses another",
    f"run {QUICKSTART} --machine symmetry-b": "is a config, which has its own machine",
    "compare": "Missing argument 'PROGRAM...'",
    "compare nothing": "there is no workload nothing; there are acquire",
    "compare conter": "did you mean counter? There are",
    "compare nothing.elf": "nothing.elf: no such file",
    "compare image.elf": "image.elf: is not a .c file; ./symsim runs an image",
    "compare text.txt": "text.txt: is not a .c file",
    "compare nothing.c": "nothing.c: no such file",
    f"compare {QUICKSTART}": "is a config; use `symlab sweep",
    "compare counter --lock nothing": "there is no lock nothing; there are array",
    "compare counter --lock nothing.h": "--lock nothing.h: no such file",
    "compare counter --machine nothing": "there is no machine nothing; there are",
    "compare counter --machine nothing.toml": "--machine nothing.toml: no such file",
    "compare counter --jobs x": "Invalid value for '--jobs' / '-j': 'x' is not a whole number",
    "compare counter --jobs 0": "--jobs 0: at least one run at a time is needed",
    "compare counter -p x": "'x' processors: neither a number nor a range",
    "compare counter -p ²": "'²' processors: neither a number nor a range",
    "compare counter -p 1.5": "'1.5' processors: neither a number nor a range",
    "compare counter -p -1": "'-1' processors: neither a number nor a range",
    "compare counter -p 4..1": '"4..1" runs backwards',
    "compare counter -p ,": ",: a value is missing beside a comma",
    "compare counter -p 1,,2": "1,,2: a value is missing beside a comma",
    "compare counter --lock read,": "read,: a value is missing beside a comma",
    f"compare counter -p {NINES}": "processors: neither a number nor a range",
    f"compare counter -p 1..{NINES}": "is not a range",
    "compare counter -p 1..99999": "has more than 10000 values",
    "compare counter -a novalue": "--arg novalue: expected name=value",
    "compare counter --set novalue": "--set novalue: expected key=value",
    "compare counter --set sweep.repeats=0": "sweep.repeats: 0 does not fit",
    "compare counter --set figure.colour=x": "figure.colour: there is no such key",
    "compare counter --log z": 'figure.log: "z" does not fit',
    "compare counter --simulator nothing": "no simulator at nothing",
    "sweep nothing.toml": "nothing.toml: cannot be read",
    f"sweep {FIGURE} --most-points x": "'x' is not a whole number",
    f"sweep {FIGURE} --most-points 1": "the grid has 60 points",
    f"sweep {FIGURE} --simulator nothing": "no simulator at nothing",
    f"sweep {FIGURE} --scheduler nothing": "is not an address",
    f"sweep {FIGURE} --scheduler tcp://127.0.0.1:1": "answers there (Connection refused)",
    "plot nothing.csv": "nothing.csv: cannot be read as CSV: No such file",
    f"plot {TABLE} -o p.pdf": "-o p.pdf: a figure is written as .svg and .png",
    "claims": "claims: of which table? `symlab paper ALL claims` judges all",
    "plot text.txt": "text.txt: no table of a sweep is there",
    f"plot {TABLE} --y nothing --out f": "there is no column nothing; the columns are processors",
    f"plot {TABLE} --y elapsed --out f": "did you mean elapsed_us? The columns are",
    f"plot {TABLE} --own nothing --out f": "there is no curve nothing; the curves are",
    f"plot {TABLE} --where lock --out f": "expected column=value",
    f"plot {TABLE} --where lock=nothing --out f": "no row has that value; there are backoff",
    f"plot {TABLE} --log z --out f": '--log: "z" does not fit',
    "report nothing": "nothing: there is no such folder",
    "report a b c": "3 folders; give a run, a sweep, or two runs",
    "status nothing": "nothing: has no folder runs",
    "gc nothing": "nothing: there is no table that says which runs are needed",
    "transactions nothing": "nothing: there is no bus.log.zst",
    "transactions nothing --format x": "'x' is not one of 'parquet', 'csv'",
    "fst nothing": "nothing/trace.vcd does not exist",
    "stubs nothing.idl --in new": "nothing.idl: No such file",
    "sweep a.toml --set bus.width_bytes=[4, --out new": 'the list has no "]" at its end',
    "cc": "cc: no files",
    "cc nothing.c -o x.elf": "nothing.c: no such file",
    "cc text.txt -o x.elf --stack-kb x": "--stack-kb: 'x' is not a whole number",
    "paper ALL pages": "index.md.j2: cannot be read: No such file or directory; run it in",
    "paper nothing": "nothing: no paper of this name",
    "paper ALL --figure nothing": "--figure nothing: ALL has none",
    "paper ALL quick spread": "only claims has a further word",
    "paper ALL --simulator nothing --out new": "no simulator at nothing",
    "paper ALL claims nothing.csv": "nothing.csv: cannot be read as CSV",
    f"paper ALL claims {TABLE} --figure nothing": "no claims are known for nothing",
    "paper ALL nosuch": "'nosuch' is not one of 'figures', 'claims', 'pages'",
    "paper ALL claims nothing": "nothing: is neither a claim, such as ALL-46, nor a CSV",
    "paper ALL spread --json": "--json goes with claims, not with spread",
    "bench nothing": "bench nothing: neither a config nor one of hits",
    "bench --runs 0": "--runs 0: at least one run is needed",
    "bench --runs x": "'x' is not a whole number",
    "select --set novalue --out new": "--set novalue: expected key=value",
    "check nothing": "check: there is no workload nothing",
    "check nothing.h": "check: nothing.h: no such file",
    "check counter --search x": "'x' is not one of 'exhaustive', 'random', 'stress'",
    "check counter -k x": "'x' is not a whole number",
    "check counter --minutes x": "'x' is not a number",
    "check counter -p 0": "check: --processors 0: at least 1",
}
# Those that only the simulator knows to be wrong.
WRONG_TO_SYMSIM = {
    "compare counter -p 0..4": "machine.processors: 0 does not fit; it must be an integer from 1",
    "compare counter -p 99": "machine.processors: 99 does not fit; it must be an integer from 1",
    "compare counter -p 1..10000": "machine.processors: 10000 does not fit",
    "compare counter --set no.such=1": "no.such: there is no such key",
    "run counter -p 99": "machine.processors: 99 does not fit",
    f"run {QUICKSTART} --set no.such=1": "no.such: there is no such key",
    "compare counter -a increments=1e5": "guest.args.increments: must be a string, an integer",
    f"sweep {FIGURE} --set no.such=1 --out new": "no.such: there is no such key",
    f"sweep {FIGURE} --set machine.processors=99 --out new": "machine.processors: 99 does not fit",
    "check counter -p 99": "check: machine.processors: 99 does not fit",
    "check counter --set no.such=1": "check: no.such: there is no such key",
    f"check {QUICKSTART} --set no.such=1": "no.such: there is no such key",
}

# Words of libraries, and traces of the machinery between the user and the simulator.
OF_LIBRARIES = re.compile(
    r"Value error|Input should be|pydantic|Traceback|Errno|invalid literal|C error|[eE]xception|"
    r"symsim: |symlab itself|; The |is none of the|(?<!there )\bis no [a-z]|object has no|"
    r"codec can't"
)


def check(command: str, said: str, lab: Lab) -> None:
    (lab.folder / "image.elf").write_bytes(b"\x7fELF")
    (lab.folder / "text.txt").write_text("no CSV\n")
    before = sorted(lab.folder.rglob("*"))
    code, output = lab.symlab(*command.split())
    assert code == 2, output
    assert said in output
    assert not OF_LIBRARIES.search(output), output
    assert output.strip() == output.rstrip("\n"), "an empty line before or after"
    made = [path for path in lab.folder.rglob("*") if path not in before]
    assert made == [lab.folder / "output.txt"]


@pytest.mark.parametrize("name", ["README.md", "README.md/deep"])
def test_a_file_in_the_place_of_the_results_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(OutputError, match=r"README.md: is a file, and the results need a folder"):
        write_all(tmp_path / name, {})


@pytest.mark.parametrize(("command", "said"), WRONG.items(), ids=[c[:40] for c in WRONG])
def test_a_wrong_command_is_answered_in_words(command: str, said: str, lab: Lab) -> None:
    check(command, said, lab)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize(
    ("command", "said"), WRONG_TO_SYMSIM.items(), ids=[c[:40] for c in WRONG_TO_SYMSIM]
)
def test_what_the_simulator_refuses_leaves_nothing(
    command: str, said: str, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYMSIM_BINARY", BINARY)
    check(command, said, lab)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_a_program_that_does_not_compile_leaves_nothing(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYMSIM_BINARY", BINARY)
    Path("wrong.c").write_text("int main(void) { return nothing; }\n")
    code, output = lab.symlab("compare", "wrong.c", "-p", "1", "--out", "new/deep")
    assert code == 2 and "nothing" in output
    assert not Path("new").exists()
    Path("old").mkdir()
    Path("old/mine.txt").write_text("mine")
    assert lab.symlab("compare", "wrong.c", "-p", "1", "--out", "old")[0] == 2
    assert Path("old/mine.txt").read_text() == "mine"
