# SPDX-License-Identifier: MIT
"""Converts a run's transaction log to bus.parquet, marks.parquet and states.parquet.

The log is read once, in order, with a bounded number of rows in memory. Times are in simulated
picoseconds. docs/reference/transactions.md explains the columns and has sample queries.
"""

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from symlab.errors import OutputError, UserError, extra, reason
from symlab.results.manifest import LOG, warn_if_damaged
from symlab.results.resources import RESOURCE
from symlab.results.transaction_log import LogReader

with extra("parquet", "a transaction log"):
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

NAME = pa.dictionary(pa.int32(), pa.string())
COLUMNS = {
    "bus": {
        "grant_ps": pa.int64(),
        "duration_ps": pa.int64(),
        "posted_ps": pa.int64(),
        "processor": pa.uint8(),
        "kind": NAME,
        "activity": NAME,
        "reply": pa.bool_(),
        "address": pa.uint32(),
        "symbol": NAME,
        "size_bytes": pa.uint8(),
        "locked": pa.bool_(),
        RESOURCE: pa.uint8(),  # absent if the interconnect has a single resource
    },
    "marks": {
        "time_ps": pa.int64(),
        "processor": pa.uint8(),
        "what": NAME,
        "activity": NAME,
        "probe": NAME,
        "value": pa.uint32(),
        "symbol": NAME,
        "address": pa.uint32(),
    },
    "states": {
        "start_ps": pa.int64(),
        "end_ps": pa.int64(),
        "processor": pa.uint8(),
        "state": NAME,
    },
}
SCHEMAS = {table: pa.schema(columns) for table, columns in COLUMNS.items()}
WHAT = pa.array(["activity", "probe"])
# Their operand is the address of a lock.
LOCK_PROBES = ("lock_attempt", "lock_acquired", "lock_release", "lock_released")
ROWS_PER_GROUP = 1 << 18  # rows per group of a Parquet file, and per table in memory
Format = Literal["parquet", "csv"]
# The table `bus` becomes transactions.csv, since the simulator already writes a bus.csv.
CSV_FILES = {"bus": "transactions.csv", "marks": "marks.csv", "states": "states.csv"}


class Tables:
    """Converts records to Arrow batches. `header`: that of the log, with names and symbols.
    `schemas`: those of SCHEMAS, without a column that the log does not have."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.schemas = dict(SCHEMAS)
        fields = {field["name"] for record in header["records"] for field in record["fields"]}
        if RESOURCE not in fields:
            bus = SCHEMAS["bus"]
            self.schemas["bus"] = bus.remove(bus.get_field_index(RESOURCE))
        self._no_name = int(header["no_name"])
        self._names = {
            table: {int(number): name for number, name in names.items()}
            for table, names in header["names"].items()
        }
        symbols = header["symbols"]
        self._begins = np.array([s[0] for s in symbols], dtype=np.int64)
        self._ends = np.array([s[1] for s in symbols], dtype=np.int64)
        self._origins = [s[2] for s in symbols]
        self._symbols = [s[3] for s in symbols]

    def batch(self, name: str, records: np.ndarray) -> pa.RecordBatch:
        """The rows of table `name` (a key of SCHEMAS) for these records, in their order."""
        columns: dict[str, Any] = {field: records[field] for field in records.dtype.names or ()}
        if name == "bus":
            columns["kind"] = self._named("kinds", records["kind"])
            columns["activity"] = self._named("activities", records["activity"])
            columns["symbol"] = self._symbol(records["address"])
        elif name == "marks":
            probe = self._named("probes", records["probe"])
            is_probe = records["probe"] != self._no_name
            columns["what"] = pa.DictionaryArray.from_arrays(is_probe.astype(np.int32), WHAT)
            columns["activity"] = self._named("activities", records["activity"])
            columns["probe"] = probe
            of_lock = np.isin(np.asarray(probe.dictionary), LOCK_PROBES)[np.asarray(probe.indices)]
            columns["symbol"] = self._symbol(records["value"], of_lock)
        else:
            columns["state"] = self._named("states", records["state"])
        schema = self.schemas[name]
        arrays = []
        for field in schema:
            values = columns[field.name]
            if not isinstance(values, pa.Array):
                values = pa.array(values.astype(field.type.to_pandas_dtype()))
            arrays.append(values)
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    def _named(self, table: str, numbers: np.ndarray) -> pa.DictionaryArray:
        """The names of the `numbers` in the header's table; "" for the number without a name."""
        present, places = np.unique(numbers, return_inverse=True)
        names = [
            "" if n == self._no_name else self._names[table].get(int(n), str(n)) for n in present
        ]
        return _dictionary(names, places)

    def _symbol(self, addresses: np.ndarray, which: np.ndarray | None = None) -> pa.DictionaryArray:
        """Symbol and offset of each address, such as lock+0x4; "" where `which` is false."""
        present, places = np.unique(addresses, return_inverse=True)
        names = [self._name_of(int(address)) for address in present]
        if which is not None:
            names.append("")
            places = np.where(which, places, len(present))
        return _dictionary(names, places)

    def _name_of(self, address: int) -> str:
        at = int(np.searchsorted(self._begins, address, side="right")) - 1
        if at < 0 or address >= self._ends[at]:
            return ""
        offset = address - self._origins[at]
        return f"{self._symbols[at]}+{offset:#x}" if offset else self._symbols[at]


def _dictionary(names: list[str], places: np.ndarray) -> pa.DictionaryArray:
    """names[places] as a dictionary array; `names` may contain duplicates."""
    encoded = pa.array(names, pa.string()).dictionary_encode()
    indices = np.asarray(encoded.indices)[places].astype(np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(indices), encoded.dictionary)


class Frames(NamedTuple):
    """The three tables of a run as pandas frames; their names are categories."""

    bus: pd.DataFrame
    marks: pd.DataFrame
    states: pd.DataFrame


class _Table:
    """A table in progress. It is written to FILE.part; `convert` renames it."""

    def __init__(self, path: Path, schema: pa.Schema, format: Format) -> None:
        self.path = path
        self.part = path.with_name(path.name + ".part")
        if format == "csv":  # has no dictionaries; strings take their place
            plain = [(f.name, pa.string() if f.type == NAME else f.type) for f in schema]
            schema = pa.schema(plain)
        self.schema = schema
        self._writer: pq.ParquetWriter | pyarrow.csv.CSVWriter = (
            pq.ParquetWriter(self.part, self.schema, compression="zstd")
            if format == "parquet"
            else pyarrow.csv.CSVWriter(self.part, self.schema)
        )
        self._batches: list[pa.RecordBatch] = []
        self._rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self._batches.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROWS_PER_GROUP:
            self._write()

    def close(self) -> None:
        self._write()
        self._writer.close()

    def _write(self) -> None:
        if self._batches:
            table = pa.Table.from_batches(self._batches).unify_dictionaries()
            self._writer.write_table(table.cast(self.schema))
        self._batches, self._rows = [], 0


def files_of(run: Path, format: Format = "parquet") -> dict[str, Path]:
    """The paths of the tables bus, marks and states of the run in folder `run`."""
    names = CSV_FILES if format == "csv" else {name: f"{name}.parquet" for name in SCHEMAS}
    return {name: run / file for name, file in names.items()}


def convert(
    run: str | Path,
    format: Format = "parquet",
    partial: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, size: None,
) -> list[Path]:
    """Writes the tables of a run's log into the run's folder, all or none; returns their paths.

    `partial`: converts the readable part of a truncated log. `on_progress` is called with the
    number of bytes read so far and the size of the log. Raises UserError if the run has no log or
    the log cannot be read, OutputError if the tables cannot be written.
    """
    folder = Path(run)
    log = _log_of(folder, partial)
    warn_if_damaged(folder, [log.name])
    size = log.stat().st_size
    tables: list[_Table] = []
    try:
        with LogReader(log, partial, lambda done: on_progress(done, size)) as reader:
            maker = Tables(reader.header)
            paths = files_of(folder, format)
            by_name = {}
            for name, schema in maker.schemas.items():
                by_name[name] = _Table(paths[name], schema, format)
                tables.append(by_name[name])
            for name, records in reader.blocks():
                by_name[name].add(maker.batch(name, records))
        for table in tables:
            table.close()
        for table in tables:
            table.part.replace(table.path)
    except (OSError, pa.ArrowException) as error:
        raise OutputError(f"{folder}: its tables cannot be written: {reason(error)}") from error
    finally:
        for table in tables:
            with contextlib.suppress(OSError):
                table.part.unlink(missing_ok=True)
    return [table.path for table in tables]


def load(run: str | Path, partial: bool = False) -> Frames:
    """The tables of a run; converts the log first if the tables are missing or older than it. Times
    are simulated picoseconds. Raises UserError and OutputError as `convert` does."""
    folder = Path(run)
    paths = files_of(folder)
    log = _log_of(folder, partial)
    if not all(
        p.is_file() and p.stat().st_mtime_ns >= log.stat().st_mtime_ns for p in paths.values()
    ):
        convert(folder, partial=partial)
    frames = {}
    for name, path in paths.items():
        try:
            frames[name] = pq.read_table(path).unify_dictionaries().to_pandas()
        except (OSError, pa.ArrowException) as error:
            raise UserError(
                f"{path}: damaged: {reason(error)}; remove it, and it is made again"
            ) from error
    return Frames(**frames)


def _log_of(run: Path, partial: bool) -> Path:
    """Path of a run's log. With `partial`, also the unfinished log of a killed run."""
    log = run / LOG
    if log.is_file():
        return log
    part = log.with_name(LOG + ".part")
    if not part.is_file():
        raise UserError(
            f"{run}: there is no {LOG}; run it again with --set observe.transactions=true"
        )
    if not partial:
        raise UserError(
            f"{run}: there is no {LOG}, only {part.name}: the run is still going, or was killed; "
            "--partial reads its complete part"
        )
    return part
