# SPDX-License-Identifier: MIT
"""Damages a file of a results folder in the ways in which disks, editors and scripts do."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

VALUES = [
    None, True, -1, 0, 1e300, float("nan"), float("inf"), 10**30, "", "x", "0x1", "\0", [], {},
    [None], {"a": 1},
]  # fmt: skip
CELLS = ["", "x", "-1", "nan", "inf", "1e300", "9" * 40, "0xffffffffff", '"', ",", "\0"]
TEXTS = ["", "{}", "[]", "null", "NaN", "0", '{"schema_version": 1}', "a,b\n1,2\n", "[" * 5000,
         "\n" * 50, "a,a\n", "," * 30]  # fmt: skip


def cut(file: Path, random: Random) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: random.randrange(len(data) + 1)])


def remove(file: Path, random: Random) -> None:
    file.unlink()


def replace(file: Path, random: Random) -> None:
    file.write_text(random.choice(TEXTS))


def noise(file: Path, random: Random) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(random.choice([1, 1, 2, 50])):
        if data:
            data[random.randrange(len(data))] = random.randrange(256)
    file.write_bytes(bytes(data))


def become_folder(file: Path, random: Random) -> None:
    file.unlink()
    file.mkdir()


def become_loop(file: Path, random: Random) -> None:
    file.unlink()
    file.symlink_to(file.name)


def change_json(file: Path, random: Random) -> None:
    """Replaces or removes a value somewhere in the document."""
    try:
        document: Any = json.loads(file.read_bytes())
    except (ValueError, RecursionError):  # it may have been damaged before
        return noise(file, random)
    place: Any = None
    key: Any = None
    value = document
    while isinstance(value, dict | list) and value and random.random() < 0.85:
        place = value
        key = (
            random.choice(list(value)) if isinstance(value, dict) else random.randrange(len(value))
        )
        value = place[key]
    if place is None:
        document = random.choice(VALUES)
    elif random.random() < 0.3:
        del place[key]
    else:
        place[key] = random.choice(VALUES)
    file.write_text(json.dumps(document))
    return None


def change_table(file: Path, random: Random) -> None:
    """Changes a cell or a name, or removes or repeats a column or row."""
    rows = [line.split(",") for line in file.read_text(errors="replace").splitlines()]
    if not rows:
        return noise(file, random)
    row, column = random.randrange(len(rows)), random.randrange(len(rows[0]))
    how = random.randrange(6)
    if how == 0:
        rows = [cells[:column] + cells[column + 1 :] for cells in rows]
    elif how == 1:
        rows = [[*cells, cells[0]] for cells in rows]
    elif how == 2:
        rows.append(rows[row])
    elif how == 3:
        del rows[row]
    elif column < len(rows[row]):
        rows[row][column] = random.choice(CELLS)
    file.write_text("".join(",".join(cells) + "\n" for cells in rows))
    return None


WAYS: list[Callable[[Path, Random], None]] = [
    cut, remove, replace, noise, become_folder, become_loop,
]  # fmt: skip


def damage(folder: Path, random: Random) -> str:
    """Damages one file below `folder`; returns what was done, for messages."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    file = random.choice(files)
    special = {".json": [change_json] * 8, ".csv": [change_table] * 8}.get(file.suffix, [])
    way = random.choice([*WAYS, *special])
    way(file, random)
    return f"{way.__name__} {file.relative_to(folder)}"
