# SPDX-License-Identifier: MIT
"""The claims of papers/<PAPER>/paper.toml, as they are listed there."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from symlab.errors import UserError
from symlab.places import PAPERS


@dataclass(frozen=True)
class Check:
    """One check of a claim. `figure`: the one whose data it needs, as in figure.name of a config.
    `check`: what is compared, in words.

    `test`: the comparisons as expressions (expressions.py); without any a function in the module of
    the figure makes them. `note`: what the value of each is, {} around expressions.
    """

    figure: str
    check: str
    test: tuple[str, ...] = ()
    note: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A claim. `where`: its place in the paper. `statement`: the paper's statement in our words.

    `kind`: one of `counts.KINDS`. `since`: when its checks became what they are. `why` its bounds
    are these; empty if it is an order alone, which has no bound but the spread. `paper`: the
    paper's value with its unit; empty if the claim is an order or a shape. `cause`: why the claim
    fails or is undecided in the simulation, empty if it does neither. `page`: the one of pages/
    with more about the cause. `printed`: see `printed.all_printed`.
    """

    id: str
    where: str
    statement: str
    kind: str
    checks: tuple[Check, ...]
    since: date
    why: str = ""
    paper: str = ""
    cause: str = ""
    page: str = ""
    printed: Sequence[Mapping[str, Any]] = ()


@cache
def content(paper: str) -> dict[str, Any]:
    """What papers/<paper>/paper.toml has."""
    return tomllib.loads((PAPERS / paper / "paper.toml").read_text(encoding="utf-8"))


@cache
def rows(paper: str) -> dict[str, Row]:
    """Id -> claim, in the order of the file."""
    return {id: _row(id, dict(claim)) for id, claim in content(paper)["claims"].items()}


def checks_of(figure: str) -> list[tuple[str, Check]]:
    """The checks on the data of a figure, each with the id of its claim."""
    claims = rows(figure.partition("-")[0].upper()).values()
    return [(row.id, check) for row in claims for check in row.checks if check.figure == figure]


def _row(id: str, claim: dict[str, Any]) -> Row:
    own = {key: claim.pop(key) for key in ("figure", "check", "test", "note") if key in claim}
    listed = claim.pop("checks", [own])
    try:
        checks = tuple(Check(**{k: _texts(k, v) for k, v in one.items()}) for one in listed)
        return Row(id, checks=checks, **claim)
    except TypeError as error:
        raise UserError(f"papers/{id.partition('-')[0]}/paper.toml: {id}: {error}") from error


def _texts(key: str, value: Any) -> Any:
    if key in ("figure", "check"):
        return value
    return tuple(value) if isinstance(value, list) else (value,)
