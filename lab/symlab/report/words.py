# SPDX-License-Identifier: MIT
"""Numbers as words of a sentence: shares in percent, times in us, both rounded for reading."""

SPACE = "\u00a0"  # between a number and its unit, so that no line breaks there

KINDS = {
    "fetch": "fetches",
    "read": "reads",
    "read_exclusive": "reads for ownership",
    "upgrade": "upgrades",
    "store": "stores",
    "locked_read": "locked reads",
    "locked_store": "locked stores",
    "unlock": "unlocks",
    "write_back": "write-backs",
    "io_read": "device reads",
    "io_write": "device writes",
}


def share(part: float, whole: float) -> str:
    """part / whole in percent, as "79.7 %". Only 0 is written as 0, and only 1 as 100."""
    if not whole or not part:
        return f"0{SPACE}%"
    if part == whole:
        return f"100{SPACE}%"
    percent = 100 * part / whole
    if percent < 0.05:
        return f"under 0.1{SPACE}%"
    return f"over 99.9{SPACE}%" if percent >= 99.95 else f"{percent:.1f}{SPACE}%"


def number(value: float) -> str:
    """About three digits, as "17.8", "241" and "53,502"."""
    size = abs(value)
    digits = 0 if size >= 100 or size == int(size) else 1 if size >= 10 else 2
    return f"{value:,.{digits}f}"


def time(value_us: float) -> str:
    """A time, as "241 us"."""
    return f"{number(value_us)}{SPACE}us"
