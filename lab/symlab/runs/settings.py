# SPDX-License-Identifier: MIT
"""Values of config keys as text: what follows --set, and what labels show."""

import json
import math
import tomllib
from typing import Any

from symlab.errors import UserError
from symlab.results.toml_text import parse_toml

Scalar = str | int | float | bool
TEXTS = ("guest.argv", "guest.env")  # words of a program, which are no numbers


def parse_setting(text: str) -> tuple[str, Any]:
    """Splits `key=value` of the command line; returns the key and the parsed value.

    The value is TOML if it parses as TOML, else a string. Lists may contain bare words:
    `guest.args.lock=[xchgb,read]`. Raises UserError if there is no key or no `=`, or if a list has
    no end: a shell splits it at a space.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UserError(f"--set {text}: expected key=value, for example machine.processors=4")
    parsed = (_parse_texts if key.strip() in TEXTS else _parse_value)(value.strip())
    if isinstance(parsed, str) and value.strip().startswith("["):
        raise UserError(
            f'--set {text}: the list has no "]" at its end; write it without spaces, or in '
            "quotes, as in --set 'machine.processors=[1, 2]'"
        )
    return key.strip(), parsed


def parse_argument(text: str) -> tuple[str, Any]:
    """The same for `name=value`, an argument of the guest."""
    name, equals, _ = text.partition("=")
    if not equals or not name.strip():
        raise UserError(f"--arg {text}: expected name=value, for example increments=1000")
    return parse_setting(f"guest.args.{text}")


def format_value(value: Scalar) -> str:
    """The text for --set from which the simulator reads the value with the same type."""
    if isinstance(value, str) and _parse_value(value) != value:
        return as_toml(value)
    return plain(value)


def as_toml(value: Any) -> str:
    """A string, number, boolean or list as TOML."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, str):  # JSON has the same escapes, but leaves DEL as it is
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return plain(value)


def plain(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse_value(text: str) -> Any:
    try:
        value = parse_toml(f"v = {text}", "a value")["v"]
        return text if _is_too_large(value, text) else value
    except tomllib.TOMLDecodeError:
        pass
    if text.startswith("[") and text.endswith("]"):
        return [_parse_value(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    return text


def _parse_texts(text: str) -> str | list[str]:
    """A text, or a list of texts. What is not a TOML string is taken as it is written."""
    parsed = _parse_value(text)
    if isinstance(parsed, list) and not all(isinstance(one, str | int) for one in parsed):
        parsed = [one.strip() for one in text[1:-1].split(",")]
    if isinstance(parsed, list):
        return [one if isinstance(one, str) else plain(one) for one in parsed]
    return parsed if isinstance(parsed, str) else text


def _is_too_large(value: Any, text: str) -> bool:
    """Whether it is a number beyond 64 bits, which the simulator takes for text."""
    if isinstance(value, float):
        return math.isinf(value) and "inf" not in text
    return isinstance(value, int) and not -(2**63) <= value < 2**63
