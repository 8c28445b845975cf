# SPDX-License-Identifier: MIT
"""Where the files outside the package are: the guests' sources, the configs, the simulator.

    in a source tree                in an installed wheel (lab/setup.py copies them)
    guest/                          symlab/data/guest/
    configs/                        symlab/data/configs/
    papers/                         symlab/data/papers/, without results
    symsim -> build/.../symsim      symlab/data/bin/symsim
    build/.../guest/NAME.elf        symlab/data/bin/guest/NAME.elf: one, and those built since

The simulator finds guest images in the folder `guest` beside its own binary. So the lab needs no
path of theirs.
"""

import os
import shutil
from pathlib import Path

from symlab.errors import UserError

PACKAGE = Path(__file__).resolve().parent

DATA = PACKAGE / "data"  # only an installed wheel has it
INSTALLED = DATA.is_dir()

ROOT = DATA if INSTALLED else PACKAGE.parents[1]  # of the paths in docs: configs/quickstart.toml
GUEST = ROOT / "guest"
CONFIGS = ROOT / "configs"
PAPERS = ROOT / "papers"
SIMULATOR = DATA / "bin" / "symsim" if INSTALLED else ROOT / "symsim"

TO_BUILD = "build it with `make build` in the tree of symsim"


def find(path: str | Path) -> Path:
    """The file or folder at `path`, or else symsim's own of that name: `configs/quickstart.toml`
    and `guest/workloads/counter.c` are found from every working folder. If there is neither,
    returns `path` as it is."""
    given = Path(path)
    ours = ROOT / given
    return ours if not given.exists() and ours.exists() else given


def simulator(path: str | Path | None = None) -> Path:
    """The binary of the simulator: `path`, else $SYMSIM_BINARY, else the first of ./symsim,
    SIMULATOR and the one in $PATH. Raises UserError if there is none."""
    given = path or os.environ.get("SYMSIM_BINARY")
    if given:
        candidates = [Path(given)]
    else:
        in_path = shutil.which("symsim")
        candidates = [Path("symsim"), SIMULATOR, *([Path(in_path)] if in_path else [])]
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate.resolve()
    tried = ", ".join(str(candidate) for candidate in candidates)
    name = "name one by --simulator PATH or SYMSIM_BINARY"
    raise UserError(f"no simulator at {tried}; {TO_BUILD}, or {name}")
