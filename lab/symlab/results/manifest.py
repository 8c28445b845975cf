# SPDX-License-Identifier: MIT
"""Whether the files of a run are those that the simulator wrote.

The simulator writes manifest.json last. It lists each file of the run with size and SHA-256, but
for host.json and files that are derived later. So a run is whole if its manifest is there and all
files match it.
"""

import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from symlab.files import read_json, sha256_of
from symlab.terminal import warn

MANIFEST = "manifest.json"
SCHEMA_VERSION = 2
SUMMARY = "summary.json"
LOG = "bus.log.zst"
TABLES = ("bus.csv", "locks.csv")
DISTANCE = ("misses.csv", "pages.csv", "links.csv")  # on a machine of several nodes
SHA256 = re.compile(r"[0-9a-f]{64}")


def flaw(run: Path, names: Collection[str] | None = None) -> str | None:
    """What is wrong with the files of the run in this folder, such as "bus.csv is cut off"; None if
    nothing is. `names`: looks only at these files. The sizes of all are compared before the first
    hash."""
    listed = _listed(run)
    if isinstance(listed, str):
        return listed
    if names is None and SUMMARY not in listed:
        return f"{MANIFEST} does not list {SUMMARY}"
    wanted = {name: entry for name, entry in listed.items() if names is None or name in names}
    for name, (size, _) in wanted.items():
        if (wrong := _wrong_size(run / name, size)) is not None:
            return f"{name} {wrong}"
    for name, (_, checksum) in wanted.items():
        try:
            if sha256_of(run / name) != checksum:
                return f"{name} does not match its checksum in {MANIFEST}"
        except OSError as error:
            return f"{name} cannot be read ({error.strerror})"
    return None


def warn_if_damaged(run: Path, names: Collection[str]) -> str | None:
    """Says on standard error which of these files of the run is damaged; returns what it said."""
    wrong = flaw(run, names)
    if wrong is not None:
        warn(f"{run}: {wrong}; its numbers may be wrong: run it again")
    return wrong


def _wrong_size(file: Path, size: int) -> str | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if not file.is_file():
        return "is not a file"
    if found.st_size != size:
        return "is cut off" if found.st_size < size else f"is longer than {MANIFEST} says"
    return None


def _listed(run: Path) -> dict[str, tuple[int, str]] | str:
    """File name -> size and SHA-256; or why the manifest cannot be used."""
    if not os.path.lexists(run / MANIFEST):
        return f"{MANIFEST} is missing"
    manifest = read_json(run / MANIFEST) or {}
    version, files = manifest.get("schema_version"), manifest.get("files")
    if isinstance(version, int) and version != SCHEMA_VERSION:
        return f"{MANIFEST} has schema version {version}, and this symlab reads {SCHEMA_VERSION}"
    usable = version == SCHEMA_VERSION and isinstance(files, list)
    if not usable or not all(map(_is_entry, files or ())):
        return f"{MANIFEST} is damaged"
    return {file["name"]: (file["size_bytes"], file["sha256"]) for file in files or ()}


def _is_entry(file: Any) -> bool:
    if not isinstance(file, dict):
        return False
    name, size, checksum = (file.get(key) for key in ("name", "size_bytes", "sha256"))
    return (
        isinstance(name, str)
        and name != ""
        and str(Path(name)) == name  # a file below this folder, and no other
        and not {"/", ".."} & set(Path(name).parts)
        and "\0" not in name
        and isinstance(size, int)
        and isinstance(checksum, str)
        and SHA256.fullmatch(checksum) is not None
    )
