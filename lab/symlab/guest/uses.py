# SPDX-License-Identifier: MIT
"""What a program is built with, by its source: a lock, a barrier, threads.

`symlab compare` has no option -I, so gcc finds the program's own headers beside it, and all others
in the folders of the guests.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from symlab.places import GUEST

# A call or an include by which a program shows what it is built with.
USES = {
    "strategy": re.compile(r'\bthreads_run\(|#include [<"]pthread\.h'),
    "barrier": re.compile(r'#include "barrier\.h"'),
    "lock": re.compile(r"\block_acquire\("),
}
# Without these words in its text a program cannot use the thing: it has no other way to it.
MENTIONS = {
    "strategy": re.compile(r"\bthreads_run\b|\bpthread\.h\b"),
    "barrier": re.compile(r"\bbarrier\.h\b"),
    "lock": re.compile(r"\block_(?:acquire|try)\b"),
}
LACKS = {
    "strategy": "starts no threads: it has neither threads_run() of threads.h nor pthread.h",
    "barrier": "uses no barrier: it does not include barrier.h",
    "lock": "uses no lock: it calls neither lock_acquire() nor lock_try() of lock.h",
}
PROCESSES = re.compile(r'#include "process\.h"')
INCLUDED = re.compile(r'^\s*#\s*include\s*([<"])(.+)[>"]', re.MULTILINE)
# These declare locks and barriers for programs that use them; to include them is no use yet.
INTERFACES = [GUEST / "include" / name for name in ("lock.h", "barrier.h", "symsim.h")]
FOLDERS = (GUEST / "include", GUEST, GUEST / "locks")  # where gcc looks for other headers


def uses(source: Path) -> list[str]:
    """What a program is built with; first what it is mainly about."""
    text = text_with_headers(source)
    return [kind for kind, pattern in USES.items() if pattern.search(text)]


def lacks(source: Path, kind: str) -> str:
    """Why a program can have no "lock", "barrier" or "strategy", in words; "" if it may have one.
    The thread package uses the lock, so a program of threads has one."""
    own = text_with_headers(source)
    if kind != "lock":
        return "" if MENTIONS[kind].search(own) else LACKS[kind]
    has_threads = MENTIONS["strategy"].search(own)
    locks = has_threads or MENTIONS["lock"].search(text_with_headers(source, FOLDERS))
    return "" if locks else LACKS["lock"]


def of_processes(source: Path) -> bool:
    """Whether it is a program of processes, of a kernel."""
    return PROCESSES.search(text_with_headers(source)) is not None


def text_with_headers(source: Path, folders: Sequence[Path] = ()) -> str:
    """The text of the files of `with_headers`, without the interfaces."""
    return "\n".join(with_headers(source, folders, INTERFACES).values())


def with_headers(
    source: Path, folders: Sequence[Path] = (), without: Sequence[Path] = ()
) -> dict[Path, str]:
    """The program and the headers that it includes, those beside it and of other `folders`: file ->
    its text."""
    texts: dict[Path, str] = {}
    waiting = [source.resolve()]
    while waiting:
        file = waiting.pop()
        if file in texts or file in without or not file.is_file():
            continue
        texts[file] = file.read_text(encoding="utf-8", errors="replace")
        for mark, name in INCLUDED.findall(texts[file]):
            places = [file.parent, *folders] if mark == '"' else folders
            found = (place / name for place in places if (place / name).is_file())
            waiting += [one.resolve() for one in found][:1]
    return texts
