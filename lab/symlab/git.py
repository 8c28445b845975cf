# SPDX-License-Identifier: MIT
"""Asks git about the tree that symlab is part of."""

import subprocess

from symlab.places import ROOT


def git(*arguments: str) -> str | None:
    """What `git ARGUMENTS` prints in the tree; None outside of a repository, or without git."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
