# SPDX-License-Identifier: MIT
"""Reads bus.log.zst, the simulator's transaction log, block by block.

The log describes itself: it begins with a line of JSON that lists the record types with the names
and types of their fields. Blocks of such records follow (docs/reference/transactions.md).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from symlab.errors import UserError, extra

with extra("parquet", "a transaction log"):
    import zstandard

FORMAT = "symsim transaction log"
SCHEMA_VERSION = 2
CHUNK_BYTES = 1 << 18  # read from the file at a time
# Blocks of these types group their records by processor. The reader sorts each block by these
# fields; the sort is stable.
ORDER = {"marks": ("time_ps", "processor"), "states": ("end_ps", "processor")}
BLOCK_HEAD = np.dtype([("type", "<u4"), ("records", "<u4")])


class Damaged(UserError):
    """The log cannot be read any further."""


@dataclass(frozen=True)
class RecordType:
    """A record type from the header. `differences`: fields stored as the difference to the previous
    record of the block."""

    name: str
    dtype: np.dtype
    differences: tuple[str, ...]


def _type_of(record: dict[str, Any]) -> RecordType:
    fields = record["fields"]
    dtype = np.dtype([(f["name"], f["type"]) for f in fields])
    differences = tuple(f["name"] for f in fields if f["stored"] == "difference")
    return RecordType(record["name"], dtype, differences)


class LogReader:
    """An open log and its context manager: `header` as the simulator wrote it, `blocks()` once.

    With `partial`, reading a truncated or damaged log ends without an error after the last complete
    block. `on_progress` is called with the number of
    bytes of the file read so far. Raises UserError if there is no log, if it is damaged, or if
    another version of the simulator wrote it.
    """

    def __init__(
        self,
        path: Path,
        partial: bool = False,
        on_progress: Callable[[int], None] = lambda done: None,
    ) -> None:
        self.path = path
        self._partial = partial
        self._on_progress = on_progress
        self._waiting = b""  # decompressed, not yet taken by _take
        self._error = ""  # error of the decompression after the bytes in _waiting
        self._inflate = zstandard.ZstdDecompressor().decompressobj()
        try:
            self._file: BinaryIO = path.open("rb")
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from error
        try:
            self.header = self._read_header()
            self._types = {record["type"]: _type_of(record) for record in self.header["records"]}
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "LogReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def blocks(self) -> Iterator[tuple[str, np.ndarray]]:
        """Yields (record type, records as a structured array) for each block, in order of time. The
        record types are "bus", "marks" and "states". Raises UserError if the log is damaged."""
        try:
            while True:
                head = np.frombuffer(self._take(BLOCK_HEAD.itemsize), BLOCK_HEAD)[0]
                if int(head["type"]) not in self._types:
                    raise self._damaged(f"a block of type {head['type']}, which there is not")
                kind = self._types[int(head["type"])]
                if kind.name == "end":
                    return self._check_end(kind.dtype)
                yield kind.name, self._records(kind, int(head["records"]))
        except Damaged:
            if not self._partial:
                raise

    def _records(self, kind: RecordType, count: int) -> np.ndarray:
        size = kind.dtype.itemsize
        planes = np.frombuffer(
            self._take(count * size), np.uint8
        )  # all first bytes, all second ...
        records = np.frombuffer(planes.reshape(size, count).T.tobytes(), kind.dtype).copy()
        for field in kind.differences:
            records[field] = np.cumsum(records[field], dtype=kind.dtype[field])
        order = ORDER.get(kind.name)
        # For lexsort the last key is the primary one.
        return records[np.lexsort([records[key] for key in reversed(order)])] if order else records

    def _check_end(self, dtype: np.dtype) -> None:
        self._take(dtype.itemsize)
        # The checksum of the zstd frame follows the last record; _fill makes zstd read it.
        if self._fill(1) > 0:
            raise self._damaged("something follows its end")
        if not self._inflate.eof:
            raise self._damaged("it is cut off")

    def _read_header(self) -> dict[str, Any]:
        line = b""
        while not line.endswith(b"\n"):
            if self._fill(1) == 0:
                raise self._damaged("it is cut off before its first record")
            at = self._waiting.find(b"\n") + 1 or len(self._waiting)
            line += self._take(at)
        try:
            header = json.loads(line)
            known = header["format"] == FORMAT
            version = int(header["schema_version"])
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged("its first line is not that of a transaction log") from error
        if not known:
            raise self._damaged(f"its first line says it is a {header['format']}")
        if version != SCHEMA_VERSION:
            raise UserError(
                f"{self.path}: schema version {version}, and this symlab reads {SCHEMA_VERSION}; "
                "use the symlab of the simulator that wrote it"
            )
        return header

    def _take(self, count: int) -> bytes:
        if self._fill(count) < count:
            raise self._damaged("it is cut off")
        taken, self._waiting = self._waiting[:count], self._waiting[count:]
        return taken

    def _fill(self, count: int) -> int:
        """Decompresses until `count` bytes are available or the log ends; returns how many are."""
        parts = [self._waiting]
        held = len(self._waiting)
        while held < count and not self._inflate.eof and not self._error:
            chunk = self._file.read(CHUNK_BYTES)
            if not chunk:
                break
            self._on_progress(self._file.tell())
            try:
                parts.append(self._inflate.decompress(chunk))
            except zstandard.ZstdError as error:
                self._error = str(error)
                break
            held += len(parts[-1])
        self._waiting = b"".join(parts)
        return held

    def _damaged(self, how: str) -> Damaged:
        advice = "run it again"
        if not self._partial:
            advice += ", or read what is there with --partial"
        return Damaged(f"{self.path}: damaged: {self._error or how}; {advice}")
