# SPDX-License-Identifier: MIT
"""What the lab reads of a guest image: its symbols, source lines, and what it declares as checked.

An image is an ELF file of 32 bits, little endian (Tool Interface Standard, ELF specification 1.2).
"""

import bisect
import shutil
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from symlab.errors import UserError, reason

SECTION_HEADER = struct.Struct("<10I")  # name, type, flags, address, offset, size, link, ...
SYMBOL = struct.Struct("<IIIBBH")  # name, value, size, info, other, section
RECORD = struct.Struct("<4I")  # of .symsim.checked (guest/include/checked.h)
PROBE = struct.Struct("<II")  # of .symsim.probes (guest/include/probes.h); a text follows: $1, %eax
REGION_BEGIN = 4
GUARDED, OBJECTS = 1, 2
NAMED_TYPES = (0, 1, 2)  # no type, data, function


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
        try:
            data = path.read_bytes()
            self._sections = _sections(data)
            _, offset, size, _ = self._sections.get(".symsim.probes", (0, 0, 0, 0))
            self._probes = list(_probes(data[offset : offset + size]))
        except (OSError, struct.error, IndexError, ValueError) as error:
            raise UserError(f"{path}: cannot be read as a guest image: {reason(error)}") from error
        symbols = sorted(_symbols(data, self._sections))
        self._begins = [begin for begin, _, _ in symbols]
        self._symbols = symbols
        self.guarded: list[Guarded] = []
        self.objects: list[Objects] = []
        _, offset, size, _ = self._sections.get(".symsim.checked", (0, 0, 0, 0))
        for kind, begin, length, extra in RECORD.iter_unpack(data[offset : offset + size]):
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


def _sections(data: bytes) -> dict[str, tuple[int, int, int, int]]:
    """Name -> address, offset, size, link of each section."""
    if data[:6] != b"\x7fELF\x01\x01":
        raise IndexError("no ELF file of 32 bits")
    (offset,) = struct.unpack_from("<I", data, 32)
    size, count, names = struct.unpack_from("<HHH", data, 46)
    headers = [SECTION_HEADER.unpack_from(data, offset + i * size) for i in range(count)]
    texts = headers[names][4]
    return {_text(data, texts + h[0]): (h[3], h[4], h[5], h[6]) for h in headers}


def _probes(records: bytes) -> Iterator[tuple[int, str]]:
    """Kind and place of the operand of each probe point."""
    at = 0
    while at < len(records):
        _, kind = PROBE.unpack_from(records, at)
        operand = _text(records, at + PROBE.size)
        yield kind, operand
        at += PROBE.size + (len(operand.encode()) // 4 + 1) * 4


def _symbols(
    data: bytes, sections: dict[str, tuple[int, int, int, int]]
) -> list[tuple[int, int, str]]:
    """(begin, size, name) of each symbol that has a place in memory."""
    if ".symtab" not in sections or ".strtab" not in sections:
        return []
    _, offset, size, _ = sections[".symtab"]
    texts = sections[".strtab"][1]
    return [
        (value, length, _text(data, texts + name))
        for name, value, length, info, _, section in SYMBOL.iter_unpack(
            data[offset : offset + size]
        )
        if info & 15 in NAMED_TYPES and 0 < section < 0xFF00 and name
    ]


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode(errors="replace")
