# SPDX-License-Identifier: MIT
"""Of which files a results folder has the results.

The default folder is named after a program, a lock or a config. Another file of that name must not
replace the results of the first one without a word.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from symlab.errors import UserError
from symlab.files import read_json, write_all
from symlab.places import GUEST

FILE = ".made-from.json"


def refuse_other_origin(folder: Path, files: Mapping[str, Path]) -> None:
    """Raises UserError if the default folder has the results of another file in the same role.
    `files`: role -> file, such as "lock mine" -> b/mine.h. A file that is gone counts as
    renamed."""
    for role, before in (read_json(folder / FILE) or {}).items():
        if role not in files or before == str(files[role].resolve()):
            continue
        if Path(before).is_file():
            what = {"lock": "LOCK_NAME", "barrier": "BARRIER_NAME"}.get(role.split()[0], "name")
            ours = files[role].resolve().is_relative_to(GUEST)
            raise UserError(
                f"{folder} has the results of another {role}, {before}; give "
                f"{'that file' if ours else files[role]} another {what}, or choose a folder with "
                "--out"
            )


def note_origin(folder: Path, files: Mapping[str, Path]) -> None:
    """Notes from which files the results in the default folder are. Raises OutputError."""
    named = {role: str(file.resolve()) for role, file in files.items()}
    write_all(folder, {FILE: json.dumps(named, indent=1).encode() + b"\n"})
