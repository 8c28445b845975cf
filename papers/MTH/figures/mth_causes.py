# SPDX-License-Identifier: MIT
"""Experiments that show why claims of MTH fail: its figures with one thing changed, not judged."""

from dataclasses import replace

from . import mth_14, mth_15, mth_16

FIGURES = {
    "14": replace(
        mth_14.FIGURE, claims=(),
        caption="Figure 14 with processors four times as fast relative to memory.",
    ),
    "14n": replace(
        mth_14.FIGURE,
        claims=(),
        caption="Figure 14, one processor, threads that wait for neighbours.",
    ),
    "15": replace(
        mth_15.FIGURE, claims=(), caption="Figure 15 with the two of a couple on two processors."
    ),
    "16": replace(
        mth_16.FIGURE, claims=(), caption="Figure 16 with a sixteenth of the points.",
    ),
}  # fmt: skip
