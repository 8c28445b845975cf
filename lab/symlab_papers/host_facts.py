# SPDX-License-Identifier: MIT
"""Facts about the host of a benchmark and about the build that ran on it."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from symlab.git import git


def host_facts(compiler: str) -> dict[str, Any]:
    """Keys cpu, cores, kernel, compiler, commit, changed_since_commit and date (UTC).

    `compiler`: the one that built the simulator. Unknown facts are None.
    """
    changes = git("status", "--porcelain", "--untracked-files=no")
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": f"{platform.system()} {platform.release()}",
        "compiler": compiler,
        "commit": git("rev-parse", "HEAD"),
        "changed_since_commit": None if changes is None else changes != "",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


def _cpu_model() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, None)
