# SPDX-License-Identifier: MIT
"""Finds the figure that a config names. The lab itself has only the plain plot; packages with
figures declare a function name -> Figure or None as an entry point of FINDERS."""

from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points

from symlab.errors import UserError
from symlab.plot.figure import Figure
from symlab.plot.look import Look

FINDERS = "symlab.figures"


def find_figure(name: str, keys: list[str], look: Look | None = None) -> Figure:
    """The figure `name`, as in figure.name of a config, else a plain plot over columns `keys`.

    `look`: title, and what else the config says about the plain plot.
    """
    wanted = look or Look()
    if (found := _found(name)) is not None:
        if replace(wanted, title="", where="") != Look():
            raise UserError(
                f"{wanted.where}: figure.y, figure.log and figure.own are for the plain plot, but "
                f'figure.name is "{name}"; take them out, or set figure.name = ""'
            )
        return replace(found, title=wanted.title)
    from symlab.plot.generic import generic_figure

    return generic_figure(keys, replace(wanted, title=wanted.title or name))


def is_known(name: str) -> bool:
    """Whether there is a figure `name`, other than the plain plot."""
    return _found(name) is not None


@cache
def _found(name: str) -> Figure | None:
    finders = (entry.load() for entry in entry_points(group=FINDERS)) if name else ()
    return next((figure for find in finders if (figure := find(name))), None)
