# SPDX-License-Identifier: MIT
"""Arguments of a program that no run asks for: most are misspelt.

The simulator lists them in the summary of each run, with the name that is meant. The programs of a
sweep may take different arguments, so an argument is wrong if a run of each program has finished
and none has asked for it. A config may have arguments for configs that inherit from it; one of the
file is wrong only if the program has one of a similar name.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from symlab.errors import UserError
from symlab.files import read_json
from symlab.guest.catalogue import KIND_OF_OPTION
from symlab.runs.executing import Outcome
from symlab.runs.plan import Task

PREFIX = "guest.args."
MEANT = "did you mean"  # how the simulator's hint begins if a name is similar
INSIST = "To run it all the same: --no-strict, or in Python strict=False"


def refuse_unused(unused: Iterable[Mapping[str, str]], keys: Collection[str]) -> None:
    """Raises UserError if one is wrong. `unused`: guest.unused_arguments of a summary. `keys`:
    those that the user has given besides the config."""
    wrong = (o for o in unused if PREFIX + o["name"] in keys or o["hint"].startswith(MEANT))
    if sentences := [_sentence(one["name"], one["hint"]) for one in wrong]:
        said = "; ".join(sentences)
        raise UserError(f"{said}{'' if said.endswith('?') else '.'} {INSIST}")


class Arguments:
    """What is known of the arguments of a sweep after the runs so far. `strict`: see `ended`.
    `keys`: see `refuse_unused`."""

    def __init__(self, tasks: Iterable[Task], strict: bool, keys: Collection[str] = ()) -> None:
        self._strict = strict
        self._keys = keys
        configs = (task.identity.config for task in tasks if task.identity is not None)
        self._to_come = {_program(config) for config in configs}  # no run has finished yet
        self._asked: set[str] = set()
        self._hints: dict[str, str] = {}

    def ended(self, task: Task, outcome: Outcome) -> None:
        """Counts a run that has ended, or that is kept. If it shows that an argument is not used,
        and mistakes are to be strictly refused, raises UserError."""
        if outcome.status != "finished" or outcome.folder is None or task.identity is None:
            return
        guest = (read_json(outcome.folder / "summary.json") or {}).get("guest") or {}
        hints = {one["name"]: one["hint"] for one in guest.get("unused_arguments", [])}
        names = {k.removeprefix(PREFIX) for k in task.identity.config if k.startswith(PREFIX)}
        self._to_come.discard(_program(task.identity.config))
        self._asked |= names - hints.keys()
        self._hints |= hints
        if self._strict:
            refuse_unused(self.unused, self._keys)

    @property
    def unused(self) -> list[dict[str, str]]:
        """Those that no program asks for, as in a summary; empty until that is known."""
        if self._to_come:
            return []
        return [
            {"name": name, "hint": hint}
            for name, hint in self._hints.items()
            if name not in self._asked
        ]

    @property
    def sentences(self) -> list[str]:
        return [_sentence(one["name"], one["hint"]) for one in self.unused]


def _sentence(name: str, hint: str) -> str:
    return f"{PREFIX}{name}: the program never asks for it; {hint}"


def _program(config: Mapping[str, Any]) -> str:
    """The program of a run, whatever it is built with: guest.image with its values put in, but for
    lock, barrier and strategy."""
    name = str(config.get("guest.image", ""))
    for key, value in config.items():
        word = key.removeprefix(PREFIX)
        if key != word and word not in KIND_OF_OPTION:
            name = name.replace("{" + word + "}", str(value))
    return name
