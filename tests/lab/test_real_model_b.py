# SPDX-License-Identifier: MIT
"""The workloads of a Model B in the real simulator: the parts of a turn, the rounds of barriers.

They need SYMSIM_BINARY, which `make test` sets.
"""

import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from symlab import run
from symlab.errors import RunFailed
from symlab_papers.figures import model_b

CONFIGS = Path(__file__).resolve().parents[2] / "configs" / "figures" / "model-b"
BINARY = os.environ.get("SYMSIM_BINARY", "")
CLOCK_US = 1 / 16

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def results(config: str, folder: Path, **arguments: object) -> dict:
    """The guest's results of a short run, with the names of arguments of the config."""
    processors = arguments.pop("processors", 1)
    keys: dict[str, Any] = {f"guest.args.{name}": value for name, value in arguments.items()}
    keys |= {"machine.processors": processors, "guest.args.turns": 20000}
    summary = run(
        CONFIGS / f"{config}.toml", settings=keys, out=folder, simulator=BINARY, strict=False
    )
    given = {"processors": processors, "rounds": 1, "status": "finished"}
    return summary["guest"]["results"] | given


def mean_pause_ps(found: dict) -> float:
    return found["pause_least_ps"] + (found["pause_steps"] - 1) / 2 * found["pause_step_ps"]


def test_a_turn_of_spin_on_one_processor_takes_as_long_as_the_published_one(tmp_path):
    found = results("spin", tmp_path, lock="xchgb")
    section_us = found["section_ps"] / 1e6
    assert section_us == pytest.approx(11, abs=CLOCK_US), "section_us of the config"
    turn_us = found["elapsed_us"] / found["turns_done"]
    assert turn_us == pytest.approx(66.5, rel=0.03)
    assert section_us == pytest.approx(turn_us / 6, rel=0.03)
    assert mean_pause_ps(found) == pytest.approx(5 * found["section_ps"], rel=0.01)


@pytest.mark.parametrize(("section_us", "clocks"), [(6, 4), (10, 1), (20, 1), (100, 1)])
def test_a_section_takes_the_time_asked_for_and_the_pause_follows(
    tmp_path, section_us: int, clocks: int
):
    found = results("spin", tmp_path, lock="read", section_us=section_us)
    assert found["section_ps"] / 1e6 == pytest.approx(section_us, abs=clocks * CLOCK_US)
    assert mean_pause_ps(found) == pytest.approx(5 * found["section_ps"], rel=0.01)


def test_a_section_that_cannot_be_so_short_is_refused(tmp_path):
    with pytest.raises(RunFailed, match="panic"):
        results("spin", tmp_path, lock="read", section_us=1)


@pytest.mark.parametrize("lock", ["xchgb-backoff", "read", "array", "mcs"])
@pytest.mark.parametrize(("section", "section_us"), [("empty", 0), ("6480ns", 6.48)])
def test_on_one_processor_a_turn_is_section_loop_with_calls_and_lock(
    tmp_path, lock: str, section: str, section_us: float
):
    found = results("acquire", tmp_path, lock=lock, section=section)
    row = model_b.acquire(pd.DataFrame([{**found, "lock": lock}])).iloc[0]
    assert row["section_us"] == pytest.approx(section_us, abs=CLOCK_US)
    # Two calls and two returns take at least 7 + 10 clocks each, whatever the compiler makes of
    # the rest (Intel, 386 programmer's reference manual).
    assert row["loop_us_per_turn"] > 2 * 17 * CLOCK_US
    parts = row["section_us"] + row["loop_us_per_turn"] + row["overhead_us_per_turn"]
    assert row["elapsed_us_per_turn"] == pytest.approx(parts, abs=1e-5)
    assert 0.5 < row["overhead_us_per_turn"] < 10


def episode_us(folder: Path, start: str, **arguments: int) -> float:
    """Time of an episode of the counter barrier with two processors, which begin otherwise for each
    length of `start`."""
    keys: dict[str, Any] = {f"guest.args.{name}": value for name, value in arguments.items()}
    keys |= {"machine.processors": 2, "guest.args.barrier": "counter", "guest.args.start": start}
    found = run(
        CONFIGS / "barriers.toml", settings=keys, out=folder, simulator=BINARY, strict=False
    )["guest"]["results"]
    assert found["episodes"] == arguments["episodes"]
    return found["elapsed_us"] / found["episodes"]


def test_with_the_rounds_of_the_config_an_episode_does_not_depend_on_the_start(tmp_path):
    times = [episode_us(tmp_path / start, start, episodes=25_700) for start in ("0", "00", "000")]
    assert max(times) < 1.01 * min(times)


def test_episodes_are_divided_among_rounds_of_at_least_one(tmp_path):
    assert episode_us(tmp_path / "seven", "0", episodes=7, rounds=3) > 1
    for episodes, rounds in ((2, 3), (1, 0)):
        with pytest.raises(RunFailed, match="panic"):
            episode_us(tmp_path / f"{rounds}", "0", episodes=episodes, rounds=rounds)
