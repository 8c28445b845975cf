# SPDX-License-Identifier: MIT
"""Mistakes in a command line, in plain words. typer shows those of pydantic as they are."""

import typer

WANTED = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "int_from_float": "a whole number",
}


def in_words(error: typer.BadParameter) -> str:
    """What is wrong with the value: "'x' is not a whole number"."""
    details = getattr(error.__cause__, "errors", None)
    if details is None:
        return error.message
    found = details()[0]
    if (wanted := WANTED.get(found["type"])) is not None:
        return f"{found['input']!r} is not {wanted}"
    return str(found["msg"]).removeprefix("Value error, ")
