# SPDX-License-Identifier: MIT
"""Packages that only some users need: the extras of lab/pyproject.toml."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from symlab.errors import UserError


def missing(name: str, what: str) -> UserError:
    """The error if `what` needs the extra `name`, which is not installed."""
    command = f"{sys.executable} -m pip install 'symlab[{name}]'"
    return UserError(f"{what} needs the extra {name} of symlab; install it: {command}")


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Context manager around imports of packages of the extra `name`. Raises UserError."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing(name, what) from error
