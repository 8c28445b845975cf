# SPDX-License-Identifier: MIT
"""What the tree offers by name: each file that has a name, and what it declares."""

import subprocess
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.places import GUEST


def names(kind: str) -> set[str]:
    return {item.name for item in catalogue.items(kind)}


def of_all(kind: str) -> set[str]:
    return {item.name for item in catalogue.items(kind) if not item.special}


def script(folder: Path, commands: str) -> subprocess.CompletedProcess[str]:
    """Runs a script that has read guest/catalogue.cmake."""
    file = folder / "script.cmake"
    file.write_text(f"include({GUEST}/catalogue.cmake)\n{commands}\n")
    return subprocess.run(["cmake", "-P", file], capture_output=True, text=True, check=False)


def cmake(folder: Path, commands: str) -> list[str]:
    """The words that a script prints which has read guest/catalogue.cmake."""
    done = script(folder, commands)
    assert done.returncode == 0, done.stderr
    return done.stderr.replace(";", " ").split()  # message() prints there


@pytest.mark.parametrize(("kind", "prefix"), catalogue.PREFIXES.items())
def test_cmake_builds_all_that_are_offered_but_the_special_ones(tmp_path, kind, prefix):
    built = cmake(tmp_path, f'symsim_all(all {prefix})\nmessage("${{all}}")')
    assert sorted(built) == sorted(of_all(kind))


def test_all_leaves_out_what_serves_one_claim_and_locks_without_their_number():
    assert "unlocked-queues" in names("strategies") - of_all("strategies")
    assert {"static", "static-every"} <= names("locks") - of_all("locks")


def test_locks_of_processes_are_a_list_of_their_own(tmp_path):
    built = cmake(tmp_path, 'symsim_all(all LOCK)\nmessage("${all_KERNEL}")')
    items = [item for item in catalogue.items("locks") if item.kernel]
    assert sorted(built) == sorted(item.name for item in items if not item.macro)
    assert {"smart-q", "queued", "spin-then-block-500"} <= set(built)
    assert all(item.special for item in items)
    assert not {"read", "ticket", "mcs-cas"} & {item.name for item in items}


def test_cmake_refuses_a_lock_of_processes_in_another_program(tmp_path):
    refuse = f"symsim_refuse_lock_of_processes(%s {GUEST}/locks/%s.h mine)"
    done = script(tmp_path, refuse % ("smart-q", "smart-q"))
    assert done.returncode != 0
    message = " ".join(done.stderr.split())
    assert "mine: the lock smart-q needs a program of processes; write KERNEL local" in message
    assert script(tmp_path, refuse % ("mcs", "mcs")).returncode == 0


LOCK_DECLARATIONS = ["LOCK_FIFO", "LOCK_RELEASE", "LOCK_ISA", "LOCK_PARAMETER", "LOCK_KERNEL"]


@pytest.mark.parametrize("name", LOCK_DECLARATIONS)
def test_cmake_and_symlab_read_the_same_declarations(tmp_path, name):
    files = {item.file for item in catalogue.items("locks")}
    for file in sorted(files):
        word = cmake(tmp_path, f'symsim_declared(is {file} {name})\nmessage("${{is}}")')
        assert " ".join(word) == catalogue.declared(file, name), file


@pytest.mark.parametrize("name", ["lock", "threads-lock", "strategy", "barrier"])
def test_cmake_and_symlab_have_the_same_defaults(tmp_path, name):
    word = cmake(tmp_path, f'symsim_default(is {name})\nmessage("${{is}}")')
    assert word == [catalogue.default(name)]


def test_a_lock_declares_order_and_release_itself_or_where_it_comes_from():
    def of(name: str, declaration: str) -> str:
        return catalogue.declared(catalogue.find("locks", name).file, declaration)

    for lock in ["array-xadd", "clh", "graunke-thakkar", "mcs", "mcs-cas", "ticket-xadd"]:
        assert of(lock, "LOCK_FIFO") == "arrival", lock
    for lock in ["array", "ticket", "ticket-plain"]:
        assert of(lock, "LOCK_FIFO") == "numbers", lock
    for lock in ["xchgb", "read", "backoff", "static-16"]:
        assert of(lock, "LOCK_FIFO") == "", lock
    assert of("read", "LOCK_RELEASE") == "exchange"
    assert of("mcs", "LOCK_RELEASE") == of("ticket-plain", "LOCK_RELEASE") == "store"


def test_a_lock_with_a_parameter_is_found_with_any_number():
    item = catalogue.find("locks", "static-every-7")
    assert (item.name, item.file.name) == ("static-every-7", "static-every.h")
    assert item.options == ('-DLOCK_NAME="static-every-7"', "-DLOCK_SLOTS=7")
    for wrong in ["static-07", "static-", "static-x", "mcs-7", "static-4-4"]:
        with pytest.raises(UserError, match=f"there is no lock {wrong}"):
            catalogue.find("locks", wrong)


def test_headers_that_only_help_others_are_not_offered():
    for part in ["word", "delay", "mcs-queue", "number", "four_arrive"]:
        assert part not in names("locks") | names("barriers")


@pytest.mark.parametrize("kind", catalogue.KINDS)
def test_everything_offered_is_a_file_with_a_description_of_one_sentence(kind):
    for item in catalogue.items(kind):
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
        UserError, match=r"there is no lock tass; did you mean tas\? There are .*mcs"
    ):
        catalogue.find("locks", "tass")


def test_a_lock_that_needs_a_486_says_so():
    needing = {item.name for item in catalogue.items("locks") if item.isa == "i486"}
    assert needing >= {"array-xadd", "ticket-xadd", "mcs-cas"}
    assert needing.isdisjoint({"array", "ticket", "mcs", "read"})


def test_a_new_file_is_offered_at_once(tmp_path):
    (tmp_path / "locks").mkdir()
    head = "// SPDX-License-Identifier: MIT\n#pragma once\n\n// My lock. It is new.\n"
    (tmp_path / "locks" / "mine.h").write_text(head + '#define LOCK_NAME "mine"\n')
    [mine] = catalogue.items("locks", tmp_path)
    assert (mine.name, mine.description) == ("mine", "My lock")
