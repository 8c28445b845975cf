# SPDX-License-Identifier: MIT
"""Builds the guests of this tree that a run or a sweep names, if they are missing or outdated.

`make demo` builds one guest, and the other images are targets of the same build folder. So nobody
waits for an image that no run needs, and nobody measures an image of other sources. The contents
of the sources decide, not their time stamps.

An installed wheel has few images. Its folder of the simulator becomes a build folder of guest/ when
another image is needed.
"""

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from symlab.errors import UserError
from symlab.places import GUEST

# In the build folder: two builds at once would disturb each other.
LOCK = "guest-build.lock"
IN_WHEEL = "guests.txt"  # beside a wheel's simulator: guests that can be built (lab/setup.py)
TOOLS = ("cmake", "ninja", "gcc", "objdump")
NAMED = 3  # guests that the message names; further ones are only counted


def build_guests(binary: Path, names: Iterable[str]) -> None:
    """Brings the guests `names` up to date in the folder of the simulator `binary`. Does nothing
    about names that are no guests of the tree, or if the folder is not a build folder that the user
    may write. Raises UserError with the compiler's messages if the build fails."""
    folder = binary.resolve().parent
    wheel, rules = folder / IN_WHEEL, folder / "build.ninja"
    if not (wheel.is_file() or rules.is_file()) or not os.access(folder, os.W_OK):
        return
    current = functools.cache(_digest_of)
    names = {name for name in names if not _of_these_sources(folder, name, current)}
    if wheel.is_file():
        names &= set(wheel.read_text(encoding="utf-8").split())
        names = {name for name in names if _built_at(folder, name) is None}
    if not names:
        return
    with (folder / LOCK).open("a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not rules.is_file():
            _configure(folder, names)
        _ninja(folder, "build.ninja")  # it may not know a source file that is new
        listed = _ninja(folder, "-t", "targets", "all").stdout.splitlines()
        known = {line.partition(":")[0] for line in listed}
        asked = sorted(name for name in names if f"guest-{name}" in known)
        if not asked:
            return
        before = {name: _built_at(folder, name) for name in asked}
        if missing := [name for name in asked if before[name] is None]:
            print(f"symlab: building {_few(missing)}", file=sys.stderr)
        done = _ninja(folder, *(f"guest-{name}" for name in asked))
        # ninja overlooks a source of another content that has an old time stamp.
        current = functools.cache(_digest_of)
        old = [name for name in asked if _of_these_sources(folder, name, current) is False]
        if done.returncode == 0 and old:
            _ninja(folder, "-t", "clean", *(f"guest-{name}" for name in old))
            done = _ninja(folder, *(f"guest-{name}" for name in asked))
        changed = [n for n in asked if before[n] and _built_at(folder, n) != before[n]]
    if done.returncode != 0:
        messages = (done.stdout + done.stderr).strip()
        raise UserError(f"guests cannot be built: `ninja -C {folder}` says:\n{messages}")
    if changed:
        print(f"symlab: built again, of changed sources: {_few(changed)}", file=sys.stderr)


def _configure(folder: Path, names: Iterable[str]) -> None:
    """Makes the folder of a wheel's simulator a build folder of its guests."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        raise UserError(
            f"{_few(sorted(names))}: not in the wheel of symlab, which builds it with cmake, ninja "
            f"and gcc; there is no {missing[0]} in $PATH: apt-get install cmake ninja-build gcc"
        )
    command = ["cmake", "-G", "Ninja", "-S", str(GUEST), "-B", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise UserError(f"guests cannot be built: `{' '.join(command)}` says:\n{done.stderr}")


def _of_these_sources(
    folder: Path, name: str, digest_of: Callable[[Path], str | None]
) -> bool | None:
    """Whether the image was made of the sources as they are; None if that is not known.
    guest/cached.py writes the list of its sources, in the format of sha256sum."""
    image = folder / "guest" / f"{name}.elf"
    try:
        listed = image.with_name(f"{image.name}.sources").read_text(encoding="utf-8")
    except OSError:
        return None
    rows = (line.partition("  ") for line in listed.splitlines())
    return image.is_file() and all(digest_of(Path(file)) == digest for digest, _, file in rows)


def _digest_of(file: Path) -> str | None:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return None


def _built_at(folder: Path, name: str) -> int | None:
    """When the image was written, in ns of the host's clock; None if it is missing."""
    try:
        return (folder / "guest" / f"{name}.elf").stat().st_mtime_ns
    except OSError:
        return None


def _few(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"the guest{'s' if len(names) > 1 else ''} {', '.join(names[:NAMED])}{more}"


def _ninja(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["ninja", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace")
