# SPDX-License-Identifier: MIT
"""What the tree offers by name: each file that has a name, and its description."""

import re

import pytest
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.places import GUEST


def names(kind: str) -> set[str]:
    return {item.name for item in catalogue.KINDS[kind](GUEST)}


def of_all(kind: str) -> set[str]:
    return {item.name for item in catalogue.KINDS[kind](GUEST) if not item.special}


def listed_in_cmake(variable: str) -> set[str]:
    text = (GUEST / "CMakeLists.txt").read_text()
    return set(re.search(rf"set\({variable}([^)]*?)CACHE", text)[1].split())


def test_every_lock_barrier_and_strategy_that_the_tree_builds_is_offered():
    assert of_all("locks") == listed_in_cmake("SYMSIM_LOCKS")
    assert of_all("barriers") == listed_in_cmake("SYMSIM_BARRIERS")
    assert of_all("strategies") == listed_in_cmake("SYMSIM_STRATEGIES")
    assert names("strategies") - of_all("strategies") == {"unlocked-queues"}


def test_headers_that_only_help_others_are_not_offered():
    for part in ["word", "delay", "mcs-queue", "number", "four_arrive"]:
        assert part not in names("locks") | names("barriers")


@pytest.mark.parametrize("kind", catalogue.KINDS)
def test_everything_offered_is_a_file_with_a_description_of_one_sentence(kind):
    for item in catalogue.KINDS[kind](GUEST):
        assert item.file.is_file()
        assert len(item.description.split()) > 2, item
        assert "SPDX" not in item.description and "Idea:" not in item.description


def test_a_description_ends_with_its_sentence_not_with_an_initial():
    array = catalogue.find("locks", "array").description
    assert array.startswith("T. Anderson's array-based queue lock: ALL Table 4.1")
    assert catalogue.find("machines", "symmetry-b").description == "A Sequent Symmetry Model B"
    clh = catalogue.find("locks", "clh").description
    assert clh.endswith("IPPS 1994") and "Univ. of Washington" in clh


def test_a_lock_is_found_by_the_names_of_the_literature():
    assert catalogue.find("locks", "tas").name == "xchgb"
    assert catalogue.find("locks", "ttas").name == "read"
    with pytest.raises(
        UserError, match=r"tass is none of the locks; did you mean tas\? There are .*mcs"
    ):
        catalogue.find("locks", "tass")


def test_a_lock_that_needs_a_486_says_so():
    needing = {item.name for item in catalogue.locks() if item.isa == "i486"}
    assert needing == {"array-xadd", "ticket-xadd", "mcs-cas"}


def test_a_new_file_is_offered_at_once(tmp_path):
    (tmp_path / "locks").mkdir()
    head = "// SPDX-License-Identifier: MIT\n#pragma once\n\n// My lock. It is new.\n"
    (tmp_path / "locks" / "mine.h").write_text(head + '#define LOCK_NAME "mine"\n')
    assert [(i.name, i.description) for i in catalogue.locks(tmp_path)] == [("mine", "My lock")]
