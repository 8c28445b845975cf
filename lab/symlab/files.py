# SPDX-License-Identifier: MIT
"""Reads and writes whole files: a result is complete, or as it was before."""

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symlab.errors import OutputError


def write_atomically(path: Path, data: bytes) -> None:
    """Writes `path` by one rename. Raises OutputError; the previous file is then unchanged."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error


def write_all(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Writes `files` (name -> content) into `folder`, made if missing; returns their paths. Raises
    OutputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        in_the_way = next((f for f in (folder, *folder.parents) if f.is_file()), None)
        if in_the_way is not None:
            said = f"{in_the_way}: is a file, and the results need a folder; name another"
            raise OutputError(said) from error
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    for name, data in files.items():
        write_atomically(folder / name, data)
    return [folder / name for name in files]


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file; None if the file is missing, truncated or contains no object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
