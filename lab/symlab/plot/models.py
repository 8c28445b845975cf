# SPDX-License-Identifier: MIT
"""Curves of a Symmetry's Model A and Model B on the same axes: solid and dashed."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from symlab.plot.curves import chosen
from symlab.plot.ticks import from_zero

NAMES = {"write-through": "Model A", "write-back": "Model B"}  # by cache.protocol
LINES = {"write-through": "-", "write-back": "--"}


def draw_models(
    ax: Axes, data: pd.DataFrame, x: str, y: str, curve: str, labels: Mapping[Any, str]
) -> None:
    """Draws `y` over `x`: a line for each protocol and value of the column `curve`. `labels`:
    values of `curve`, each with its text in the legend."""
    for protocol, line in LINES.items():
        for i, (value, label) in enumerate(labels.items()):
            rows = chosen(data, **{"protocol": protocol, curve: value})
            ax.plot(
                rows[x], rows[y], line, marker="o", markersize=3, color=f"C{i}",
                label=label if line == "-" else None,
            )  # fmt: skip
    from_zero(ax)
