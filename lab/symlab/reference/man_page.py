# SPDX-License-Identifier: MIT
"""Renders docs/symsim.1 in the man macros of groff."""

from collections.abc import Iterable, Mapping
from typing import Any

SEE_ALSO = "docs/how-to/ and docs/reference/ of the source tree"


def man_page(description: Mapping[str, Any]) -> str:
    """The page as roff. It has no date, so its bytes do not depend on when it is made."""
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
            _columns(description["files"]),
            ".SH CONFIG KEYS\n",
            _list((_named(k), _key(k)) for k in description["keys"]),
            _list((k["name"], f"{k['fits']}. {k['meaning']}") for k in description["free_keys"]),
            ".SH WORDS\n",
            _words(description),
            ".SH PROBE POINTS\n",
            _list((p["name"], _probe(p)) for p in description["probes"]),
            f".SH EXAMPLE\n{_text(description['example'])}\n",
            f".SH SEE ALSO\n{_text(SEE_ALSO)}\n",
        ]
    )


def _probe(probe: Mapping[str, Any]) -> str:
    return f"{probe['meaning']}. Operand: {probe['operand']}."


def _option(option: Mapping[str, str]) -> str:
    names = ", ".join(name for name in (option["short"], option["name"]) if name)
    return f"{names} {option['argument']}".strip()


def _file(file: Mapping[str, Any]) -> str:
    when = f" (with {file['when']})" if file["when"] else ""
    return f"{file['meaning']}{when}."


def _columns(files: Iterable[Mapping[str, Any]]) -> str:
    return "".join(
        f".SS Of {_text(file['name'])}\n"
        + _list((_named(c), c["meaning"]) for c in file["columns"])
        for file in files
        if file["columns"]
    )


def _named(thing: Mapping[str, str]) -> str:
    return f"{thing['name']} ({thing['unit']})" if thing["unit"] else thing["name"]


def _key(key: Mapping[str, Any]) -> str:
    return f"{key['fits']}; default {key['default']}. {key['meaning']}"


def _words(description: Mapping[str, Any]) -> str:
    titles = {
        "Statuses of a run": "statuses",
        "States of a processor": "states",
        "Activities of a processor": "activities",
        "Kinds of transactions": "kinds",
    }
    return "".join(
        f".SS {title}\n" + _list((w["name"], w["meaning"]) for w in description[table])
        for title, table in titles.items()
    )


def _list(items: Iterable[tuple[str, str]]) -> str:
    return "".join(f".TP\n.B {_text(name)}\n{_text(meaning)}\n" for name, meaning in items)


def _text(text: str) -> str:
    """The text with everything escaped that roff would interpret."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "\n".join(
        "\\&" + line if line[:1] in (".", "'") else line for line in escaped.split("\n")
    )
