# SPDX-License-Identifier: MIT
"""The short forms of the benchmark's scenarios give the results in configs/bench/golden.csv."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from symlab.results.columns import texts
from symlab.results.csv_file import read_csv
from symlab_tools.bench.golden import PATH, UPDATE, golden_row
from symlab_tools.bench.scenarios import SCENARIOS, Scenario
from symlab_tools.bench.timing import FIXED

BINARY = os.environ.get("SYMSIM_BINARY", "")
needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

SCENARIO = Scenario(Path("mine.toml"))
ROW = {"simulated_us": 93113.5, "instructions": 6713861}


def difference(scenario: Scenario, row: dict[str, float], path: Path = PATH) -> str | None:
    """Compares `row` with the row of `scenario` in golden.csv.

    Returns None if they are equal, else a message with the difference and the command that updates
    the file. Raises UserError if the file cannot be read.
    """
    known = read_csv(path, texts("config"), f"write it with `{UPDATE}`").set_index("config")
    if scenario.name not in known.index:
        return f"{scenario.name} is not in {path.name}; add it with `{UPDATE}`"
    changed = [
        f"{column} {known.at[scenario.name, column]} -> {row[column]}"
        for column in FIXED
        if known.at[scenario.name, column] != row[column]
    ]
    if not changed:
        return None
    return (
        f"{scenario.name}, short form: {', '.join(changed)}. The simulated machine or the guest "
        f"(or the compiler of guests) has changed. If that is meant, run `{UPDATE}` and say in the "
        "commit why; if only the speed was to change, it is an error."
    )


def golden_file(folder: Path, **changed: float) -> Path:
    path = folder / "golden.csv"
    pd.DataFrame([{"config": "mine", **ROW, **changed}]).to_csv(path, index=False)
    return path


def test_a_difference_is_reported_with_the_command_to_update_the_file(tmp_path):
    assert difference(SCENARIO, ROW, golden_file(tmp_path)) is None
    text = difference(SCENARIO, ROW, golden_file(tmp_path, instructions=6713860))
    assert "mine, short form: instructions 6713860 -> 6713861." in text
    assert "symlab bench --update-golden" in text
    text = difference(SCENARIO, ROW, golden_file(tmp_path, simulated_us=93113.4))
    assert "simulated_us 93113.4 -> 93113.5" in text


def test_a_scenario_that_is_not_in_the_file_is_reported(tmp_path):
    other = Scenario(Path("other.toml"))
    assert "other is not in golden.csv" in difference(other, ROW, golden_file(tmp_path))


@needs_simulator
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_short_form_gives_the_golden_results(scenario):
    found = difference(scenario, golden_row(scenario, Path(BINARY)))
    assert found is None, found


@needs_simulator
def test_the_interpreter_has_50_kb_of_code_which_fits_into_the_cache():
    image = Path(BINARY).resolve().parent / "guest" / "bytecode.elf"
    symbols = subprocess.run(["nm", "-S", image], capture_output=True, text=True, check=True)
    size = int(re.search(r"^\w+ (\w+) t interpret$", symbols.stdout, re.MULTILINE)[1], 16)
    assert 48 * 1024 <= size <= 54 * 1024


@needs_simulator
def test_a_quick_benchmark_writes_its_tables_and_says_where_it_ran(tmp_path):
    out = tmp_path / "bench"
    command = [sys.executable, "-m", "symlab", "bench", "--quick", "--out", str(out)]
    done = subprocess.run([*command, "spin-long"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "spin-long" in done.stdout and "not judged" in done.stdout
    row = pd.read_csv(out / "bench.csv").iloc[0]
    assert row["slowdown"] > 0 and row["mips"] > 0 and row["runs"] == 1
    assert row["peak_rss_mb"] < 50  # memory of the simulator, not of Python with pandas
    assert len(pd.read_csv(out / "bench-runs.csv")) == 1
    assert '"compiler": "' in (out / "host.json").read_text()
    assert not (out / "costs.csv").exists()  # costs are measured only with all scenarios
