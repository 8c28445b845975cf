# SPDX-License-Identifier: MIT
"""A lock, barrier or strategy that a program cannot have is refused; what it may have is not."""

from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.guest.uses import lacks, uses
from symlab.runs.experiment import experiment

KINDS = ("lock", "barrier", "strategy")
# Workloads that have each kind; all others lack it.
HAVE = {
    "barrier": {"barriers", "check_barrier"},
    "strategy": {
        "check_threads", "creates", "imbalance", "jacobi", "jacobi_threads",
        "mutex_pairs", "null_threads", "pipeline", "private_threads", "queue_operations",
        "quicksort", "residency", "thread_latency",
    },
}  # fmt: skip


@pytest.mark.parametrize("item", catalogue.items("workloads"), ids=lambda item: item.name)
def test_each_workload_lacks_what_it_does_not_use(item):
    for kind, names in HAVE.items():
        assert bool(lacks(item.file, kind)) == (item.name not in names), kind
    for kind in uses(item.file):
        assert not lacks(item.file, kind)


@pytest.mark.parametrize("name", ["tables", "false_sharing", "memory_latency", "check_barrier"])
def test_a_workload_without_a_lock_lacks_it(name):
    assert "uses no lock" in lacks(catalogue.find("workloads", name).file, "lock")


@pytest.mark.parametrize(
    "name", ["counter", "turns", "acquire", "quicksort", "searching", "private_sections"]
)
def test_a_lock_behind_a_header_or_in_the_thread_package_counts(name):
    assert not lacks(catalogue.find("workloads", name).file, "lock")


@pytest.mark.parametrize(
    ("text", "kind", "has"),
    [
        ('#include "lock.h"\nint main(void) { return 0; }', "lock", False),
        ('#include "lock.h"\n#define TAKE lock_acquire\n', "lock", True),
        ('#include "mine.h"\n', "lock", True),
        ("  #  include <pthread.h>\n", "strategy", True),
        ("#include <pthread.h>\n", "lock", True),
        ('#include "threads.h"\n', "strategy", False),
        ("#include <barrier.h>\n", "barrier", True),
        ("#include <symsim.h>\n", "barrier", False),
    ],
)
def test_own_programs(tmp_path, text, kind, has):
    (tmp_path / "mine.h").write_text("static void take(void) { lock_try(&l, &s); }")
    (tmp_path / "p.c").write_text(text)
    assert bool(lacks(tmp_path / "p.c", kind)) != has


@pytest.mark.parametrize(
    ("program", "choices", "says"),
    [
        ("counter", {"strategy": ["single-lock"]}, "--strategy single-lock: counter starts no"),
        ("tables", {"lock": ["mcs"]}, "--lock mcs: tables uses no lock"),
        ("counter", {"barrier": ["counter"]}, "--barrier counter: counter uses no barrier"),
        ("counter", {"strategy": ["singel-lock"]}, "did you mean single-lock"),
        ("counter", {"lock": ["ticke"]}, "did you mean ticket"),
    ],
)
def test_what_a_program_lacks_is_refused(program, choices, says):
    with pytest.raises(UserError, match=says):
        experiment(program, choices)


def test_a_program_of_pthreads_beside_its_own_header_is_built_as_one(tmp_path: Path) -> None:
    (tmp_path / "all.h").write_text("#include <pthread.h>\n")
    (tmp_path / "p.c").write_text('#include "all.h"\nint main(void) { return 0; }\n')
    assert experiment(tmp_path / "p.c", {"lock": ["mcs"]}).fixed["strategy"].name
