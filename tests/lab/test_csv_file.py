# SPDX-License-Identifier: MIT
"""Tables keep their types through a CSV: texts that look like something else remain texts."""

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from symlab.errors import UserError
from symlab.results.columns import TEXTS_OF_A_RUN, Type, of_run, of_sweep, texts
from symlab.results.csv_file import csv_bytes, read_csv
from symlab.results.table import frame
from symlab.runs.simulator import Simulator
from symlab_papers import quick
from symlab_papers.kept_rows import SENSITIVITY, SPREADS, VERSIONS
from transaction_run import BINARY

ROOT = Path(__file__).resolve().parents[2]
ODD = [
    "NA", "nan", "NaN", "null", "None", "N/A", "<NA>", "inf", "-inf", "1e5", "007", "7", "-7",
    "1.0", ".5", "1_000", "0x10", "true", "True", "False", "", " ", " lead", "trail ", "a,b",
    'a"b', '"', '""', '"a"', "'", "a\nb", "a\r", "\r\n", "é", "-", "=1+1", "#x", "\ufeff",
    "\ue000x", "\x00", "1e400", "12345678901234567890",
    "1" * 40,
]  # fmt: skip


def through_csv(table: pd.DataFrame, folder: Path, type_of=of_sweep) -> pd.DataFrame:
    path = folder / "table.csv"
    path.write_bytes(csv_bytes(table, type_of))
    return read_csv(path, type_of)


@pytest.mark.parametrize("text", ODD, ids=repr)
def test_an_odd_text_comes_back_alone_and_beside_numbers(text: str, tmp_path: Path) -> None:
    for others in ([None], [7], [0.5], [True], ["read"], [7, 0.5, True, None, "read"]):
        rows = [{"n": 1, "kind": value, "status": text} for value in [text, *others]]
        table = frame(rows, [], [])
        if text == "":  # in a column of texts it is missing
            table["status"] = [None] * len(table)
        pd.testing.assert_frame_equal(through_csv(table, tmp_path), table)
        assert [type(value) for value in through_csv(table, tmp_path)["kind"]] == [
            type(value) for value in table["kind"]
        ]


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(ODD),
)  # fmt: skip
TEXTS = st.one_of(
    st.none(), st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(ODD)
)


@settings(derandomize=True, database=None, deadline=None, max_examples=150)
@given(st.lists(st.tuples(CELLS, TEXTS, TEXTS), min_size=1, max_size=6))
@example([("12345678901234567890", "1e5", "")])
@example([(float("inf"), None, "\ue000"), ('\ue000"', '"', None)])
def test_any_cells_come_back(tmp_path_factory: pytest.TempPathFactory, cells: list) -> None:
    rows = [{"n": 0.1, "kind": kind, "run": run, "status": s} for kind, run, s in cells]
    table = frame(rows, [], [])
    found = through_csv(table, tmp_path_factory.getbasetemp())
    table[["run", "status"]] = table[["run", "status"]].replace({"": None})
    pd.testing.assert_frame_equal(found, table)


@settings(derandomize=True, database=None, deadline=None, max_examples=60)
@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_declared_numbers_are_exact(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float]
) -> None:
    table = pd.DataFrame({"wait_us": numbers})
    pd.testing.assert_frame_equal(
        through_csv(table, tmp_path_factory.getbasetemp(), of_run), table, check_exact=True
    )


def test_a_declared_text_needs_no_quotes_and_a_missing_one_is_none(tmp_path: Path) -> None:
    table = pd.DataFrame({"run": ["00000000000000000007", None, "1e5"], "n": [1, 2, 3]})
    assert csv_bytes(table) == b"run,n\n00000000000000000007,1\n,2\n1e5,3\n"
    assert list(through_csv(table, tmp_path)["run"]) == ["00000000000000000007", None, "1e5"]


def test_the_tables_of_earlier_versions_without_such_quotes_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes(b"\xef\xbb\xbflock,n,t,flag\r\nread,20,0.5,True\r\nNA,,,\r\n")
    table = read_csv(path, of_sweep)
    assert list(table["lock"]) == ["read", "NA"] and table["n"].dtype == "Int64"
    assert table["t"].dtype == "float64" and list(table["flag"]) == [True, None]


def test_the_files_of_a_run_have_declared_types(tmp_path: Path) -> None:
    path = tmp_path / "locks.csv"
    path.write_text("lock,address,processor,wait_us\nNA,0x1,0,1\n1e5,0x2,1,2\n,0x3,,\n")
    table = read_csv(path, of_run)
    assert list(table["lock"]) == ["NA", "1e5", None]
    assert list(table["wait_us"].dropna()) == [1.0, 2.0] and table["wait_us"].dtype == "float64"
    assert table["processor"].dtype == "Int64"
    path.write_text("lock,address,processor,wait_us\nread,0x1,0,1\n")
    assert read_csv(path, of_run)["processor"].dtype == "int64"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "it is empty"),
        ("\n\n", "it is empty"),
        ("processor,wait_us\n1\n", "row 1 has 1 cells, and the head has 2"),
        ("processor,wait_us\n1,2\n1,2,3\n", "row 2 has 3 cells"),
        ('lock,wait_us\n"a,b",2\n"a\nb",2,3\n', "row 2 has 3 cells"),
        ("wait_us,wait_us\n1,2\n", "two columns are called wait_us"),
        ("lock,wait_us\nread,1\nmcs,1us\n", "column wait_us must have numbers only, and row 2 has"),
        ("processor\n1.5\n", "column processor must have numbers only, and row 1 has '1.5'"),
        ("processor\n99999999999999999999\n", "a number has too many digits"),
        ("lock\n\udcff\n", "it is not UTF-8 text"),
    ],
)
def test_a_damaged_table_is_refused_in_words(text: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "bus.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UserError) as raised:
        read_csv(path, of_run, "run it again")
    assert str(raised.value).startswith(f"{path}: cannot be read as CSV: {wrong}")
    assert str(raised.value).endswith("; run it again")


def test_a_table_without_a_column_that_is_needed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sweep,commit,more\n007,1e5,x\n")
    found = read_csv(tmp_path / "a.csv", texts("sweep", "commit"), columns=["commit", "sweep"])
    assert found.to_dict("list") == {"commit": ["1e5"], "sweep": ["007"]}
    with pytest.raises(
        UserError, match=r"a\.csv: cannot be read as CSV: there is no column spread"
    ):
        read_csv(tmp_path / "a.csv", texts(), columns=["sweep", "spread"])


# The only modules that may call these: the reader itself, and a check that counts cells.
GUESSING = re.compile(
    r"\bpd\.read_csv\(|csv\.(?:Dict)?[rR]eader\(|\.to_csv\(|infer_objects|convert_dtypes"
)
READERS = {"lab/symlab/results/csv_file.py"}


def test_the_lab_reads_tables_in_one_place() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "lab" / "symlab").rglob("*.py")
        if GUESSING.search(path.read_text())
    }
    assert found == READERS


TYPES = {kept.file: texts(*kept.texts) for kept in (VERSIONS, SPREADS, SENSITIVITY)}
# Its column row has names and numbers; 120 was written as 120 and is 120.0 once it is read.
MIXED = {"papers/WKS/results/table-1.csv"}


def test_a_published_table_is_written_again_as_it_is() -> None:
    found = sorted(
        file for folder in ("papers", "results") for file in (ROOT / folder).rglob("*.csv")
    )
    tables = [path for path in found if "runs" not in path.parts]  # those of runs are not kept
    assert len(tables) > 150
    differ = set()
    for path in tables:
        type_of = quick.TYPES if path.parent.name == "quick" else TYPES.get(path.name, of_sweep)
        data = path.read_bytes().replace(b"\r\n", b"\n")
        if csv_bytes(read_csv(path, type_of), type_of) != data:
            differ.add(str(path.relative_to(ROOT)))
    assert differ <= MIXED


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_the_types_of_a_runs_columns_fit_the_units_that_the_simulator_describes() -> None:
    files = [f for f in Simulator(BINARY).describe()["files"] if f["name"].endswith(".csv")]
    units = {column["name"]: column["unit"] for file in files for column in file["columns"]}
    kinds = {"us": Type.NUMBER, "ratio": Type.NUMBER, "count": Type.COUNT}
    for name, unit in units.items():
        assert of_run(name) is kinds.get(unit, of_run(name)), name
    assert {name for name in units if of_run(name) is Type.TEXT} == set(TEXTS_OF_A_RUN)
