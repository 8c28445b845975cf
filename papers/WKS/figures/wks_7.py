# SPDX-License-Identifier: MIT
"""WKS Fig. 7: time of the synthetic program by processors of a KSR1, two processes on each.

D_x(P): time of a turn with lock x and P workers, as in Figure 6.
"""

from symlab.plot.figure import Figure
from symlab_papers.expressions import claims

from .wks_6 import draw, series, times

FIGURE = Figure(series, draw, claims("wks-7", D=times), tidy=True)
