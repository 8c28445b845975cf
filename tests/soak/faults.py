# SPDX-License-Identifier: MIT
"""The faults of the soak test of sweeps: a disk that can be full, and the death of a simulator."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

MOUNTED = "SYMSIM_SOAK_MOUNTED"  # environment variable: the program is in its own mount namespace
CHUNKS = (1 << 20, 1 << 16, 1 << 12)  # bytes; the ballast fills the disk with ever smaller ones


def can_mount() -> bool:
    """Whether this user can mount a tmpfs in a namespace of his own, which root need not be."""
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(command, capture_output=True).returncode == 0


def in_namespace(command: list[str]) -> int:
    """Runs `command` in a mount namespace of its own; its mounts end with it."""
    environment = {**os.environ, MOUNTED: "1"}
    return subprocess.run(["unshare", "-rm", *command], env=environment).returncode


@dataclass
class Disk:
    """A small disk. `full` fills it with a ballast file, `free` removes that."""

    folder: Path
    small: bool  # whether it is a tmpfs of its own
    ballast: Path = field(init=False)

    def __post_init__(self) -> None:
        self.ballast = self.folder / "ballast"

    @staticmethod
    def made(folder: Path, size_bytes: int) -> "Disk":
        """A tmpfs at `folder` if this program may mount one, else the folder itself."""
        folder.mkdir(parents=True)
        small = MOUNTED in os.environ
        if small:
            size = f"size={size_bytes}"
            command = ["mount", "-t", "tmpfs", "-o", size, "none", str(folder)]
            subprocess.run(command, check=True)
        return Disk(folder, small)

    def fill(self) -> None:
        """Takes all space that is left, to the last page."""
        with contextlib.suppress(OSError), self.ballast.open("ab", buffering=0) as file:
            for chunk in CHUNKS:
                with contextlib.suppress(OSError):
                    while file.write(bytes(chunk)) == chunk:
                        pass

    def free(self) -> None:
        self.ballast.unlink(missing_ok=True)


def kill_a_simulator(parent: int, chance: random.Random) -> str | None:
    """Sends SIGKILL to a simulator that the process `parent` has started.

    Returns "run" or "config", for a simulator that was asked for the complete config; None if none
    was alive.
    """
    alive = [(pid, kind) for pid in _children(parent) if (kind := _kind(pid)) is not None]
    if not alive:
        return None
    pid, kind = chance.choice(alive)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return kind
    return None


def _children(parent: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{parent}/task").iterdir():
            with contextlib.suppress(OSError):
                found += [int(pid) for pid in (thread / "children").read_text().split()]
    return found


def _kind(pid: int) -> str | None:
    """What the process does if it is a simulator; None if it is none, or has ended."""
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return None
    if state in "ZX" or not arguments[0].endswith(b"symsim"):
        return None
    return "config" if b"--print-config" in arguments else "run"
