# SPDX-License-Identifier: MIT
"""Two files of one name do not overwrite each other's results, and a header says its name."""

import os
from pathlib import Path

import pytest
from symlab import OutputError, UserError, compare, sweep
from symlab.check.prepare import Order, kind_of, prepare_check
from symlab.places import CONFIGS, GUEST
from symlab.runs.experiment import experiment, prepare, results_folder
from symlab.runs.origin import note_origin, refuse_other_origin

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
FEW = {"guest.args.increments": 20}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.h").write_text(MINE)
    return tmp_path


@needs_simulator
def test_two_headers_with_one_name_have_results_apart(folder):
    compare("counter", lock=["a/mine.h"], processors=[1], settings=FEW)
    table = Path("results/counter-mine/counter-mine.csv")
    image = Path("results/counter-mine/guests/counter-mine.elf")
    before = table.read_bytes(), image.read_bytes()
    says = r"counter-mine has the results of another lock mine, .*a/mine\.h; give b/mine\.h another"
    with pytest.raises(UserError, match=f"{says} LOCK_NAME, or choose a folder with --out"):
        compare("counter", lock=["b/mine.h"], processors=[1], settings=FEW)
    assert (table.read_bytes(), image.read_bytes()) == before
    other = experiment("counter", {"lock": ["b/mine.h"]})
    assert results_folder(other, "other") == Path("other")
    same = experiment("counter", {"lock": [str(folder / "a" / "mine.h")]})
    assert results_folder(same, None) == table.parent
    (folder / "a" / "mine.h").rename(folder / "mine.h")
    assert results_folder(experiment("counter", {"lock": ["mine.h"]}), None) == table.parent


@needs_simulator
def test_a_check_keeps_the_results_of_another_header_or_config(folder):
    prepare_check(Order("a/mine.h"))
    with pytest.raises(UserError, match="check: results/check-check_lock-mine has the results of"):
        prepare_check(Order("b/mine.h"))
    for name in ("a", "b"):
        base = CONFIGS / "machines/symmetry-a.toml"
        Path(f"{name}/c.toml").write_text(f'base = "{base}"\nguest.image = "check_lock-read"\n')
    prepare_check(Order("a/c.toml"))
    with pytest.raises(
        UserError, match=r"another program, .*a/c\.toml; give b/c\.toml another name"
    ):
        prepare_check(Order("b/c.toml"))


def test_two_configs_with_one_name_have_results_apart(lab):
    for name in ("a", "b"):
        (lab.folder / name).mkdir()
        (lab.folder / name / "tiny.toml").write_text(lab.config.read_text())
    few = {"machine.processors": 1}
    sweep("a/tiny.toml", simulator=lab.simulator, settings=few)
    with pytest.raises(UserError, match="results/tiny has the results of another config"):
        sweep("b/tiny.toml", simulator=lab.simulator)
    assert not lab.events("start")[2:]
    sweep("b/tiny.toml", out="other", simulator=lab.simulator, settings=few)
    assert len(sweep("a/tiny.toml", simulator=lab.simulator, settings=few)) == 2


def test_a_header_with_the_name_of_a_lock_of_symsim_is_the_one_to_change(folder):
    Path("read.h").write_text(MINE.replace('"mine"', '"read"'))
    own = experiment("counter", {"lock": ["read.h"]})
    Path("results/counter-read").mkdir(parents=True)
    note_origin(results_folder(own, None), own.files)
    with pytest.raises(
        UserError, match=r"another lock read, .*/read\.h; give that file another LOCK"
    ):
        results_folder(experiment("counter", {}), None)


def test_programs_and_locks_whose_names_join_alike_are_kept_apart(tmp_path):
    (tmp_path / "p-q.c").touch()
    (tmp_path / "p.c").touch()
    note_origin(tmp_path, {"program": tmp_path / "p-q.c", "lock r": GUEST / "locks/read.h"})
    with pytest.raises(UserError, match="another program"):
        refuse_other_origin(tmp_path, {"program": tmp_path / "p.c"})
    with pytest.raises(OutputError):
        note_origin(tmp_path / "p.c", {})


def test_a_header_without_a_name_is_told_what_to_add(folder, capfd):
    (folder / "plain.h").write_text(MINE.replace('#define LOCK_NAME "mine"\n', ""))
    add = r'add the line `#define LOCK_NAME "plain"`'
    with pytest.raises(UserError, match=rf"gcc could not compile .*; plain\.h says no name: {add}"):
        prepare(experiment("counter", {"lock": ["plain.h"]}), folder / "out")
    with pytest.raises(UserError, match=rf"check: plain\.h says no name: {add}"):
        kind_of(Path("plain.h"))


def test_a_name_that_is_no_name_or_that_of_an_included_lock_is_refused(folder):
    for name in ("../mine", "a b", ".mine", "x{lock}"):
        (folder / "mine.h").write_text(MINE.replace('"mine"', f'"{name}"'))
        with pytest.raises(UserError, match="a name of results has letters, digits"):
            experiment("counter", {"lock": ["mine.h"]})
    (folder / "mine.h").write_text('#include "mcs.h"\n')
    with pytest.raises(UserError, match="LOCK_NAME is that of a file which it includes, mcs; add"):
        experiment("counter", {"lock": ["mine.h"]})
