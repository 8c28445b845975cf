# SPDX-License-Identifier: MIT
"""Compiles Linux programs: with the host's C library, by gcc or g++ with -m32 -static."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from symlab.errors import OutputError, UserError
from symlab.guest.programs import keep_others
from symlab.guest.uses import text_with_headers
from symlab.places import GUEST

CPLUSPLUS = {".cpp", ".cc", ".cxx", ".C"}
# Some systems' gcc makes SSE code for -m32. Folders of -idirafter come after those of the C
# library, whose files have names of some of guest/include.
FLAGS = ("-m32", "-static", "-march=i686", "-DSYMSIM_LINUX", f"-idirafter{GUEST / 'include'}")
REFUSED = {"-c", "-S", "-E", "-M", "-MM", "-shared", "-pie", "-m64"}
OPENMP = re.compile(r"^\s*#\s*(pragma\s+omp\b|include\s*<omp\.h>)", re.MULTILINE)
ANY = "#include <stdio.h>\nint main(void) { return 0; }\n"


def options_of(source: Path) -> list[str]:
    """The options with which `symlab run` and `compare` compile a program."""
    openmp = OPENMP.search(text_with_headers(source))
    return ["-O2", "-g", "-pthread", *(["-fopenmp"] if openmp else [])]


def compile_linux(words: Sequence[str]) -> Path:
    """Compiles and links a Linux program by gcc with `words`, or by g++ if a file is of C++;
    returns its path. The compiler's messages go to stderr.

    Raises UserError if there is no compiler or it reports an error, or if the output is an input
    or exists and is not a program; OutputError if it cannot be written.
    """
    if refused := REFUSED.intersection(words):
        said = "has no place here; cc makes a whole 32-bit program"
        raise UserError(f"cc: {min(refused)} {said}")
    names = [after for word, after in zip(words, [*words[1:], ""], strict=True) if word == "-o"]
    output = Path(names[-1] if names else "a.out")
    keep_others(output, (Path(word) for word in words if word not in names))
    if not output.parent.is_dir():
        raise OutputError(f"cc: cannot write {output}: there is no folder {output.parent}")
    name = "g++" if any(Path(word).suffix in CPLUSPLUS for word in words) else "gcc"
    compiler = shutil.which(name)
    if compiler is None:
        raise UserError(f"cc: there is no {name} in $PATH; apt-get install {name}")
    if subprocess.run([compiler, *FLAGS, *words]).returncode != 0:
        why = "" if _makes_32_bits(compiler) else f"; apt-get install {name}-multilib"
        raise UserError(f"cc: {name} could not build {output}{why}")
    return output


def _makes_32_bits(compiler: str) -> bool:
    command = [compiler, "-m32", "-static", "-xc", "-", "-o", "/dev/null"]
    return subprocess.run(command, input=ANY.encode(), capture_output=True).returncode == 0
