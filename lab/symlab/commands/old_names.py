# SPDX-License-Identifier: MIT
"""Commands by the names that they had in version 0.1: they work, with a line of notice.

This module goes after version 0.2.
"""

import shlex
from collections.abc import Callable

from symlab.errors import UserError

WHAT = {
    "--complete": "complete",
    "--quick": "quick",
    "--gather": "claims",
    "--pages": "pages",
    "--spread": "spread",
    "--sensitivity": "sensitivity",
}
COMPARED = ("--lock", "--barrier", "--strategy", "--processors", "-p", "--set")
OF_COMPARE = ("--against", "--y", "--title", "--log", "--jobs")


def today(words: list[str]) -> list[str]:
    """The command line in today's words. If it has others, names them on standard error."""
    change = CHANGES.get(words[0]) if words else None
    new = change(words[1:]) if change else words
    if new != words:
        from symlab.terminal import errors  # rich takes 0.1 s to import

        said = shlex.join(["symlab", *new])
        errors.print(f"symlab: notice: this command is now called: {said}")
    return new


def _of_reproduce(words: list[str]) -> list[str]:
    what = [WHAT[word] for word in words if word in WHAT]
    others = [word for word in words if word not in WHAT]
    after_paper = 1 if others and not others[0].startswith("-") else len(others)
    return ["paper", *others[:after_paper], *what, *others[after_paper:]]


def _of_claims(words: list[str]) -> list[str]:
    kept = [word for word in words if word != "--explain"]
    if not kept:  # it wrote nothing
        raise UserError(
            "claims: of which table? `symlab paper ALL claims` judges all of a paper, and writes "
            "the verdicts; with a CLAIM or CSV it only prints"
        )
    subject = next((word for word in kept if not word.startswith("-")), "")
    figure = kept[kept.index("--figure") + 1 :][:1] if "--figure" in kept else []
    name = (figure or [subject.rpartition("/")[2]])[0]
    paper = name.partition("-")[0].upper()
    return ["paper", paper if paper.isalpha() else "ALL", "claims", *kept]


def _of_run(words: list[str]) -> list[str]:
    """`compare`, if the command has more than one alternative or number of processors."""
    pairs = [word.partition("=")[::2] for word in words]
    after = zip(pairs, [*words, ""][1:], strict=True)
    several = any(
        option in OF_COMPARE or (option in COMPARED and _is_list(value or following))
        for (option, value), following in after
    )
    return ["compare" if several else "run", *words]


def _is_list(value: str) -> bool:
    _, equals, setting = value.partition("=")
    if equals:
        return setting.startswith("[") or ".." in setting
    return value == "all" or "," in value or ".." in value


CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "reproduce": _of_reproduce,
    "claims": _of_claims,
    "run": _of_run,
}
