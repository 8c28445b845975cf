# SPDX-License-Identifier: MIT
"""The log of affinity: what is read from it, what models would know, and how that is scored."""

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from symlab import run
from symlab.errors import UserError
from symlab.runs.one_run import Run
from symlab_papers.affinity.log import Seen, read_log, yet_to_run
from symlab_papers.affinity.replay import MODELS, estimates, priorities, replay
from symlab_papers.affinity.scores import agreement, scores

CONFIG = Path(__file__).resolve().parents[2] / "papers" / "MTH" / "figures" / "section-5.2.toml"
BINARY = os.environ.get("SYMSIM_BINARY", "")
LINES = 100

# Thread 0 runs from 10 to 30 us with 50 misses, thread 1 from 40 to 50 with 20. Then both wait.
LOG = """thread 0 40
thread 1 20
start 0 5 2 0
stop 0 0
begin 10 5
start 0 32 58 0
stop 30 55
0 0 1 40 11 12
begin 40 60
start 0 52 83 7
stop 50 80
0 1 1 30 11 12
1 0 1 20 13 14
begin 60 90
"""


def test_a_log_is_read_line_by_line():
    log = read_log(LOG)
    assert log.sizes == {0: 40, 1: 20}
    assert [start.now_us for start in log.starts] == [5, 32, 52]
    last = log.starts[-1]
    assert (last.misses, last.word, last.stop_us, last.stop_misses) == (83, 7, 50, 80)
    assert (last.begin_us, last.begin_misses) == (60, 90)
    assert last.seen == [Seen(0, 1, 1, 30, (11, 12)), Seen(1, 0, 1, 20, (13, 14))]


@pytest.mark.parametrize("line", ["panic: no memory", "start 1 2 3", "0 1 2 3 4 x", "begin 1"])
def test_a_line_of_another_kind_is_an_error_that_shows_it(line: str):
    with pytest.raises(UserError, match=line):
        read_log(LOG + line)


def test_starts_of_all_processors_are_in_order_of_time():
    two = read_log("start 0 50 0 0\nbegin 60 0\nstart 1 20 0 0\nbegin 30 0\n")
    assert [start.processor for start in two.starts] == [1, 0]


def seen(number: int, periods: int, starts: int = 0) -> Seen:
    return Seen(number, starts, periods, 0, (0, 0))


def test_those_wait_that_have_begun_fewer_periods_and_all_when_a_round_begins():
    start = read_log(LOG).starts[-1]
    start.seen = [seen(0, 3), seen(1, 2, starts=1), seen(2, 2)]
    assert [thread.number for thread in yet_to_run(start)] == [1, 2]
    start.seen = [seen(0, 3), seen(1, 3, starts=1)]
    assert [thread.number for thread in yet_to_run(start)] == [0, 1]
    start.seen = [seen(0, 3), seen(1, 2)]
    assert yet_to_run(start) == [], "the one that starts is new here"


def test_a_replay_knows_what_each_model_asks_for():
    ((start, waiting),) = replay(read_log(LOG), LINES)
    (_, first), (_, second) = waiting
    assert (first.ran_us, first.stopped_us, first.period_misses) == (20, 30, 50)
    assert (second.ran_us, second.stopped_us, second.period_misses) == (10, 50, 20)
    assert (first.stopped, second.stopped) == (1, 2)
    assert first.footprint == pytest.approx(100 * (1 - 0.99**50))
    assert second.footprint == pytest.approx(100 * (1 - 0.99**20))
    known, other = (priorities(kept, start, LINES) for kept in (first, second))
    assert set(known) == set(MODELS)
    assert known["none"] > other["none"] and known["vtime"] < other["vtime"]
    assert (known["hyperbolic"], other["hyperbolic"]) == (20 / 22, 10 / 2)
    assert known["exponential"] == pytest.approx(20 * 2 ** (-22 / 1000))
    assert (known["cmisses"], other["cmsum"]) == (50, 20)
    left = first.footprint * 0.99**28
    assert estimates(first, start, LINES) == pytest.approx(
        {"cmisses": 50, "cmsum": 50, "reload": left}
    )
    transient = math.log((100 - first.footprint) / (100 - left)) / math.log(0.99)
    assert known["reload"] == pytest.approx(-transient)


def test_a_thread_that_comes_back_keeps_what_it_has_and_one_that_moves_does_not():
    more = LOG + "start 0 92 123 0\nstop 90 120\n0 0 2 45 0 0\n1 1 1 9 0 0\nbegin 95 125\n"
    *_, (_, waiting) = replay(read_log(more), LINES)
    assert [thread.number for thread, _ in waiting] == [1]
    moved = more + "start 1 99 0 0\nbegin 99 0\nstart 1 140 10 0\nstop 130 9\n0 1 3 9 0 0\n"
    *_, (_, ((_, there),)) = replay(read_log(moved), LINES)
    assert (there.processor, there.period_misses) == (1, 9)
    assert there.sum_misses == 50 + 30 + 9
    assert there.footprint == pytest.approx(100 * (1 - 0.99**9))


def test_agreement_is_a_rank_correlation():
    def of(*pairs: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
        return np.array([p for p, _ in pairs]), np.array([t for _, t in pairs])

    rising = of((1, 10), (2, 20), (3, 30))
    assert agreement([rising]) == 1
    assert agreement([(-rising[0], rising[1])]) == -1
    assert agreement([of((1, 10), (2, 30), (3, 20))]) == pytest.approx(1 / 3)
    assert agreement([of((1, 10), (1, 20))]) == 0, "the model cannot tell"
    assert agreement([of((1, 10), (2, 10), (3, 20))]) == 1, "there is nothing to tell"
    assert agreement([rising, of((2, 1), (1, 2))]) == pytest.approx(2 / 4)
    assert math.isnan(agreement([of((1, 10))]))


def test_scores_compare_orders_and_estimates_with_the_lines():
    found = scores(read_log(LOG), LINES)
    # Thread 0 has 30 of its 40 lines, thread 1 all of its 20.
    assert (found["tau_cmisses"], found["tau_vtime"], found["tau_none"]) == (1, -1, 1)
    assert (found["missing_cmisses"], found["missing_vtime"]) == (-1, 1)
    assert found["error_cmisses"] == pytest.approx((abs(50 - 30) + abs(20 - 20)) / 2)
    assert (found["mean_lines"], found["chosen_lines"], found["most_lines"]) == (25, 30, 30)
    assert found["period_misses"] == (50 + 20) / 2
    with pytest.raises(UserError, match="no start of a thread that ran before"):
        scores(read_log(LOG[: LOG.index("start 0 32")]), LINES)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize("affinity", ["vtime", "cmisses", "cmsum", "reload", "hyperbolic"])
def test_a_replay_knows_what_the_guests_own_model_knows(affinity: str, tmp_path: Path):
    keys: dict[str, Any] = {"guest.args.affinity": affinity, "guest.args.pattern": "random"}
    keys |= {"guest.args.rounds": 4, "machine.processors": 2}
    run(CONFIG, settings=keys, out=tmp_path, simulator=BINARY)
    log = read_log(Run.of(tmp_path).console)
    pairs = [(thread, kept) for _, waiting in replay(log, 1024) for thread, kept in waiting]
    assert len(pairs) > 200
    of = {
        "cmisses": lambda kept: kept.period_misses,
        "cmsum": lambda kept: kept.sum_misses,
        "reload": lambda kept: 256 * kept.footprint,
        "hyperbolic": lambda kept: kept.ran_us,
    }
    if affinity == "vtime":  # the guest counts other threads, too; the order is the same
        for _, waiting in replay(log, 1024):
            order = sorted(waiting, key=lambda pair: pair[1].stopped)
            words = [thread.words[0] for thread, _ in order]
            assert words == sorted(words)
        return
    # The log reads the counters shortly before or after the model does.
    error = [abs(thread.words[0] - of[affinity](kept)) for thread, kept in pairs]
    mean = np.mean([thread.words[0] for thread, _ in pairs])
    assert np.mean(error) < 0.03 * mean
