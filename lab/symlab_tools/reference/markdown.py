# SPDX-License-Identifier: MIT
"""Renders docs/reference/options-and-keys.md."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from symlab.results.markdown import table

from symlab_tools.reference.lab_keys import LAB_KEYS

HEAD = """\
# Options, config keys, output files and exit codes: the reference

This page lists all options of `symsim`, all keys of a config, and all keys and columns of the files
that a run writes. `symlab reference` generates the page from the simulator itself
(`symsim --describe`). [Files of a run](outputs.md) explains the files, and
[Write a config](../how-to/configs.md) explains configs.

- [Command line](#command-line) · [Exit codes](#exit-codes) · [Config keys](#config-keys)
- [Files of a run](#files-of-a-run) · [Words](#words) · [Probe points](#probe-points)
"""

IN_CODE = re.compile(
    r"(?<![\w`/])(--[a-z-]+|\{?[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z][A-Za-z0-9]*)+\}?)(?![\w`])"
)
NO_CODE = {"ui.perfetto.dev"}

Row = Sequence[str]


def markdown(description: Mapping[str, Any]) -> str:
    codes = ((str(c["code"]), _prose(c["meaning"]), c["files"]) for c in description["exit_codes"])
    parts = [
        HEAD,
        _command_line(description),
        "## Exit codes\n\n" + _table(("Code", "Meaning", "Files"), codes),
        _keys(description["keys"], description["free_keys"]),
        _files(description["files"]),
        _words(description),
        _probes(description["probes"]),
    ]
    return "\n".join(parts)


def _command_line(description: Mapping[str, Any]) -> str:
    rows = [
        (", ".join(_code(f"{name} {o['argument']}".strip()) for name in _names(o)), o["meaning"])
        for o in description["options"]
    ]
    return (
        f"## Command line\n\n    {description['synopsis']}\n\n"
        f"{description['summary']}\n\n    {description['example']}\n\n"
        + _table(("Option", "Meaning"), rows)
    )


def _names(option: Mapping[str, str]) -> list[str]:
    return [name for name in (option["short"], option["name"]) if name]


def _keys(keys: Iterable[Mapping[str, Any]], free: Iterable[Mapping[str, str]]) -> str:
    text = "## Config keys\n\n`symsim --list-keys` prints the same.\n"
    for prefix, members in groupby(keys, lambda key: key["name"].rpartition(".")[0]):
        rows = [
            (
                _code(k["name"]), k["unit"], " ".join(map(_code, k["values"])) or k["fits"],
                _code(k["default"]), _prose(k["meaning"]),
            )
            for k in members
        ]  # fmt: skip
        head = ("Key", "Unit", "Value", "Default", "Meaning")
        text += f"\n### {prefix}\n\n" + _table(head, rows)
    others = [(_code(k["name"]), k["fits"], _prose(k["meaning"])) for k in free]
    of_others = ("Key", "Value", "Meaning")
    of_lab = [(_code(name), fits, _prose(meaning)) for name, fits, meaning in LAB_KEYS]
    return (
        f"{text}\n### Other keys\n\n{_table(of_others, others)}\n### sweep and figure\n\n"
        "`symlab` reads these tables; `symsim` skips them.\n\n" + _table(of_others, of_lab)
    )


def _files(files: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (_code(f["name"]), _prose(f["meaning"]), _prose(f["when"]) or "always", f["same"])
        for f in files
    ]
    head = ("File", "What it is", "When", "The same on every host and engine")
    text = "## Files of a run\n\n" + _table(head, rows)
    text += (
        "\nA name with `STATE`, `ACTIVITY` or `KIND` stands for one name for each of these "
        "[words](#words).\n`[]` stands for each entry of a list.\n"
    )
    for file in files:
        if file["columns"]:
            text += f"\n### {file['name']}\n"
            for _, rows_of in groupby(file["columns"], _section_of(file["columns"])):
                named = [(_code(c["name"]), c["unit"], _prose(c["meaning"])) for c in rows_of]
                text += "\n" + _table(("Name", "Unit", "Meaning"), named)
    return text


def _section_of(columns: Iterable[Mapping[str, str]]) -> Callable[[Mapping[str, str]], str]:
    """A function from a column to the title of its table; each object of a JSON file gets one."""
    objects = {before for c in columns for before, dot, _ in [c["name"].partition(".")] if dot}
    return lambda column: first if (first := column["name"].split(".")[0]) in objects else ""


def _words(description: Mapping[str, Any]) -> str:
    text = "## Words\n"
    for title, name in [
        ("Statuses", "statuses"),
        ("States of a processor", "states"),
        ("Activities of a processor", "activities"),
        ("Kinds of transactions", "kinds"),
    ]:
        rows = [(_code(word["name"]), _prose(word["meaning"])) for word in description[name]]
        text += f"\n### {title}\n\n" + _table(("Name", "Meaning"), rows)
    return text


def _probes(probes: Iterable[Mapping[str, Any]]) -> str:
    rows = [(_code(p["name"]), str(p["number"]), p["operand"], p["meaning"]) for p in probes]
    return (
        "## Probe points\n\nA guest marks a probe point with a macro, for example "
        "`PROBE(PROBE_LOCK_ATTEMPT, &lock)`\n(`guest/include/probes.h`). A probe point adds no "
        "instruction and no byte to the code.\n\n"
        + _table(("Name", "Number", "Operand", "What it marks"), rows)
    )


def _table(head: Row, rows: Iterable[Row]) -> str:
    return "".join(f"{line.replace('|  |', '| |')}\n" for line in table(head, rows))


def _code(text: str) -> str:
    return f"`{text}`"


def _prose(text: str) -> str:
    """The text with names of keys, columns and options set as code."""
    return IN_CODE.sub(lambda m: m[1] if m[1] in NO_CODE else _code(m[1]), text)
