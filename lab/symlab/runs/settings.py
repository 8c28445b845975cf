# SPDX-License-Identifier: MIT
"""Values of config keys as text: what follows --set, and what labels show."""

import tomllib
from typing import Any

from symlab.errors import UserError
from symlab.runs.toml_text import parse_toml

Scalar = str | int | float | bool


def parse_setting(text: str) -> tuple[str, Any]:
    """Splits `key=value` of the command line; returns the key and the parsed value.

    The value is TOML if it parses as TOML, else a string. Lists may contain bare words:
    `guest.args.lock=[xchgb,read]`. Raises UserError if there is no key or no `=`.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UserError(f"--set {text}: expected key=value, for example machine.processors=4")
    return key.strip(), _parse_value(value.strip())


def format_value(value: Scalar) -> str:
    """The text for --set from which the simulator reads the value with the same type."""
    if isinstance(value, str) and not isinstance(_parse_value(value), str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return plain(value)


def plain(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse_value(text: str) -> Any:
    try:
        return parse_toml(f"v = {text}", "a value")["v"]
    except tomllib.TOMLDecodeError:
        pass
    if text.startswith("[") and text.endswith("]"):
        return [_parse_value(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    return text
