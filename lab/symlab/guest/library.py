# SPDX-License-Identifier: MIT
"""The start-up code and the guest library that `symlab cc` links to each program.

The compiled files are kept in the user's cache: $XDG_CACHE_HOME/symlab or ~/.cache/symlab. Their
names contain a hash of all that they are made of: the compiler, its flags, the sources and all
headers. So a change of any of these is a new name, and nothing has to be removed by hand.

    guest-library/<hash>-start.o   the first object of every program
    guest-library/<hash>.a         the library
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from symlab.errors import UserError
from symlab.guest.compiler import SOURCES, GuestCompiler, read_flags

VERSION = 1  # to be raised if this module compiles in another way than the hashed flags say

UNUSED_S = 30 * 24 * 3600.0  # host time after which an unused file of the cache is removed

# Variables with which gcc finds headers in other folders. What selects a compiler is in `gcc -v`.
HEADER_VARIABLES = ("CPATH", "C_INCLUDE_PATH")


@dataclass(frozen=True)
class GuestLibrary:
    """The compiled files. `start`: the object of boot/start.S. `archive`: of the files in lib/."""

    start: Path
    archive: Path


def guest_library(compiler: GuestCompiler, stack: str, folder: Path) -> GuestLibrary:
    """The compiled library, from the cache or else compiled in `folder`, a temporary one.

    `stack`: the compiler option with the size of the stacks. A cache that cannot be written is no
    error. Raises UserError if gcc reports an error.
    """
    options = [*read_flags(compiler.guest, "freestanding"), stack]
    cache = _cache_folder()
    if cache is None:
        return _compiled(compiler, options, folder)
    key = _key(compiler, options, folder)
    kept = GuestLibrary(cache / f"{key}-start.o", cache / f"{key}.a")
    if kept.start.is_file() and kept.archive.is_file():
        with contextlib.suppress(OSError):
            os.utime(kept.start)
            os.utime(kept.archive)
        return kept
    made = _compiled(compiler, options, folder)
    with contextlib.suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        for file in cache.iterdir():
            if time.time() - file.stat().st_mtime > UNUSED_S:
                file.unlink(missing_ok=True)
        _keep(made.start, kept.start)
        _keep(made.archive, kept.archive)
    return made


def _cache_folder() -> Path | None:
    """None if the user has no home folder."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        # The XDG specification: a relative path is invalid and to be ignored.
        base = named if named.is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "symlab" / "guest-library"


def _key(compiler: GuestCompiler, options: list[str], folder: Path) -> str:
    """The hash of all that the compiled files depend on."""
    # With -v, gcc and the assembler that it starts print their versions.
    command = [compiler.gcc, "-v", "-c", "-x", "assembler", "/dev/null", "-o", "version.o"]
    versions = subprocess.run(command, capture_output=True, text=True, cwd=folder).stderr
    variables = {name: os.environ.get(name) for name in HEADER_VARIABLES}
    facts = json.dumps([VERSION, versions, variables, compiler.flags(options)])
    content = hashlib.sha256(facts.encode())
    guest = compiler.guest
    for file in [*_sources(guest), *sorted(guest.rglob("*.h"))]:
        data = file.read_bytes()
        content.update(f"\n{file.relative_to(guest)} {len(data)}\n".encode())
        content.update(data)
    return content.hexdigest()


def _sources(guest: Path) -> list[Path]:
    """The start-up code, then the files of the library."""
    library = sorted(file for file in (guest / "lib").iterdir() if file.suffix in SOURCES)
    return [guest / "boot/start.S", *library]


def _compiled(compiler: GuestCompiler, options: list[str], folder: Path) -> GuestLibrary:
    """Compiles all files in a new folder below `folder`. Raises UserError.

    gcc runs in that folder, not in the user's, on which objects from the cache must not depend.
    """
    archiver = shutil.which("ar")
    if archiver is None:
        raise UserError("cc: there is no ar in $PATH; apt-get install binutils")
    work = folder / "library"
    work.mkdir()
    jobs = [(source, options) for source in _sources(compiler.guest)]
    start, *objects = compiler.compile_all(jobs, work, work)
    archive = work / "library.a"
    subprocess.run([archiver, "rcsD", str(archive), *map(str, objects)], check=True)
    return GuestLibrary(start, archive)


def _keep(file: Path, place: Path) -> None:
    """Copies `file` to `place` by one rename. Several processes may do so at the same time."""
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as copy:
        copy.write(file.read_bytes())
        copy.flush()
        os.fsync(copy.fileno())  # else a crash of the host may leave an empty file
    os.replace(copy.name, place)
