# SPDX-License-Identifier: MIT
"""Says what a program can use instead of a function that the linker has not found."""

import re

REFERENCE = re.compile(r"undefined reference to `([^']+)'")
# gcc calls these functions where the processor has no instruction for an operation of
# <stdatomic.h>, __atomic_ or __sync_.
ATOMIC = re.compile(r"__(atomic|sync)_")
WIDE = re.compile(r"_(8|16)$")

NO_ATOMIC = (
    "a 386 has xchg, and lock add, sub, inc, dec, and, or, xor, bts without the old value: use a "
    'lock (lock.h), pthread_mutex_t (-pthread), or -march=i486 and processor.isa = "i486", which '
    "has xadd and cmpxchg"
)
NO_WIDE = (
    "neither a 386 nor a 486 has an atomic operation of 8 bytes: use a lock, or -march=i586 and "
    'processor.isa = "i586", which has cmpxchg8b'
)


def undefined(messages: str) -> list[str]:
    """The names in the linker's messages, each once, in their order."""
    return list(dict.fromkeys(REFERENCE.findall(messages)))


def explanation(names: list[str], posix: bool) -> str:
    """One sentence for each kind of name, joined by semicolons; empty without names. `posix`:
    the program is built with -pthread."""
    atomic = [name for name in names if ATOMIC.match(name)]
    threads = [name for name in names if name.startswith("pthread_")]
    others = [name for name in names if name not in [*atomic, *threads]]
    wide = [name for name in atomic if WIDE.search(name)]
    narrow = [name for name in atomic if name not in wide]
    says = []
    if narrow:
        says.append(f"{_listed(narrow)}: {NO_ATOMIC}")
    if wide:
        says.append(f"{_listed(wide)}: {NO_WIDE}")
    if threads and not posix:
        says.append(f"{_listed(threads)}: build with -pthread")
    elif threads:
        others = [*threads, *others]
    if others:
        says.append(
            f"neither the program nor the library has {_listed(others)}; "
            "docs/how-to/c-programs.md lists what the library has"
        )
    return "; ".join(says)


def _listed(names: list[str]) -> str:
    most = 6
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
