# SPDX-License-Identifier: MIT
"""Builds a guest of this tree when a run names it and nobody has built it yet.

`make demo` builds one guest, and the other images are targets of the same build folder. So nobody
waits for an image that no run needs.
"""

import fcntl
import subprocess
import sys
from pathlib import Path

from symlab.errors import UserError

LOCK = "guest-build.lock"  # in the build folder: two builds at once would disturb each other


def build_missing(binary: Path, name: str) -> Path | None:
    """Builds the guest `name` in the folder of the simulator `binary`.

    Returns its image; None if that is no build folder, or has no such guest. Raises UserError with
    the compiler's messages if the build fails.
    """
    folder = binary.resolve().parent
    image = folder / "guest" / f"{name}.elf"
    if not name or "/" in name or not (folder / "build.ninja").is_file():
        return None
    target = f"guest-{name}"
    if _ninja(folder, "-t", "query", target).returncode != 0:
        return None
    with (folder / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if image.is_file():  # another process has built it meanwhile
            return image
        print(f"symlab: building the guest {name}", file=sys.stderr)
        done = _ninja(folder, target)
    if done.returncode == 0 and image.is_file():
        return image
    messages = (done.stdout + done.stderr).strip()
    raise UserError(f"guest {name} cannot be built: `ninja -C {folder} {target}` says:\n{messages}")


def _ninja(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["ninja", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace")
