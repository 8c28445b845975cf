# SPDX-License-Identifier: MIT
"""The figures of strategies and locks on machines of nodes: what they compute, of made-up runs."""

from pathlib import Path

import pandas as pd
from symlab.runs.one_run import Run
from symlab_papers.figures import nodes

LOCKS = pd.DataFrame(
    {
        "lock": ["read", "mcs"], "processors": 32, "increments": 1000, "status": "finished",
        "elapsed_us": [8000, 4000], "lock_max_wait_us": [7900.0, 130.0],
        "share_maximum": [970, 32],
    }
)  # fmt: skip


def run_with(**summary: object) -> Run:
    return Run(Path("run"), summary)


def test_far_misses_and_links_are_those_of_the_run_and_of_its_lock():
    lock = {"mean_handoff_links": 0.12}
    assert nodes.measure(run_with(misses={"far": 30}, locks=[lock])) == {
        "far_misses": 30, "handoff_links": 0.12,
    }  # fmt: skip
    assert nodes.measure(run_with(misses={"far": 30}, locks=[])) == {"far_misses": 30}
    assert nodes.measure(run_with(locks=[lock])) == {}, "a bus has no distance"


def test_a_turn_has_its_part_of_time_and_misses():
    far = LOCKS.assign(far_misses=[5000, 1000], handoff_links=[0.5, 0.12])
    found = nodes.FIGURES["locks"].series(far).set_index("lock")
    assert found.loc["mcs"].to_dict() == {
        "processors": 32, "turn_us": 4, "longest_wait_us": 130, "largest_share": 0.032,
        "far_misses": 1, "handoff_links": 0.12,
    }  # fmt: skip
    on_a_bus = nodes.FIGURES["locks"].series(LOCKS)
    assert (on_a_bus[["far_misses", "handoff_links"]] == 0).all(axis=None)
    assert list(on_a_bus["lock"]) == ["mcs", "read"]


def test_a_thread_has_its_part_of_time_and_misses():
    runs = pd.DataFrame(
        {
            "strategy": ["b", "a"], "processors": 8, "threads": 2000, "status": "finished",
            "elapsed_us": [4000, 1000], "far_misses": [8000, 2000],
        }
    )  # fmt: skip
    found = nodes.FIGURES["strategies"].series(runs)
    assert found.to_dict("list") == {
        "strategy": ["a", "b"], "processors": [8, 8], "thread_us": [0.5, 2], "far_misses": [1, 4],
    }  # fmt: skip
