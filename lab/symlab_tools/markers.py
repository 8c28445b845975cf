# SPDX-License-Identifier: MIT
"""What pages of Markdown quote of results, between markers that readers do not see.

    <!-- table: rates -->
    | P | rate |
    <!-- end -->

    Throughput reaches <!--=most-->156.3<!--/--> thousand threads per second.

The marker of a number never begins a line, since Markdown would then take the line for HTML.
"""

import re
from collections.abc import Mapping, Sequence

from symlab.errors import UserError

QUOTED = re.compile(
    r"(<!-- (table: \S+) -->\n)(?:(?!<!--).*\n)*(<!-- end -->)|(<!--(=\S+?)-->)[^<\n]*(<!--/-->)"
)


def filled(
    text: str, tables: Mapping[str, Sequence[str]], numbers: Mapping[str, str], page: str
) -> str:
    """The text with what the page quotes between its markers: the lines of each of the `tables` and
    the text of each of the `numbers`, by name. `page`: its name, for messages. Raises UserError if
    a marker names nothing, or if the page does not quote all."""
    known = {f"table: {name}": "\n".join(["", *lines, "", ""]) for name, lines in tables.items()}
    known |= {f"={name}": number for name, number in numbers.items()}
    missing = dict(known)

    def quoted(found: re.Match[str]) -> str:
        begin, name, end = (part for part in found.groups() if part is not None)
        if name not in known:
            raise UserError(f"{page}: there is no {name!r} to quote; known: {', '.join(known)}")
        missing.pop(name, None)
        return f"{begin}{known[name]}{end}"

    done = QUOTED.sub(quoted, text)
    if missing:
        names = ", no ".join(missing)
        raise UserError(f"{page}: quotes no {names} between whole markers; markers.py shows them")
    return done
