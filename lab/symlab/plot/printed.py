# SPDX-License-Identifier: MIT
"""Numbers that a paper prints in its text, drawn into the figures that they belong to.

The papers' curves are not available, so these numbers are all that a simulated curve can be
compared with.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOUR = "#777777"  # no curve has it
BELOW_LEGEND = 0.75  # of the height of the axes
LINES = ((0, (6, 2)), (0, (1, 1.5)), (0, (8, 2, 2, 2)))  # dashes that no curve has


@dataclass(frozen=True)
class Printed:
    """A number of a paper in the figure `figure`, a name as in figure.name of a config.

    `text`: as the paper says it. `where`: its place in the paper. `y`, `x`: in the units of the
    axes; without one of them, the number is that of a whole line.
    """

    figure: str
    text: str
    where: str
    y: float | None = None
    x: tuple[float, ...] = ()

    @property
    def label(self) -> str:
        return f"paper: {self.text} ({self.where})"


def overlay(ax: "Axes", numbers: tuple[Printed, ...]) -> None:
    """Draws each number: a line across the axes, or a marker at each of its points."""
    for number, line in zip(numbers, LINES * len(numbers), strict=False):
        look: dict[str, Any] = {"color": COLOUR, "linewidth": 1.2, "linestyle": line, "zorder": 1}
        if number.y is None:
            for at, x in enumerate(number.x):
                ax.axvline(x, 0, BELOW_LEGEND, label=number.label if at == 0 else "_", **look)
        elif number.x:
            marks: dict[str, Any] = {"marker": "o", "markersize": 9, "fillstyle": "none"}
            marks |= {"linestyle": "", "clip_on": False}
            ys = [number.y] * len(number.x)
            ax.plot(number.x, ys, color=COLOUR, label=number.label, zorder=2.5, **marks)
        else:
            ax.axhline(number.y, label=number.label, **look)
