# SPDX-License-Identifier: MIT
"""The command `symlab fst`, which converts a run's trace.vcd to FST.

An FST file is a fraction of the size of a VCD file, and GTKWave and Surfer open it faster.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from symlab.errors import OutputError, UserError
from symlab.results.manifest import warn_if_damaged
from symlab.terminal import wrote

CONVERTER = "vcd2fst"


def to_fst(run: Path) -> Path:
    """Converts RUN/trace.vcd to RUN/trace.fst and returns the path of the latter. The file gets its
    name by one rename once it is complete. Raises `UserError` if there is no trace.vcd or no
    vcd2fst, `OutputError` if the conversion fails."""
    vcd = run / "trace.vcd"
    if not vcd.is_file():
        raise UserError(
            f"{vcd} does not exist; make the run again with --set observe.vcd=true --out {run}"
        )
    warn_if_damaged(run, [vcd.name])
    converter = shutil.which(CONVERTER)
    if converter is None:
        raise UserError(
            f"{CONVERTER} is not installed; it is in Debian's package gtkwave: "
            "sudo apt-get install gtkwave"
        )
    fst = run / "trace.fst"
    part = run / "trace.fst.part"
    done = subprocess.run(
        [converter, str(vcd), str(part)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0 or not part.is_file():
        part.unlink(missing_ok=True)
        message = (done.stderr or done.stdout).strip() or f"it ended with {done.returncode}"
        raise OutputError(f"cannot write {fst}: {CONVERTER} says: {message}")
    try:
        part.replace(fst)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OutputError(f"cannot write {fst}: {error.strerror}") from error
    return fst


def fst_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run with observe.vcd.")],
) -> None:
    """Convert a run's trace.vcd to trace.fst.

    trace.fst is a fraction of the size, and opens faster in GTKWave and Surfer.
    """
    wrote(to_fst(run))
