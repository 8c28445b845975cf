# SPDX-License-Identifier: MIT
"""MTH Fig. 16: gain of each affinity model over none in Jacobi's method, by number of processors.

G_x(P) = D_NoAff(P)/D_x(P) - 1, where D is the time of the run.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

NONE = "none"
NODE = 8
FEW = (1, 4, 8)
MODELS = ("vtime", "cmisses", "cmsum", "reload")  # those of the paper's figure


def gains(runs: pd.DataFrame, rate: str) -> pd.DataFrame:
    """Tidy data, sorted: affinity, processors, gain, spread_gain. `rate`: a column that is the
    larger the faster the run was."""
    done = averaged(runs, ["affinity", "processors"], rate, "spread")
    base = done[done["affinity"] == NONE].set_index("processors")
    rows = done[done["affinity"] != NONE].copy()
    of_none = base.reindex(rows["processors"])
    ratio = rows[rate].to_numpy() / of_none[rate].to_numpy()
    rows["gain"] = ratio - 1
    relative = rows["spread"] / rows[rate], of_none["spread"] / of_none[rate]
    rows["spread_gain"] = ratio * sum(np.asarray(part) for part in relative)
    return rows[["affinity", "processors", "gain", "spread_gain"]].reset_index(drop=True)


def of_locks(runs: pd.DataFrame) -> pd.DataFrame:
    """The gains in locks per second."""
    return gains(finished(runs, ["affinity", "processors", "locks_per_second"]), "locks_per_second")


def of_time(runs: pd.DataFrame) -> pd.DataFrame:
    """The gains in time."""
    done = finished(runs, ["affinity", "processors", "elapsed_us"]).copy()
    done["rate"] = 1e6 / done["elapsed_us"]
    return gains(done, "rate")


def draw(ax: Axes, data: pd.DataFrame) -> None:
    ax.axhline(0, color="0.6", linewidth=0.8)
    Plot("gain", "Gain over no affinity", "affinity")(ax, data)


@judges("MTH-16")
def mth_16(claim: Claim, data: pd.DataFrame) -> Verdict:
    gain = _gain(data)
    gain.require(MODELS, FEW)
    gains = {(model, p): g for model in MODELS for p, g in gain.curve(model).items()}
    beyond = {at for at in gains if at[0] == "reload" and at[1] > NODE}
    if not beyond:
        return claim.not_run("reload beyond a node")
    best = max(beyond, key=lambda at: gains[at])
    other = max(gains.keys() - beyond, key=lambda at: gains[at])
    lead = gains[best] - gains[other]
    most = claim.judged(
        lead > 0, lead, 0.0, lead,
        f"Reload's gain at P={best[1]:g} less {other[0]}'s at P={other[1]:g}",
    )  # fmt: skip
    leads = {p: gain.ranged("vtime", p) - gain.ranged("reload", p) for p in FEW}
    return claim.all_of(most, claim.positive(leads, "VTime less Reload, P={:g}"))


def _gain(data: pd.DataFrame) -> Curves:
    return Curves.of(data, "gain", curve="affinity")
