# SPDX-License-Identifier: MIT
"""What every figure's claims are tested for."""

import pandas as pd
from symlab.figure import Figure, Verdict


def check_three_states(
    figure: Figure, claim, good: pd.DataFrame, bad: pd.DataFrame, gap: pd.DataFrame, missing: str
) -> Verdict:
    """`claim` holds on the runs `good`, fails on `bad`, is not run on `gap`, whose verdict names
    what is `missing`. Returns the failing verdict."""
    assert claim in figure.claims
    held, failed, unknown = (claim(figure.series(runs)) for runs in (good, bad, gap))
    assert (held.state, failed.state, unknown.state) == ("holds", "fails", "not run")
    assert held.margin is not None and held.margin >= 0
    assert missing in unknown.note
    assert held.id == failed.id == unknown.id == claim.__name__.upper().replace("_", "-")
    assert held.statement == failed.statement == unknown.statement
    empty = claim(figure.series(good.iloc[:0]))
    assert empty.state == "not run"
    return failed
