# SPDX-License-Identifier: MIT
"""The frame of a sweep as users of the Python package get it: categories and strings in place of
objects, and in `attrs` where its rows are from and what unit each column has."""

import json
from pathlib import Path

import pandas as pd

from symlab.files import read_json, write_all

FILE = ".swept.json"  # beside runs/
UNITS = {"us": "us", "s": "s", "mb": "MB", "mips": "million instructions a second"}


def note(store: Path, name: str, config: Path, commit: str) -> None:
    """Leaves what `attrs` says of the sweep `name` beside its runs. Raises OutputError."""
    made = {"sweep": name, "config": str(config.resolve()), "commit": commit}
    write_all(store, {FILE: json.dumps(made, indent=1).encode() + b"\n"})


def public(frame: pd.DataFrame, directory: Path, name: str) -> pd.DataFrame:
    """The frame with types and `attrs` for users. `directory`, `name`: of the sweep's tables.
    attrs: `folder`, in whose runs/ column `run` names each run; `config`, its path, and `commit` of
    the tree, both None if not known; `units`, column -> unit of those that have one."""
    store = next((p for p in (directory / name, directory) if (p / "runs").is_dir()), directory)
    made = read_json(store / FILE) or {}
    known = made if made.get("sweep") == name else {}
    texts = [column for column in frame if _is_text(frame[column])]
    types = {column: "string" if column == "run" else "category" for column in texts}
    typed = frame.astype(types)
    typed.attrs = {
        "folder": str(store),
        "config": known.get("config"),
        "commit": known.get("commit"),
        "units": {c: UNITS[last] for c in map(str, frame) if (last := c.split("_")[-1]) in UNITS},
    }
    return typed


def _is_text(column: pd.Series) -> bool:
    """Whether it has texts and gaps, and nothing else."""
    return column.dtype == object and all(
        isinstance(value, str) for value in column if value is not None
    )
