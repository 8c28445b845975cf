# SPDX-License-Identifier: MIT
"""Whether the files of a run are those that the simulator wrote.

The simulator writes manifest.json last. It lists each file of the run with size and SHA-256, but
for host.json and files that are derived later. So a run is whole if its manifest is there and all
files match it.

Runs of older simulators have no manifest. Such a run is whole if its summary.json has what every
summary has, and if no CSV ends within a row. What a number was cannot be checked there.
"""

import csv
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
    nothing is.

    `names`: looks only at these files. The sizes of all are compared before the first hash.
    """
    if not os.path.lexists(run / MANIFEST):
        return _flaw_of_old(run, names)
    listed = _listed(run)
    if listed is None:
        return _flaw_of_manifest(run)
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
    """Says on standard error which of these files of the run is damaged; returns what it said.

    Without a manifest, a file that is missing is not damaged: perhaps it was never written.
    """
    if not os.path.lexists(run / MANIFEST):
        names = [name for name in names if (run / name).exists()]
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


def _flaw_of_manifest(run: Path) -> str:
    """Of one that cannot be used."""
    version = (read_json(run / MANIFEST) or {}).get("schema_version")
    if version == SCHEMA_VERSION or not isinstance(version, int):
        return f"{MANIFEST} is damaged"
    return f"{MANIFEST} has schema version {version}, and this symlab reads {SCHEMA_VERSION}"


def _listed(run: Path) -> dict[str, tuple[int, str]] | None:
    """File name -> size and SHA-256; None if the manifest cannot be used."""
    manifest = read_json(run / MANIFEST)
    if manifest is None or manifest.get("schema_version") != SCHEMA_VERSION:
        return None
    files = manifest.get("files")
    if not isinstance(files, list) or not all(map(_is_entry, files)):
        return None
    return {file["name"]: (file["size_bytes"], file["sha256"]) for file in files}


def _is_entry(file: Any) -> bool:
    if not isinstance(file, dict):
        return False
    name, size, checksum = (file.get(key) for key in ("name", "size_bytes", "sha256"))
    return (
        isinstance(name, str)
        and name != ""
        and Path(name).name == name  # a file of this folder, and no other
        and "\0" not in name
        and isinstance(size, int)
        and isinstance(checksum, str)
        and SHA256.fullmatch(checksum) is not None
    )


def _flaw_of_old(run: Path, names: Collection[str] | None) -> str | None:
    if names is None or SUMMARY in names:
        summary = read_json(run / SUMMARY)
        if summary is None:
            return f"{SUMMARY} is missing, or no JSON"
        if missing := _missing_keys(summary):
            return f"{SUMMARY} lacks {', '.join(missing)}"
    for name in TABLES:
        looked_at = (names is None or name in names) and (run / name).exists()
        if looked_at and (wrong := _cut(run / name)) is not None:
            return f"{name} {wrong}"
    return None


def _missing_keys(summary: dict[str, Any]) -> list[str]:
    kinds: dict[str, Any] = {"schema_version": int, "status": str, "simulated_us": (int, float),
             "processors": list, "bus": dict}  # fmt: skip
    return [key for key, kind in kinds.items() if not isinstance(summary.get(key), kind)]


def _cut(table: Path) -> str | None:
    """Whether a CSV ends within a row, or has a row of another length than its head."""
    try:
        text = table.read_bytes().decode()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        return "is not text"
    if not text.endswith("\n"):
        return "is cut off"
    try:
        lengths = {len(row) for row in csv.reader(text.splitlines())}
    except csv.Error:
        return "is not CSV"
    return None if len(lengths) == 1 else "has rows of different lengths"
