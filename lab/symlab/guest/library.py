# SPDX-License-Identifier: MIT
"""The gcc that compiles guest programs, with the flags of guest/flags.txt; the start-up code and
the library that `symlab cc` links to each program, and the kernel of programs of processes.

The compiled files are kept in the cache of guests (guest/cached.py). Their keys are a hash of all
that they are made of: the compiler, its flags, the sources and all headers.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from symlab.errors import UserError
from symlab.guest.binutils import binutils, explanation, undefined

SOURCES = {".c", ".S", ".s"}
VERSION = 1  # to be raised if this module compiles in another way than the hashed flags say
# Variables with which gcc finds headers in other folders. What selects a compiler is in `gcc -v`.
HEADER_VARIABLES = ("CPATH", "C_INCLUDE_PATH")


def read_flags(guest: Path, group: str) -> list[str]:
    """The flags of one group of guest/flags.txt; a line is the group's name and one flag."""
    lines = (guest / "flags.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split(maxsplit=1) for line in lines]
    return [parts[1].strip() for parts in words if len(parts) == 2 and parts[0] == group]


class GuestCompiler:
    """gcc and the path of its own headers. Raises UserError if there is no gcc."""

    def __init__(self, guest: Path) -> None:
        self.guest = guest
        found = shutil.which("gcc-12") or shutil.which("gcc")  # as in symsim_guest.cmake
        if found is None:
            raise UserError("cc: there is no gcc in $PATH; apt-get install gcc")
        self.gcc = found
        command = [self.gcc, "-print-file-name=include"]
        self.include = subprocess.run(command, capture_output=True, text=True).stdout.strip()

    def run(self, what: str, arguments: Iterable[str], folder: Path | None = None) -> None:
        """Runs gcc in `folder`, default the current one. Raises UserError."""
        if subprocess.run([self.gcc, *arguments], cwd=folder).returncode != 0:
            raise UserError(f"cc: gcc could not {what}")

    def link(self, arguments: Iterable[str], posix: bool) -> None:
        """Links a program. Raises UserError, which says what to use instead of names that are
        missing."""
        done = subprocess.run([self.gcc, *arguments], stderr=subprocess.PIPE, text=True)
        print(done.stderr, end="", file=sys.stderr)
        if done.returncode != 0:
            why = explanation(undefined(done.stderr), posix)
            raise UserError("cc: gcc could not link the program" + (f": {why}" if why else ""))

    def flags(self, options: Iterable[str]) -> list[str]:
        """All flags of a compilation with `options` that do not depend on a folder of the user."""
        return [*read_flags(self.guest, "all"), "-isystem", self.include, *options]

    def compile(
        self, source: Path, target: Path, options: Iterable[str], folder: Path | None = None
    ) -> Path:
        """Compiles `source` to `target`, which it returns. gcc runs in `folder`, default the
        current one. Raises UserError. Paths in the debug information are mapped to relative ones.
        So the program's hash does not depend on the folder where it was built."""
        here = folder or Path.cwd()
        maps = [f"-ffile-prefix-map={self.guest.parent}=.", f"-ffile-prefix-map={here}=."]
        if target.parent != here:
            maps.append(f"-ffile-prefix-map={target.parent}=build")
        folders = [f"-I{self.guest}/include", f"-I{self.guest}", f"-I{self.guest}/locks"]
        files = ["-c", str(source), "-o", str(target)]
        self.run(f"compile {source}", [*self.flags(options), *maps, *folders, *files], folder)
        return target

    def compile_all(
        self,
        jobs: Sequence[tuple[Path, Iterable[str]]],
        target_folder: Path,
        folder: Path | None = None,
    ) -> list[Path]:
        """Compiles sources, each with its options, at the same time; returns the objects in the
        order of the jobs. Raises UserError."""

        def one(number: int) -> Path:
            source, options = jobs[number]
            target = target_folder / f"{number}-{source.name}.o"
            return self.compile(source, target, options, folder)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(one, range(len(jobs))))


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

    names = ["start.o", "libguest.a"]
    start, archive = _from_cache(compiler, options, sources, names, folder, compiled)
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
    """The archives of the kernel and of the side of ring 3, in the same way. guest.ld knows the
    kernel by the name of its archive."""
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

    names = ["libkernel.a", "process.a"]
    return _from_cache(compiler, options, [*kernel, *user], names, folder, compiled)


def _from_cache(
    compiler: GuestCompiler, options: list[str], sources: Sequence[Path], names: Sequence[str],
    folder: Path, compiled: Callable[[], list[Path]],
) -> list[Path]:  # fmt: skip
    """Files in `folder` from the cache, or else those of compiled(), which are kept. `options`,
    `sources`: from which they are made. `names`: of the files."""
    spec = spec_from_file_location("symsim_guest_cached", compiler.guest / "cached.py")
    assert spec is not None and spec.loader is not None
    cached = module_from_spec(spec)
    spec.loader.exec_module(cached)
    cache, key = cached.Cache(str(folder)), _key(compiler, options, sources, folder)
    contents = {name: cache.get(cached.key_of(key, name)) for name in names}
    if None in contents.values():
        files = compiled()
        for name, file in zip(names, files, strict=True):
            cache.put(cached.key_of(key, name), file.read_bytes())
        return files
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in names]


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
    compiler: GuestCompiler, jobs: Sequence[tuple[Path, list[str]]], folder: Path, name: str
) -> list[Path]:
    """Compiles files, each with its options, in a new folder `name` below `folder`. Raises
    UserError. gcc runs in that folder, not in the user's, on which objects from the cache must not
    depend."""
    work = folder / name
    work.mkdir()
    return compiler.compile_all(jobs, work, work)


def _archive(objects: Sequence[Path], archive: Path) -> Path:
    binutils("ar", "rcsD", str(archive), *map(str, objects))
    return archive
