# SPDX-License-Identifier: MIT
"""Whether a comparison is as its last run left it, so that there is nothing to make.

A plan asks the simulator about each point, and gcc about each program, which takes seconds. So a
comparison whose runs have all finished leaves a file in its folder: what was asked, the sizes and
times of all files that its results depend on, and of the results themselves. If one differs, the
comparison is planned again, which makes only what is missing.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from symlab.errors import UserError
from symlab.files import read_json, write_all
from symlab.guest.uses import with_headers
from symlab.places import CONFIGS, GUEST, PACKAGE, simulator
from symlab.runs import grid
from symlab.runs.experiment import Experiment

FILE = ".up-to-date.json"
TOOLS = ("gcc", "ld", "as")  # that build the programs
OF_PYTHON = "__pycache__"
OF_STORE = (FILE, ".lock", "guests", "runs")


def shown_before(
    chosen: Experiment, folder: Path, binary: str | Path | None = None
) -> dict[str, Any] | None:
    """What `leave` was given, if nothing has changed since then; else None."""
    noted = read_json(folder / FILE)
    if noted is None or noted.get("state") != state(chosen, folder, binary):
        return None
    return dict(noted["shown"])


def leave(
    chosen: Experiment, folder: Path, shown: dict[str, Any], binary: str | Path | None = None
) -> None:
    """Notes that all is made. `shown`: what to show the next time. Raises OutputError."""
    noted = {"state": state(chosen, folder, binary), "shown": shown}
    write_all(folder, {FILE: json.dumps(noted, indent=1).encode() + b"\n"})


def state(chosen: Experiment, folder: Path, binary: str | Path | None) -> str:
    """A number for what was asked, and for the sizes and times of all files that matter."""
    asked = [f"{chosen!r}"]
    places = (GUEST, PACKAGE, CONFIGS / "machines", folder / "guests", folder / "runs")
    names = {name for place in places for name in _files(place)}
    names |= {str(path) for path in folder.resolve().glob("*") if path.name not in OF_STORE}
    names |= {str(file) for file in _of_user(chosen)}
    try:
        names.add(str(simulator(binary)))
    except UserError:
        asked.append("no simulator")
    names |= {found for tool in TOOLS if (found := shutil.which(tool))}
    return hashlib.sha256("\n".join([*asked, *_stamps(sorted(names))]).encode()).hexdigest()


def _of_user(chosen: Experiment) -> Iterator[Path]:
    """The files that the user named, and those that they include."""
    for file in chosen.files.values():
        yield from with_headers(file)
    yield chosen.machine.resolve()
    for base in grid.bases(chosen.machine):
        yield base.resolve()
    yield from (Path(v).resolve() for v in chosen.settings.values() if isinstance(v, str))


def _files(folder: Path) -> Iterator[str]:
    """All files below a folder, but what Python keeps there."""
    for place, folders, files in os.walk(folder.resolve()):
        folders[:] = [name for name in folders if name != OF_PYTHON]
        yield from (os.path.join(place, name) for name in files)


def _stamps(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        try:
            found = os.stat(name)
        except OSError:
            continue  # a word, or a file that is gone: that makes another state
        yield f"{name} {found.st_size} {found.st_mtime_ns} {found.st_ino}"
