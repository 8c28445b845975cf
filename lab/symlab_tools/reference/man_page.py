# SPDX-License-Identifier: MIT
"""Renders docs/symsim.1 in the man macros of groff."""

from collections.abc import Iterable, Mapping
from typing import Any

SEE_ALSO = "docs/how-to/ and docs/reference/ of the source tree"
WORDS = {
    "Statuses of a run": "statuses",
    "States of a processor": "states",
    "Activities of a processor": "activities",
    "Kinds of transactions": "kinds",
}


def man_page(description: Mapping[str, Any]) -> str:
    """The page as roff. It has no date, so its bytes do not depend on when it is made."""
    columns = {f"Of {file['name']}": file["columns"] for file in description["files"]}
    words = {title: description[table] for title, table in WORDS.items()}
    return "".join(
        [
            '.\\" SPDX-License-Identifier: MIT\n.\\" Made by `symlab reference`; do not edit.\n',
            f'.TH SYMSIM 1 "" "symsim {description["version"]}" "User Commands"\n.nh\n',
            ".SH NAME\nsymsim \\- simulate a Sequent Symmetry bus multiprocessor\n",
            f".SH SYNOPSIS\n{_text(description['synopsis'])}\n",
            f".SH DESCRIPTION\n{_text(description['summary'])}\n",
            ".SH OPTIONS\n",
            _list((_option(o), o["meaning"]) for o in description["options"]),
            ".SH EXIT STATUS\n",
            _list((str(c["code"]), c["meaning"]) for c in description["exit_codes"]),
            ".SH FILES\n",
            _list((f["name"], _file(f)) for f in description["files"]),
            _sections(columns),
            ".SH CONFIG KEYS\n",
            _list(
                (_named(k), f"{k['fits']}; default {k['default']}. {k['meaning']}")
                for k in description["keys"]
            ),
            _list((k["name"], f"{k['fits']}. {k['meaning']}") for k in description["free_keys"]),
            ".SH WORDS\n",
            _sections(words),
            ".SH PROBE POINTS\n",
            _list(
                (p["name"], f"{p['meaning']}. Operand: {p['operand']}.")
                for p in description["probes"]
            ),
            f".SH EXAMPLE\n{_text(description['example'])}\n",
            f".SH SEE ALSO\n{_text(SEE_ALSO)}\n",
        ]
    )


def _option(option: Mapping[str, str]) -> str:
    names = ", ".join(name for name in (option["short"], option["name"]) if name)
    return f"{names} {option['argument']}".strip()


def _file(file: Mapping[str, Any]) -> str:
    when = f" (with {file['when']})" if file["when"] else ""
    return f"{file['meaning']}{when}."


def _named(thing: Mapping[str, str]) -> str:
    return f"{thing['name']} ({thing['unit']})" if thing.get("unit") else thing["name"]


def _sections(tables: Mapping[str, Iterable[Mapping[str, str]]]) -> str:
    """Title -> names with units and meanings; without the tables that are empty."""
    return "".join(
        f".SS {_text(title)}\n" + _list((_named(row), row["meaning"]) for row in rows)
        for title, rows in tables.items()
        if rows
    )


def _list(items: Iterable[tuple[str, str]]) -> str:
    return "".join(f".TP\n.B {_text(name)}\n{_text(meaning)}\n" for name, meaning in items)


def _text(text: str) -> str:
    """The text with everything escaped that roff would interpret."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "\n".join(
        "\\&" + line if line[:1] in (".", "'") else line for line in escaped.split("\n")
    )
