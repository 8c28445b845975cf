# SPDX-License-Identifier: MIT
"""The gcc that compiles guest programs and the guest library, with the flags of guest/flags.txt."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from symlab.errors import UserError
from symlab.guest.undefined import explanation, undefined

SOURCES = {".c", ".S", ".s"}


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
        current one. Raises UserError.

        Paths in the debug information are mapped to relative ones. So the program's hash does not
        depend on the folder where it was built.
        """
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
