# SPDX-License-Identifier: MIT
"""Refuses thread-local variables: nothing gives each thread its own."""

from collections.abc import Iterable

from symlab.errors import UserError
from symlab.guest.names import binutils


def refuse_thread_locals(objects: Iterable[tuple[str, str]]) -> None:
    """Raises UserError if there is such a variable. `objects`: pairs of the file that the user
    named, and the object or archive made of it."""
    for source, file in objects:
        if names := _thread_locals(file):
            raise UserError(
                f"cc: {source}: {', '.join(names)}: thread-local variables (__thread, "
                "_Thread_local) are not supported yet; use an array indexed by processor(), or "
                "pthread_getspecific"
            )


def _thread_locals(file: str) -> list[str]:
    """The thread-local variables that an object or an archive defines or uses."""
    words = [line.split() for line in binutils("readelf", "-sW", file).splitlines()]
    return list(dict.fromkeys(parts[7] for parts in words if len(parts) > 7 and parts[3] == "TLS"))
