# SPDX-License-Identifier: MIT
"""The columns that the lab writes are those that docs/ list."""

import re

import pandas as pd
import pytest
from doc_tables import names_behind, rows_behind
from report_runs import guest_test
from symlab import run
from symlab.results.columns import HOST_COLUMNS
from symlab.results.table import summary_columns
from symlab.results.transactions import SCHEMAS
from symlab_tools.bench import timing
from symlab_tools.bench.costs import COSTS
from symlab_tools.bench.scenarios import SCENARIOS
from transaction_run import BINARY, ROOT

UNIT_OF_ENDING = {"_ps": "ps", "_bytes": "bytes"}


@pytest.mark.parametrize("table", SCHEMAS)
def test_the_tables_of_transactions_have_the_columns_and_units_that_are_documented(table):
    documented = {}
    for names, unit, _ in rows_behind("reference/transactions.md", f"`{table}.parquet`"):
        for name in re.findall(r"`(.*?)`", names):
            documented[name] = unit
    assert list(documented) == SCHEMAS[table].names
    for name, unit in documented.items():
        ending = next((u for end, u in UNIT_OF_ENDING.items() if name.endswith(end)), "")
        assert unit == ending, name


def test_bench_csv_has_the_columns_that_are_documented():
    row = dict.fromkeys(timing.RUN_COLUMNS, 1.0) | {"config": SCENARIOS[0].name, "round": 1}
    table = timing.judged(pd.DataFrame([row]), SCENARIOS[:1])
    assert names_behind("dev/performance.md", "`bench.csv`") == list(table.columns)


def test_the_benchmarks_costs_are_those_that_are_documented():
    documented = names_behind("dev/performance.md", "| Cost |")
    assert documented == [cost.name for cost in COSTS]


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_a_row_of_a_sweep_has_the_columns_that_are_documented(tmp_path):
    settings = {"machine.processors": 2, "guest.args.increments": 50}
    columns = {*HOST_COLUMNS, "status"}
    for name, more in (
        ("lock", {}),
        ("processes", {"guest.image": guest_test("processes_by_hand")}),
    ):
        config = ROOT / "configs" / "quickstart.toml"
        summary = run(
            config, settings=settings | more, out=tmp_path / name, simulator=BINARY, strict=False
        ).summary
        columns |= set(summary_columns(summary, {})) - set(summary["guest"]["results"])
    patterns = {
        re.escape(name).replace("N", r"\d+").replace(re.escape("..."), r"\w+")
        for name in names_behind("reference/sweep-table.md", "| Column |")
    } - {"seed", "result_\\w+"}
    undocumented = {c for c in columns if not any(re.fullmatch(p, c) for p in patterns)}
    assert not undocumented
    unwritten = {p for p in patterns if not any(re.fullmatch(p, c) for c in columns)}
    assert unwritten <= {"all_", "critical_\\w+", "spin_\\w+"}  # prefixes of ..._transactions
