# SPDX-License-Identifier: MIT
"""ALL section 4.1: the effect on other caches of an xchgb that changes nothing.

Processor 0 exchanges a word, or in other runs only reads it; then each other processor reads it
once. Claim ALL-42. The claim also says that requests of others for the word wait during the
exchange; tests/bus checks that part.
"""

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged
from symlab_papers.claims import Claim, judges

PROCESSORS = (2, 8, 20)


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Columns processors, access, misses, locked_stores, spread; sorted.

    misses: reads on the bus per round and other processor, without the first round, whose misses
    are cold. locked_stores: locked stores on the bus per round.
    """
    columns = ["processors", "access", "rounds", "read_transactions", "locked_store_transactions"]
    done = finished(runs, columns).copy()
    rounds = done["rounds"] - 1
    done["misses"] = done["read_transactions"] / rounds / (done["processors"] - 1)
    done["locked_stores"] = done["locked_store_transactions"] / done["rounds"]
    keys = ["access", "processors"]
    return averaged(done, keys, "misses", "spread", ["locked_stores"])


draw = Plot("misses", "Read misses per access and other processor", "access")


@judges(
    "ALL-42",
    "failing xchgb: at least 1 write to memory each, and afterwards 1 read miss (+- 0.02) of "
    "each other processor that a read does not cause",
)
def all_42(claim: Claim, data: pd.DataFrame) -> Verdict:
    misses = draw.curves(data).require(["exchange", "read"], PROCESSORS)
    written = Curves.of(data, "locked_stores", curve="access").at("exchange", PROCESSORS)
    caused = {p: abs(misses["exchange", p] - misses["read", p] - 1) for p in PROCESSORS}
    return claim.all_of(
        claim.at_least(written, 1.0, "writes, at P={}"),
        claim.at_most(caused, 0.02, "misses caused less 1, at P={}"),
    )


FIGURE = Figure(series, draw, (all_42,), failures=draw.failures)
