# SPDX-License-Identifier: MIT
"""Makes one run of the simulator to measure what the run costs the host."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symlab.errors import OutputError
from symlab.files import read_json
from symlab.results.table import host_columns
from symlab.runs.settings import Scalar
from symlab.runs.simulator import summary_of

NS_PER_S = 1e9


def timed_run(
    config: Path, settings: Mapping[str, Scalar], simulator: Path | None = None
) -> dict[str, Any]:
    """Runs `config` with `settings` (key -> value) and removes the files of the run. Returns
    simulated_us, instructions, the columns of `table.host_columns`, ns_per_instruction (host CPU
    time) and compiler. Raises RunFailed, UserError, OutputError."""
    with tempfile.TemporaryDirectory(prefix="symlab-bench-") as folder:
        summary = summary_of(config, settings, folder, simulator)
        host = read_json(Path(folder) / "host.json")
    if host is None:
        raise OutputError(f"{config}: the run left no host.json; is the disk of {folder} full?")
    simulated_us, instructions = summary["simulated_us"], summary["instructions"]
    return {
        "simulated_us": simulated_us,
        "instructions": instructions,
        **host_columns(host, simulated_us),
        "ns_per_instruction": host["cpu_s"] * NS_PER_S / instructions,
        "compiler": host["compiler"],
    }
