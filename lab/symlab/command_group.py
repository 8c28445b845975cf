# SPDX-License-Identifier: MIT
"""The base class of the command `symlab` and of its groups of commands."""

from typing import Any

from typer.core import TyperGroup


class CommandGroup(TyperGroup):
    """A group of commands whose own flags (--help, --show-completion) are False by default.

    typer's default for them is None, and typer imports pydantic to convert it, which takes 0.1 s.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        options = super().get_params(ctx)
        for option in options:
            if option.default is None:
                option.default = False
        return options
