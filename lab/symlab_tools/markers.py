# SPDX-License-Identifier: MIT
"""Tables and numbers of a Markdown page that are generated from data, between markers.

    <!-- table: rates -->

    | generated | lines |

    <!-- end -->

    Throughput reaches <!--=most-->156.3<!--/--> thousand threads per second.

The marker of a number never begins a line, since Markdown would then take the line for HTML.
"""

import re
from collections.abc import Mapping, Sequence

from symlab.errors import UserError

TABLE = re.compile(r"^<!-- table: (\S+) -->\n(?:(?!<!--).*\n)*<!-- end -->$", re.MULTILINE)
NUMBER = re.compile(r"<!--=([^\s>]+)-->[^<\n]*<!--/-->")
# What a reader of the page takes for a marker, whether or not it is one of the above.
MEANT = re.compile(r"<!--\s*(?:table\b|end\b|=|/)[^>]*>")
LINE_START = re.compile(r"^[ \t]*(?:[-*+>]|\d+\.)?[ \t]*<!--=", re.MULTILINE)


def filled(
    text: str, tables: Mapping[str, Sequence[str]], numbers: Mapping[str, str], page: str
) -> str:
    """The text with what the page quotes between its markers: the lines of each of the `tables` and
    the text of each of the `numbers`, by name. `page`: its name, for messages.

    Raises UserError if a marker is malformed or names nothing, or if the page does not quote all.
    """
    _check(text, page)
    used: set[str] = set()

    def value(kind: str, found: re.Match[str], known: Mapping[str, object]) -> object:
        name = found[1]
        if name not in known:
            names = ", ".join(known) or "none"
            raise UserError(f"{_place(page, text, found)}: no {kind} {name!r}; known: {names}")
        used.add(f"{kind} {name}")
        return known[name]

    def table(found: re.Match[str]) -> str:
        lines = value("table", found, tables)
        assert isinstance(lines, Sequence)
        return "\n".join([f"<!-- table: {found[1]} -->", "", *lines, "", "<!-- end -->"])

    def number(found: re.Match[str]) -> str:
        return f"<!--={found[1]}-->{value('number', found, numbers)}<!--/-->"

    done = NUMBER.sub(number, TABLE.sub(table, text))
    everything = [f"table {n}" for n in tables] + [f"number {n}" for n in numbers]
    if missing := [each for each in everything if each not in used]:
        raise UserError(
            f"{page}: quotes no {', no '.join(missing)}; add markers, or remove it from the module"
        )
    return done


def _check(text: str, page: str) -> None:
    """Raises UserError at the first marker that is not part of a table or a number."""
    if found := LINE_START.search(text):
        raise UserError(
            f"{_place(page, text, found)}: a number's marker begins a line, so that Markdown takes "
            "the line for HTML; put a word before it"
        )
    complete = [m.span() for pattern in (TABLE, NUMBER) for m in pattern.finditer(text)]
    for found in MEANT.finditer(text):
        if not any(begin <= found.start() < end for begin, end in complete):
            raise UserError(
                f"{_place(page, text, found)}: {found[0]} has no counterpart; write "
                "<!-- table: NAME --> and <!-- end --> on lines of their own, or "
                "<!--=NAME-->1.5<!--/--> within a line"
            )


def _place(page: str, text: str, found: re.Match[str]) -> str:
    return f"{page}:{text.count(chr(10), 0, found.start()) + 1}"
