#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Images built with and without probe points have the same bytes in memory; only the first has
probe records of the program.

    probes_test.py WITH.elf WITHOUT.elf RELEASE
    probes_test.py WITH.elf WITHOUT.elf calls

RELEASE is the lock's LOCK_RELEASE, exchange or store. A lock_release probe marks the instruction
that gives the lock away, not one before it: hold times of all locks end at the same point.

calls: images of address spaces, whose first has all probe points of calls.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# In counter.c: two regions, one attempt, one acquisition, one release (guest/include/probes.h). A
# lock that is released by a store may have a second release, a locked one, for when nobody waits.
RELEASE_KIND = 3
ARGUMENT_KIND = 33  # in the library, which is the same in both images
EXPECTED_KINDS = [1, 2, RELEASE_KIND, 4, 5, ARGUMENT_KIND]
CALL_KINDS = set(range(64, 75))
STORE, LOCKED = r"movl? .*,0x[0-9a-f]+(\(%e..\))?$", r"xchg |lock cmpxchg "


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


def check_releases(instructions, release):
    stores = [i for i in instructions if re.match(STORE, i)]
    others = [i for i in instructions if i not in stores]
    assert all(re.match(LOCKED, i) for i in others), f"release probe sits on {others}"
    assert len(stores) == (release == "store"), f"released by {instructions}, not by {release}"
    assert len(others) <= 1, f"released by {others}"


def check_counter(with_probes, without_probes, release):
    records = probe_records(with_probes)
    kinds = sorted({kind for _, kind, _ in records})
    assert kinds == EXPECTED_KINDS, f"probe kinds {kinds}, expected {EXPECTED_KINDS}"
    locks = {operand for _, kind, operand in records if kind <= 3}
    assert locks == {"$counter_lock"}, f"lock operands {locks}"
    check_releases(
        [instruction_at(with_probes, a) for a, kind, _ in records if kind == RELEASE_KIND], release
    )

    bare = [record for record in probe_records(without_probes) if record[1] != ARGUMENT_KIND]
    assert bare == [], f"SYMSIM_NO_PROBES left {bare}"


def check_calls(with_probes, without_probes):
    missing = CALL_KINDS - {kind for _, kind, _ in probe_records(with_probes)}
    assert not missing, f"no probe points of kinds {missing}"
    left = CALL_KINDS & {kind for _, kind, _ in probe_records(without_probes)}
    assert not left, f"SYMSIM_NO_PROBES left kinds {left}"


def main(with_probes, without_probes, what):
    if what == "calls":
        check_calls(with_probes, without_probes)
    else:
        check_counter(with_probes, without_probes, what)
    assert loaded_bytes(with_probes) == loaded_bytes(without_probes), "probes changed the code"


if __name__ == "__main__":
    main(*sys.argv[1:])
