# SPDX-License-Identifier: MIT
"""Turns records of a transaction log into table rows: columns, types, names in place of numbers.

docs/reference/transactions.md explains the columns. Times are in simulated picoseconds.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from symlab.extras import extra
from symlab.results.resources import RESOURCE

with extra("parquet", "a transaction log"):
    import pyarrow as pa

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


class Tables:
    """Converts records to Arrow batches. `header`: that of the log, with names and symbols.

    `schemas`: those of SCHEMAS, without a column that the log does not have.
    """

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
