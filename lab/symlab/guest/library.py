# SPDX-License-Identifier: MIT
"""The start-up code and the guest library that `symlab cc` links to each program, and the kernel
of programs of processes.

The compiled files are kept in the user's cache: $XDG_CACHE_HOME/symlab or ~/.cache/symlab. Their
names contain a hash of all that they are made of: the compiler, its flags, the sources and all
headers. So a change of any of these is a new name, and nothing has to be removed by hand.

    guest-library/<hash>-start.o   the first object of every program
    guest-library/<hash>.a         the library
    guest-library/<hash>-libkernel.a, <hash>-process.a   the kernel, and its side of ring 3
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
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
    """The compiled files. `start`: the object of boot/start.S. `archive`: of the files in lib/.
    `kernel`: archives of a program of processes, of kernel and user side."""

    start: Path
    archive: Path
    kernel: tuple[Path, ...] = ()


def guest_library(
    compiler: GuestCompiler,
    stack: str,
    folder: Path,
    kernel: str | None = None,
    isa: str = "i386",
    user: bool = True,
    checks: Sequence[str] = (),
) -> GuestLibrary:
    """The compiled library, from the cache or else compiled in `folder`, a temporary one.

    `stack`: the compiler option with the size of the stacks. `kernel`: its run queues, or None;
    `isa`: the instructions of its compare_and_swap; `checks`: options by which it checks itself.
    `user`: for a program with files of a user. A cache that cannot be written is not an error.
    Raises UserError if gcc reports an error.
    """
    guest = compiler.guest
    of_user = read_flags(guest, "user") if user else []
    options = [*read_flags(guest, "freestanding"), *of_user, stack]
    sources = _sources(guest)

    def compiled() -> list[Path]:
        start, *objects = _compiled(
            compiler, [(file, options) for file in sources], folder, "library"
        )
        return [start, _archive(objects, folder / "libguest.a")]

    ends = ["-start.o", ".a"]
    start, archive = _from_cache(compiler, options, sources, ends, folder, compiled)
    archives = []
    if kernel:
        archives = _kernel_library(compiler, kernel, isa, [stack, *checks], folder)
    return GuestLibrary(start, archive, tuple(archives))


def kernels(guest: Path) -> list[str]:
    """The forms of the kernel's run queues."""
    return sorted(file.stem for file in (guest / "kernel/shared/queues").glob("*.h"))


def _kernel_library(
    compiler: GuestCompiler, queues: str, isa: str, options: Sequence[str], folder: Path
) -> list[Path]:
    """The archives of the kernel and of the side of ring 3, in the same way.

    guest.ld knows the kernel by the name of its archive.
    """
    guest = compiler.guest
    options = [*read_flags(guest, "freestanding"), *options, "-DSYMSIM_PROCESSES"]
    options.append(f'-DKERNEL_QUEUES_FILE="kernel/shared/queues/{queues}.h"')
    kernel = sorted((guest / "kernel/processes").glob("*.c"))
    kernel += sorted((guest / "kernel/shared").glob("*.[cS]"))
    kernel += [guest / file for file in read_flags(guest, "kernel")]
    other = "cas.c" if isa > "i386" else "cas486.c"
    user = sorted(file for file in (guest / "kernel/user").glob("*.c") if file.name != other)

    def compiled() -> list[Path]:
        jobs = [(file, options) for file in [*kernel, *user]]
        objects = _compiled(compiler, jobs, folder, "kernel")
        return [
            _archive(objects[: len(kernel)], folder / "libkernel.a"),
            _archive(objects[len(kernel) :], folder / "process.a"),
        ]

    ends = ["-libkernel.a", "-process.a"]
    return _from_cache(compiler, options, [*kernel, *user], ends, folder, compiled)


def _from_cache(
    compiler: GuestCompiler,
    options: list[str],
    sources: Sequence[Path],
    ends: Sequence[str],
    folder: Path,
    compiled: Callable[[], list[Path]],
) -> list[Path]:
    """The files of the cache whose names end in `ends`, or else those of compiled(), which are
    kept. `options`, `sources`: from which they are made."""
    cache = _cache_folder()
    if cache is None:
        return compiled()
    key = _key(compiler, options, sources, folder)
    kept = [cache / f"{key}{end}" for end in ends]
    if all(file.is_file() for file in kept):
        with contextlib.suppress(OSError):
            for file in kept:
                os.utime(file)
        return kept
    made = compiled()
    with contextlib.suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        for file in cache.iterdir():
            if time.time() - file.stat().st_mtime > UNUSED_S:
                file.unlink(missing_ok=True)
        for file, place in zip(made, kept, strict=True):
            _keep(file, place)
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


def _key(compiler: GuestCompiler, options: list[str], sources: Sequence[Path], folder: Path) -> str:
    """The hash of all that the compiled files depend on."""
    # With -v, gcc and the assembler that it starts print their versions.
    command = [compiler.gcc, "-v", "-c", "-x", "assembler", "/dev/null", "-o", "version.o"]
    versions = subprocess.run(command, capture_output=True, text=True, cwd=folder).stderr
    variables = {name: os.environ.get(name) for name in HEADER_VARIABLES}
    facts = json.dumps([VERSION, versions, variables, compiler.flags(options)])
    content = hashlib.sha256(facts.encode())
    guest = compiler.guest
    for file in [*sources, *sorted(guest.rglob("*.h"))]:
        data = file.read_bytes()
        content.update(f"\n{file.relative_to(guest)} {len(data)}\n".encode())
        content.update(data)
    return content.hexdigest()


def _sources(guest: Path) -> list[Path]:
    """The start-up code, then the files of the library."""
    library = sorted(file for file in (guest / "lib").iterdir() if file.suffix in SOURCES)
    return [guest / "boot/start.S", *library]


def _compiled(
    compiler: GuestCompiler,
    jobs: Sequence[tuple[Path, list[str]]],
    folder: Path,
    name: str,
) -> list[Path]:
    """Compiles files, each with its options, in a new folder `name` below `folder`. Raises
    UserError.

    gcc runs in that folder, not in the user's, on which objects from the cache must not depend.
    """
    work = folder / name
    work.mkdir()
    return compiler.compile_all(jobs, work, work)


def _archive(objects: Sequence[Path], archive: Path) -> Path:
    """Packs the objects. Raises UserError if there is no ar."""
    archiver = shutil.which("ar")
    if archiver is None:
        raise UserError("cc: there is no ar in $PATH; apt-get install binutils")
    subprocess.run([archiver, "rcsD", str(archive), *map(str, objects)], check=True)
    return archive


def _keep(file: Path, place: Path) -> None:
    """Copies `file` to `place` by one rename. Several processes may do so at the same time."""
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as copy:
        copy.write(file.read_bytes())
        copy.flush()
        os.fsync(copy.fileno())  # else a crash of the host may leave an empty file
    os.replace(copy.name, place)
