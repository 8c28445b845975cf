# SPDX-License-Identifier: MIT
"""Builds the guests of this tree that a run or a sweep names, if they are missing or out of date.

`make demo` builds one guest, and the other images are targets of the same build folder. So nobody
waits for an image that no run needs, and nobody measures an image of older sources.
"""

import fcntl
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from symlab.errors import UserError

# In the build folder: two builds at once would disturb each other. sim/image/guest_build.cpp takes
# the same lock.
LOCK = "guest-build.lock"
NAMED = 3  # guests that the message names; further ones are only counted
NOTHING_TO_DO = "no work to do"


def build_guests(binary: Path, names: Iterable[str]) -> None:
    """Brings the guests `names` up to date in the folder of the simulator `binary`.

    Does nothing about names that are no guests of the tree, or if the folder is no build folder.
    Raises UserError with the compiler's messages if the build fails.
    """
    folder = binary.resolve().parent
    if not (folder / "build.ninja").is_file():
        return
    with (folder / LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _ninja(folder, "build.ninja")  # it may not know a source file that is new
        listed = _ninja(folder, "-t", "targets", "all").stdout.splitlines()
        known = {line.partition(":")[0] for line in listed}
        targets = sorted({f"guest-{name}" for name in names} & known)
        if not targets or NOTHING_TO_DO in _ninja(folder, "-n", *targets).stdout:
            return
        print(f"symlab: building {_few(targets)}", file=sys.stderr)
        done = _ninja(folder, *targets)
    if done.returncode != 0:
        messages = (done.stdout + done.stderr).strip()
        raise UserError(f"guests cannot be built: `ninja -C {folder}` says:\n{messages}")


def _few(targets: list[str]) -> str:
    names = [target.removeprefix("guest-") for target in targets]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"the guest{'s' if len(names) > 1 else ''} {', '.join(names[:NAMED])}{more}"


def _ninja(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["ninja", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace")
