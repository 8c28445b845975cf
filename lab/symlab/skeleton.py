# SPDX-License-Identifier: MIT
"""The command `symlab new`, which writes a template for a lock and a sweep of it."""

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from symlab.command_group import CommandGroup
from symlab.compiling import GUEST
from symlab.errors import OutputError, UserError

console = Console(highlight=False, soft_wrap=True)
new = typer.Typer(
    cls=CommandGroup, no_args_is_help=True, add_completion=False, rich_markup_mode=None,
    help="Begin something of your own: a lock.", epilog="Example: symlab new lock mine",
)  # fmt: skip

LOCK_NAME = re.compile(r"[a-z][a-z0-9-]*")

HEADER = """\
#pragma once

// Spin on xchgb: the lock to begin with. Say here in one line what yours is.
// Idea: a failed exchange is tried again at once. Change lock_wait to what you have in mind.
//
// Bus ledger (write-through): what each of these sends over the bus.
//   free acquisition   1 xchgb
//   release            1 xchgb
//   each spinner       xchgb without a pause
//   hand-over          the xchgb that comes first behind the release
//
// Fairness: none kept. Limits: none.

#include "word.h"  // the word, lock_acquire, lock_try and lock_release, with their probe points

#define LOCK_NAME "{name}"

// Runs only if the first exchange has failed, and returns with the lock. SPIN_FUNCTION makes its
// time count as "spin".
static SPIN_FUNCTION void lock_wait(struct lock* lock) {{
    while (exchange_byte(&lock->word, 1) != 0) {{
    }}
}}
"""

CONFIG = """\
# {name}.h beside five locks that are there: time for {increments} locked increments in all.
#
#     symlab sweep {name}.toml

base = "{tree}/configs/machines/symmetry-a.toml"

[guest]
image = "counter-{{lock}}"  # {{lock}}: guest.args.lock; what lies beside this file comes first

[guest.args]
lock = "{name}"
increments = {increments}

[sweep]
"machine.processors" = [1, 2, 4, 8, 12, 16, 20]
"guest.args.lock" = ["{name}", "xchgb", "read", "backoff", "ticket", "mcs"]
"""

INCREMENTS = 2000  # the sweep takes some ten seconds on two cores

NEXT = """\
wrote {header} and {config}. Change lock_wait in the first; then

    {symlab} cc {guest}/workloads/counter.c -o {folder}/counter-{name}.elf --lock {header}
    {symlab} cc {tests}/lock_exclusion.c -o {folder}/exclusion-{name}.elf --lock {header}
    {symsim} {tree}/configs/machines/symmetry-a.toml \\
        --set guest.image={folder}/exclusion-{name}.elf --set guest.args.turns=50
    {symlab} sweep {config}

build a program that counts under it, one that looks whether it excludes, run that on 20 processors,
and compare it with five others.\
"""


@new.callback()
def group() -> None:
    """Makes `lock` a subcommand; without a callback typer merges a single command into `new`."""


@new.command("lock", epilog="Example: symlab new lock mine --in locks")
def lock_command(
    name: Annotated[str, typer.Argument(help="Of the lock: small letters, digits and -.")],
    folder: Annotated[Path, typer.Option("--in", help="Where to [this folder].")] = Path("."),
) -> None:
    """Write NAME.h, a lock to be changed, and a sweep of it.

    It works as it is. The sweep, NAME.toml, compares it with five others.
    """
    header, config = write_lock(name, folder)
    tree = GUEST.parent
    words = {"name": name, "folder": folder, "header": header, "config": config, "tree": tree}
    words |= {"guest": GUEST, "tests": tree / "tests" / "guest"}
    words |= {"symlab": tree / ".venv" / "bin" / "symlab", "symsim": tree / "symsim"}
    console.print(NEXT.format(**words), markup=False)


def write_lock(name: str, folder: Path) -> tuple[Path, Path]:
    """Writes <name>.h and <name>.toml into `folder`; returns their paths.

    Raises UserError if a file exists, or if `name` is not valid or is that of a lock in
    guest/locks. Raises OutputError if the files cannot be written.
    """
    if not LOCK_NAME.fullmatch(name):
        raise UserError(f"new lock {name}: a name is small letters, digits and -, a letter first")
    if (GUEST / "locks" / f"{name}.h").exists():
        raise UserError(f"new lock {name}: guest/locks has a lock of that name; take another")
    files = {
        folder / f"{name}.h": HEADER.format(name=name),
        folder / f"{name}.toml": CONFIG.format(name=name, tree=GUEST.parent, increments=INCREMENTS),
    }
    for file in files:
        if file.exists():
            raise UserError(f"{file} exists; remove it, or choose another name or folder with --in")
    try:
        for file, text in files.items():
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    header, config = files
    return header, config
