# SPDX-License-Identifier: MIT
"""ALL section 4.1: the effect on other caches of an xchgb that changes nothing.

Processor 0 exchanges a word, or in other runs only reads it; then each other processor reads it
once. Claim ALL-42. The claim also says that requests of others for the word wait during the
exchange; tests/bus checks that part.
"""

from functools import partial

import pandas as pd
from symlab.plot.curves import Curves, Plot
from symlab.plot.figure import Figure, finished
from symlab.plot.repeats import averaged
from symlab_papers.expressions import claims


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


STORES = partial(Curves.of, y="locked_stores", curve="access")
CLAIMS = claims("all-4.1-exchange", M=draw.curves, S=STORES)
FIGURE = Figure(series, draw, CLAIMS, failures=draw.failures)
