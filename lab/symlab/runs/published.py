# SPDX-License-Identifier: MIT
"""Published results: the files below papers/ and results/ that the repository keeps.

Each of their tables says which commit made it (symlab_papers/kept_rows.py). So they are made only
by a tree that is as committed.
"""

from pathlib import Path

from symlab.errors import UserError
from symlab.git import git
from symlab.places import ROOT

MAKERS = ("sim", "guest", "configs", "papers/*/figures/*", "lab")  # what results depend on
SHOWN = 3  # changed files that a message names


def changes() -> list[str]:
    """The files of MAKERS that differ from the commit, and those that no commit has; none outside
    of a repository."""
    status = git("status", "--porcelain", "--", *MAKERS) or ""
    return [line.split(maxsplit=1)[1] for line in status.splitlines()]


def current_commit() -> str:
    """The commit of the tree that symlab is part of, with "-changed" behind it if the tree differs;
    "unknown" outside of a repository."""
    commit = git("rev-parse", "--short=12", "HEAD")
    if commit is None:
        return "unknown"
    return f"{commit}-changed" if changes() else commit


def refuse_changed_tree(file: Path) -> None:
    """Raises UserError if `file` is published, and the tree has changes."""
    if not _is_published(file) or not (changed := changes()):
        return
    more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    raise UserError(
        f"{file.parent}: the repository keeps these results, and the tree has changes in "
        f"{', '.join(changed[:SHOWN])}{more}, so no commit could be named as their origin; commit "
        "or stash them, or write elsewhere with --out FOLDER"
    )


def _is_published(file: Path) -> bool:
    path = file.resolve()
    kept = any(path.is_relative_to(ROOT / folder) for folder in ("papers", "results"))
    if not kept or git("rev-parse", "--git-dir") is None:
        return False
    return git("check-ignore", "--quiet", str(path)) is None
