#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Images built with and without probe points have the same bytes in memory; only the first has
probe records.

    probes_test.py WITH.elf WITHOUT.elf RELEASE

RELEASE is a regular expression that the instruction at the lock_release probe must match.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# In counter.c: two regions, one attempt, one acquisition, one release (guest/include/probes.h).
EXPECTED_KINDS = [1, 2, 3, 4, 5]


def loaded_bytes(image):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "bytes")
        subprocess.run(["objcopy", "-O", "binary", image, out], check=True)
        return out.read_bytes()


def probe_records(image):
    """[(address, kind, operand)] from the section .symsim.probes; empty if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "probes")
        subprocess.run(
            ["objcopy", "-O", "binary", "-j", ".symsim.probes",
             "--set-section-flags", ".symsim.probes=alloc", image, out],
            check=True, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        data = out.read_bytes() if out.exists() else b""
    records, at = [], 0
    while at < len(data):
        address, kind = (int.from_bytes(data[at + i : at + i + 4], "little") for i in (0, 4))
        end = data.index(b"\0", at + 8)
        records.append((address, kind, data[at + 8 : end].decode()))
        at = (end + 4) & ~3
    return records


def instruction_at(image, address):
    command = ["objdump", "-d", "--no-show-raw-insn", f"--start-address={address}",
               f"--stop-address={address + 16}", image]  # fmt: skip
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return next(line.split("\t")[1] for line in lines if line.strip().startswith(f"{address:x}:"))


def main(with_probes, without_probes, release_pattern):
    records = probe_records(with_probes)
    kinds = sorted(kind for _, kind, _ in records)
    assert kinds == EXPECTED_KINDS, f"probe kinds {kinds}, expected {EXPECTED_KINDS}"
    locks = {operand for _, kind, operand in records if kind <= 3}
    assert locks == {"$counter_lock"}, f"lock operands {locks}"
    release = instruction_at(with_probes, next(a for a, kind, _ in records if kind == 3))
    assert re.match(release_pattern, release), f"release probe sits on {release}"

    bare = probe_records(without_probes)
    assert bare == [], f"SYMSIM_NO_PROBES left {bare}"
    assert loaded_bytes(with_probes) == loaded_bytes(without_probes), "probes changed the code"


if __name__ == "__main__":
    main(*sys.argv[1:])
