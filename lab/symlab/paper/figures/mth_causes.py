# SPDX-License-Identifier: MIT
"""Experiments that show why claims of MTH fail: its figures with one thing changed, not judged."""

from dataclasses import replace

from symlab.paper.figures import mth_14, mth_15

FIGURES = {
    "14": replace(
        mth_14.FIGURE, claims=(),
        caption="Figure 14 with processors four times as fast relative to memory.",
    ),
    "15": replace(
        mth_15.FIGURE, claims=(), caption="Figure 15 with the two of a couple on two processors."
    ),
}  # fmt: skip
