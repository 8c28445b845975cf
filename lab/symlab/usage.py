# SPDX-License-Identifier: MIT
"""What typer shows of arguments and mistakes, in plain words: it names types of Python."""

import difflib
import re
from typing import Any

import typer

WANTED = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "int_from_float": "a whole number",
}


NO_CHOICE = re.compile(r"'([^']*)' is not one of (.*)", re.DOTALL)  # as click says it


def in_words(error: typer.BadParameter) -> str:
    """What is wrong with the value: "'x' is not a whole number"; and which choice may be meant."""
    text = _in_words(error)
    if said := NO_CHOICE.match(text):
        nearest = difflib.get_close_matches(said[1], re.findall("'([^']*)'", said[2]), 1)
        text += f" Did you mean '{nearest[0]}'?" if nearest else ""
    return text


def _in_words(error: typer.BadParameter) -> str:
    details = getattr(error.__cause__, "errors", None)
    if details is None:
        return error.message
    found = details()[0]
    if (wanted := WANTED.get(found["type"])) is not None:
        return f"{found['input']!r} is not {wanted}"
    return str(found["msg"]).removeprefix("Value error, ")


def name_arguments(command: Any) -> None:
    """Lets the help show arguments by their names alone: CONFIG, not {config} and <path>."""
    for argument in command.params:
        if argument.param_type_name == "argument":
            name = argument.metavar or argument.name.upper()
            shown = name if argument.required or name.startswith("[") else f"[{name}]"
            argument.metavar = name
            argument.display_type_rich = lambda ctx: ""
            argument.get_usage_pieces = lambda ctx, shown=shown: [shown]
