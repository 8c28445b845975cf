# SPDX-License-Identifier: MIT
"""A small SVG writer: shapes and texts whose colours follow the reader's light or dark theme.

The picture has a card of its own as background. So it can be read even on a page whose theme
differs from the browser's. Colours are CSS classes, without variables, since some programs that
show SVG know no others. Equal calls give equal bytes.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from symlab.reports.colours import KINDS

Point = tuple[float, float]

# Name -> colour on a light and on a dark page. Kinds of transactions have the reports' colours.
COLOURS = {
    "card": ("#ffffff", "#161b22"),
    "ink": ("#1f2328", "#e6edf3"),
    "dim": ("#59636e", "#9da7b3"),
    "rule": ("#d0d7de", "#3d444d"),
    "pale": ("#eaeef2", "#262c36"),
    "mid": ("#9aa6b2", "#6e7983"),
    "blue": ("#0072B2", "#58a6e0"),
    "green": ("#009E73", "#2fbf95"),
    "red": ("#D55E00", "#f0803c"),
    "red-pale": ("#fbe6d8", "#4a2813"),
    "purple": ("#a0508a", "#d98cb8"),
    "amber": ("#e0b95c", "#b08a3a"),
    "on-amber": ("#1f2328", "#0d1117"),
} | {f"kind-{name}": (colour, colour) for name, colour in KINDS.items()}

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif"


def number(value: float) -> str:
    """A coordinate with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass
class Drawing:
    """A picture in progress. Coordinates are pixels from the upper left corner. `title` and
    `description` are for screen readers. A colour is a name in COLOURS."""

    width: float
    height: float
    title: str
    description: str
    _used: set[str] = field(default_factory=set)
    _body: list[str] = field(default_factory=list)

    def heading(self, about: str = "", below: str = "", margin: float = 20) -> None:
        """The title, what the picture is `about` at the right border, and a line `below`."""
        self.text(20, 30, self.title, size=17, bold=True)
        if about:
            self.text(self.width - margin, 30, about, "dim", anchor="end")
        if below:
            self.text(20, 52, below, "dim")

    def legend(
        self, x: float, y: float, entries: Iterable[tuple[str, str]], gap: float, letter: float
    ) -> None:
        """Words, each behind a box of its colour. `gap`, `letter`: width besides the words, and
        of a letter."""
        for words, colour in entries:
            self.box(x, y - 10, 16, 12, colour)
            self.text(x + 22, y, words, size=12)
            x += gap + letter * len(words)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = "",
        stroke: str = "", round: float = 0,
    ) -> None:  # fmt: skip
        """A rectangle; no fill or no stroke if the name is empty."""
        where = {"x": x, "y": y, "width": width, "height": height} | (
            {"rx": round} if round else {}
        )
        text = " ".join(f'{name}="{number(value)}"' for name, value in where.items())
        self._add("rect", text, fill, stroke)

    def blocks(self, boxes: Iterable[tuple[float, float, float, float]], fill: str) -> None:
        """Many rectangles (x, y, width, height) of one colour, as one path."""
        path = "".join(
            f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z"
            for x, y, w, h in boxes
        )
        if path:
            self._add("path", f'd="{path}"', fill)

    def circle(self, x: float, y: float, radius: float, fill: str = "", stroke: str = "") -> None:
        where = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        self._add("circle", where, fill, stroke)

    def line(
        self, points: list[Point], stroke: str, width: float = 1, dashed: bool = False
    ) -> None:
        """A polyline."""
        path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
        thick = f' stroke-width="{number(width)}"' if width != 1 else ""
        thick += ' stroke-dasharray="4 3"' if dashed else ""
        self._add("path", f'd="M{path}"{thick}', "", stroke)

    def text(
        self, x: float, y: float, words: str, colour: str = "ink", size: float = 13,
        anchor: str = "start", bold: bool = False,
    ) -> None:  # fmt: skip
        """One line of text. `anchor`: start, middle or end."""
        where = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        where += f' text-anchor="{anchor}"' if anchor != "start" else ""
        where += ' font-weight="600"' if bold else ""
        self._add("text", where, colour, words=escape(words, quote=False))

    def svg(self) -> str:
        size = f"{number(self.width)} {number(self.height)}"
        card = f'<rect class="f-card" width="{number(self.width)}" height="{number(self.height)}" '
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
                f'width="{number(self.width)}" height="{number(self.height)}" role="img">',
                f"<title>{escape(self.title, quote=False)}</title>",
                f"<desc>{escape(self.description, quote=False)}</desc>",
                f"<style>{self._rules()}</style>",
                card + 'rx="8"/>',
                *self._body,
                "</svg>\n",
            ]
        )

    def _add(
        self, tag: str, where: str, fill: str, stroke: str = "", words: str | None = None
    ) -> None:
        classes = [f"f-{fill}" if fill else "none", *([f"s-{stroke}"] if stroke else [])]
        self._used.update(classes)
        end = "/>" if words is None else f">{words}</{tag}>"
        self._body.append(f'<{tag} class="{" ".join(classes)}" {where}{end}')

    def _rules(self) -> str:
        property_of = {"f": "fill", "s": "stroke"}
        themes: list[list[str]] = [[], []]
        for name in sorted((self._used | {"f-card"}) - {"none"}):
            kind, _, colour = name.partition("-")
            for theme, value in zip(themes, COLOURS[colour], strict=True):
                theme.append(f".{name}{{{property_of[kind]}:{value}}}")
        light, dark = ("".join(theme) for theme in themes)
        both = f".none{{fill:none}}text{{font-family:{FONT}}}"
        return f"{both}{light}@media (prefers-color-scheme:dark){{{dark}}}"
