# SPDX-License-Identifier: MIT
"""Writes the files of `symlab stubs`."""

from pathlib import Path

from symlab.errors import UserError
from symlab.files import write_all
from symlab.guest.stubs.emit import MARK, files_of
from symlab.guest.stubs.parsing import read_interface


def write_stubs(description: Path, folder: Path) -> list[Path]:
    """Writes the stubs of the interface into `folder`, made if missing; returns their paths.

    Raises UserError if the description is wrong, or if a file exists that is not a stub. Raises
    OutputError if a file cannot be written.
    """
    texts = files_of(read_interface(description), description.name)
    for name in texts:
        file = folder / name
        if file.exists() and not _is_stub(file):
            raise UserError(
                f"stubs: {file} exists and was not written by this command; remove it, or choose "
                "another folder with --in"
            )
    return write_all(folder, {name: text.encode() for name, text in texts.items()})


def _is_stub(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(MARK)) == MARK.encode()
    except OSError:
        return False
