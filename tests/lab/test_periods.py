# SPDX-License-Identifier: MIT
"""scripts/periods.py finds repeated periods of bus uses, and only those."""

import sys

import pandas as pd
from doc_tables import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
from periods import in_periods


def uses(rows: list[tuple[int, int, int]]) -> pd.DataFrame:
    """Bus uses of (grant_ps, processor, address), each posted 100 ps before its grant."""
    frame = pd.DataFrame(rows, columns=["grant_ps", "processor", "address"])
    return frame.assign(posted_ps=frame["grant_ps"] - 100)


def test_whole_periods_after_the_first_repeat() -> None:
    repeating = uses([(1000 * n, n % 3, 64) for n in range(11)])
    # The first use has none before it, so the period begins with the second: uses 4 to 9 repeat
    # uses 1 to 6, and the eleventh use begins a period that does not end.
    assert in_periods(repeating).tolist() == [False] * 4 + [True] * 6 + [False]


def test_uses_at_other_distances_do_not_repeat() -> None:
    assert not in_periods(uses([(1000 * n * n, n % 3, 64) for n in range(30)])).any()


def test_an_address_that_changes_is_no_period() -> None:
    assert not in_periods(uses([(1000 * n, n % 3, 16 * n) for n in range(30)])).any()


def test_a_period_longer_than_asked_for_is_not_found() -> None:
    repeating = uses([(1000 * n, n % 7, 64) for n in range(50)])
    assert in_periods(repeating, longest=7).sum() == 42
    assert not in_periods(repeating, longest=6).any()
