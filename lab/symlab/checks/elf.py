# SPDX-License-Identifier: MIT
"""What the lab reads of a guest image: symbols, source lines, and what it declares as checked."""

import bisect
import shutil
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from symlab.errors import UserError, reason

RECORD = struct.Struct("<4I")  # of .symsim.checked (guest/include/checked.h)
PROBE = struct.Struct("<II")  # of .symsim.probes (guest/include/probes.h); a text follows: $1, %eax
REGION_BEGIN = 4
GUARDED, OBJECTS = 1, 2
NAMED_TYPES = ("STT_NOTYPE", "STT_OBJECT", "STT_FUNC")


class Guarded(NamedTuple):
    """Bytes [begin, end) may be touched only while `lock` (its address) is held."""

    begin: int
    end: int
    lock: int


class Objects(NamedTuple):
    """Bytes [begin, end) are an array of objects of `size` bytes each."""

    begin: int
    end: int
    size: int


class Image:
    """A guest image. Raises UserError if `path` is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.guarded: list[Guarded] = []
        self.objects: list[Objects] = []
        try:
            with ELFFile.load_from_path(str(path)) as elf:
                self._symbols = sorted(_symbols(elf))
                self._probes = list(_probes(_data(elf, ".symsim.probes")))
                records = list(RECORD.iter_unpack(_data(elf, ".symsim.checked")))
        except (OSError, ELFError, struct.error, ValueError) as error:
            raise UserError(f"{path}: cannot be read as a guest image: {reason(error)}") from error
        self._begins = [begin for begin, _, _ in self._symbols]
        for kind, begin, length, extra in records:
            if kind == GUARDED:
                self.guarded.append(Guarded(begin, begin + length, extra))
            elif kind == OBJECTS:
                self.objects.append(Objects(begin, begin + length, extra))

    def may_begin(self, region: int) -> bool:
        """Whether the program may begin a region with this number: a probe point has it, or a
        value that only a run shows."""
        begins = [operand for kind, operand in self._probes if kind == REGION_BEGIN]
        return any(operand == f"${region}" or operand[:1] != "$" for operand in begins)

    def name(self, address: int) -> str:
        """`counter` or `queue+0x8`; the address itself if no symbol is there."""
        at = bisect.bisect_right(self._begins, address) - 1
        while at >= 0 and address - self._begins[at] < 1 << 16:
            begin, size, name = self._symbols[at]
            if address < begin + max(size, 1):
                return name if address == begin else f"{name}+{address - begin:#x}"
            at -= 1
        return f"{address:#x}"

    def lines(self, addresses: Sequence[int]) -> dict[int, list[str]]:
        """For each address of code `function at FILE:LINE`, innermost first, then the functions
        into which the compiler inlined it. Empty without binutils or line numbers."""
        wanted = sorted(set(addresses))
        tool = shutil.which("addr2line")
        if not wanted or tool is None:
            return {}
        command = [tool, "-e", str(self.path), "-afip"]
        done = subprocess.run(
            [*command, *map(hex, wanted)], capture_output=True, text=True, errors="replace"
        )
        found: dict[int, list[str]] = {}
        current: list[str] = []
        for line in done.stdout.splitlines():
            if line.startswith("0x"):
                address, _, line = line.partition(": ")
                current = found.setdefault(int(address, 16), [])
            line = line.strip().removeprefix("(inlined by) ").split(" (discriminator")[0]
            if "??" not in line:
                function, at, place = line.partition(" at ")
                current.append(f"{function}{at}{_short(place)}")
        return found


def _short(place: str) -> str:
    """The path from the folder of the guests, of a file of this tree."""
    _, mark, rest = place.rpartition("/guest/")
    return f"guest/{rest}" if mark else place


def _data(elf: ELFFile, section: str) -> bytes:
    """The contents of a section; empty if there is none."""
    found = elf.get_section_by_name(section)
    return found.data() if found else b""


def _probes(records: bytes) -> Iterator[tuple[int, str]]:
    """Kind and place of the operand of each probe point."""
    at = 0
    while at < len(records):
        _, kind = PROBE.unpack_from(records, at)
        at += PROBE.size
        operand = records[at : records.index(b"\0", at)]
        yield kind, operand.decode(errors="replace")
        at += (len(operand) // 4 + 1) * 4


def _symbols(elf: ELFFile) -> Iterator[tuple[int, int, str]]:
    """(begin, size, name) of each symbol that has a place in memory."""
    table = elf.get_section_by_name(".symtab")
    for symbol in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
        # pyelftools has the reserved sections, such as SHN_ABS, as words.
        placed = isinstance(symbol["st_shndx"], int)
        if placed and symbol.name and symbol["st_info"]["type"] in NAMED_TYPES:
            yield symbol["st_value"], symbol["st_size"], symbol.name
