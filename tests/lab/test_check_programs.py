# SPDX-License-Identifier: MIT
"""The programs that `symlab check` checks pass with every lock, barrier and strategy of the tree,
in the schedule of an undisturbed run. They need SYMSIM_BINARY, which `make test` sets."""

import itertools
import os
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from symlab.guest import catalogue

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
MACHINE = ROOT / "configs/machines/symmetry-a.toml"
PROCESSORS = [2, 3]
GUARDED, OBJECTS = 1, 2  # guest/include/checked.h
UNLOCKED = "unlocked-queues"  # no processor takes another's threads

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def names(kind: str) -> list[str]:
    """Those of which images are built."""
    return [item.name for item in catalogue.items(kind) if not item.special]


def strategies() -> list[str]:
    return [item.name for item in catalogue.items("strategies")]


def run_all(
    image: str, folder: Path, arguments: Sequence[Mapping[str, int]], settings: Sequence[str] = ()
) -> None:
    """Runs the image with each of the arguments, on each number of processors; with the first of
    the arguments by both engines."""
    runs = [("fast", chosen) for chosen in arguments] + [("reference", arguments[0])]
    for (engine, chosen), processors in itertools.product(runs, PROCESSORS):
        keys = [f"machine.processors={processors}", f"run.engine={engine}", "run.limit_ms=50"]
        keys += [f"guest.image={image}", *settings]
        keys += [f"guest.args.{name}={value}" for name, value in chosen.items()]
        words = [word for key in keys for word in ("--set", key)]
        command = [BINARY, str(MACHINE), "-q", "--strict", "--out", str(folder), *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, (chosen, processors, engine, done.stderr)


@pytest.mark.parametrize("lock", names("locks"))
def test_a_lock_passes(lock, tmp_path):
    isa = catalogue.find("locks", lock).isa
    arguments = [{"acquisitions": 3}, {"try": 1}]
    run_all(f"check_lock-{lock}", tmp_path, arguments, [f"processor.isa={isa}"])


@pytest.mark.parametrize("barrier", names("barriers"))
def test_a_barrier_passes(barrier, tmp_path):
    run_all(f"check_barrier-{barrier}", tmp_path, [{"episodes": 5}])


@pytest.mark.parametrize("strategy", strategies())
def test_a_strategy_passes(strategy, tmp_path):
    arguments = [{"children": 2}, {"early": 1, "mutex": 0}, {"early": 1}]
    arguments += [] if strategy == UNLOCKED else [{"meet": 1}]
    run_all(f"check_threads-{strategy}", tmp_path, arguments)


def section(image: bytes, name: bytes) -> tuple[int, bytes]:
    """Flags and contents of a section of a 32-bit ELF file."""
    table, size, count, names_at = (
        struct.unpack_from("<I", image, 32)[0],
        *struct.unpack_from("<HHH", image, 46),
    )
    headers = [struct.unpack_from("<10I", image, table + i * size) for i in range(count)]
    texts = image[headers[names_at][4] :]
    for header in headers:
        if texts[header[0] :].split(b"\0", 1)[0] == name:
            return header[2], image[header[4] : header[4] + header[5]]
    raise AssertionError(f"no section {name!r}")


def test_declarations_are_records_that_are_not_loaded():
    image = Path(BINARY).resolve().parent / "guest/check_lock-mcs.elf"
    flags, contents = section(image.read_bytes(), b".symsim.checked")
    assert flags & 2 == 0  # SHF_ALLOC: not part of the program's memory
    records = {record[0]: record for record in struct.iter_unpack("<4I", contents)}
    assert set(records) == {GUARDED, OBJECTS}
    _, guarded, size, lock = records[GUARDED]
    assert size == 32  # a line
    assert lock != guarded
    _, _, size, element = records[OBJECTS]
    assert size == 64 * element
