# SPDX-License-Identifier: MIT
"""The mutants of tests/mutants, on which `symlab check` is tested: their texts fit the tree, and
they compile. `python3 tests/mutants/make.py images FOLDER` builds all; here it is a sample."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from symlab.guest import catalogue

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
sys.path.insert(0, str(ROOT / "tests/mutants"))
import make  # noqa: E402
import search  # noqa: E402

MUTANTS = {mutant.name: mutant for mutant in make.mutants()}
# One of each kind of file that is changed; a program of threads takes seconds to build.
SAMPLE = [
    "mcs-without-usurper",
    "dissemination-one-set-of-flags",
    "idle-queue-does-not-look-again",
    "bakery-without-choosing",
    "treiber-without-count",
]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_fits_the_tree(name):
    mutant = MUTANTS[name]
    changed = make.changed_files(mutant)
    assert bool(changed) == mutant.has_right_version
    for file, text in changed.items():
        assert text != (ROOT / file).read_text(encoding="utf-8")
    assert (ROOT / mutant.source).is_file()
    assert mutant.source.endswith(".c")
    assert (ROOT / f"configs/machines/{mutant.machine}.toml").is_file()
    assert 2 <= mutant.processors <= 3
    assert mutant.wrong.endswith(".")
    for kind, folder in make.KINDS.items():
        chosen = mutant.chosen(kind)
        if chosen and "/" not in chosen:
            catalogue.find(Path(folder).name, chosen)


def test_barriers_and_strategies_of_any_program_have_mutants():
    for kind in ("barrier", "strategy"):
        have = {mutant.chosen(kind) for mutant in MUTANTS.values()}
        folder = Path(make.KINDS[kind]).name
        known = {item.name for item in catalogue.items(folder) if not item.special}
        few = {"local-readyq-random"}  # local-readyq with another place for new threads
        assert known - have <= few


def test_there_are_mutants_of_each_violation():
    assert {mutant.violation for mutant in MUTANTS.values()} == make.VIOLATIONS
    assert len(MUTANTS) >= 55


@pytest.mark.parametrize("find", ["no such text", "struct"])
def test_a_text_that_is_not_there_once_is_an_error(find):
    mutant = replace(MUTANTS["mcs-without-usurper"], replace=[{"find": find, "put": ""}])
    with pytest.raises(make.MutantError, match=f"(?s)mcs-without-usurper.*mcs.h, not once.*{find}"):
        make.changed_files(mutant)


def test_an_unknown_mutant_is_an_error():
    with pytest.raises(make.MutantError, match="no mutant nothing"):
        make.find("nothing")


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize("name", SAMPLE)
def test_a_mutant_compiles_and_ends(name, tmp_path):
    """Its bug does not show in the undisturbed run."""
    image = make.build_image(MUTANTS[name], tmp_path)
    config = tmp_path / "run.toml"
    config.write_text(make.config_text(MUTANTS[name], str(image)), encoding="utf-8")
    command = [BINARY, str(config), "-q", "--out", str(tmp_path / "out")]
    done = subprocess.run([*command, "--set", "run.limit_ms=50"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize("right", [False, True])
def test_a_search_finds_a_mutant_and_nothing_in_the_right_version(right, tmp_path):
    mutant = MUTANTS["double-checked-flag-first"]
    answer = search.search(mutant, tmp_path, search.Budget(1.0, 2, 1, False), right)
    row = search.row(mutant, answer, None)
    assert bool(row["found"]) == (not right)
    assert row["complete"] == int(right)
