# SPDX-License-Identifier: MIT
"""URPC section 4.2: latency of a call by the number of words that it passes."""

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab.plot.ticks import from_zero
from symlab_papers.claims import Claim, judges
from symlab_papers.measures.calls import NS_PER_US
from symlab_papers.measures.fits import line_fit

WORD_US = 1.0
WORD_TOLERANCE_US = 0.2
LEAST = 3  # points of a line


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: words (of a call and its result together), latency_us, spread_us."""
    done = finished(runs, ["words", "call_ns"]).copy()
    done["words"] = 2 * done["words"]
    done["latency_us"] = done["call_ns"] / NS_PER_US
    return averaged(done, ["words"], "latency_us", "spread_us")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    ax.plot(data["words"], data["latency_us"], "o-", markersize=4)
    ax.set_xlabel("Words of argument and result")
    ax.set_ylabel("Latency (us)")
    from_zero(ax)


@judges("URPC-20")
def urpc_20(claim: Claim, data: pd.DataFrame) -> Verdict:
    if len(data) < LEAST:
        raise NotRun(f"{LEAST} numbers of words")
    words, latency = (data[name].to_numpy(dtype=float) for name in ("words", "latency_us"))
    slope, _ = line_fit(words, latency)
    return claim.near(slope, WORD_US, WORD_TOLERANCE_US, "us a word")


FIGURE = Figure(series, draw, (urpc_20,), tidy=True)
