# SPDX-License-Identifier: MIT
"""ALL Table 3.1: its claims, and whether every machine file that should fit the table does."""

import os
from pathlib import Path

import pandas as pd
import pytest
from claim_cases import check_three_states
from symlab import run
from symlab_papers.papers.ALL.figures.all_table_3_1 import FIGURE, OPERATIONS
from symlab_tools.calibration import FIT

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
MACHINES = sorted((ROOT / "configs" / "machines").glob("symmetry-a*.toml"))


def runs(**changed: float) -> pd.DataFrame:
    """A run with the paper's values, except for those given; None leaves a column empty."""
    values = {operation.column: operation.paper_us for operation in OPERATIONS}
    return pd.DataFrame([{**values, **changed, "status": "finished"}])


CASES = [
    (FIGURE.claims[0], "lock_pair_us", 5.03),
    (FIGURE.claims[0], "lock_pair_us", 6.17),
    (FIGURE.claims[1], "call_us", 3.23),
    (FIGURE.claims[1], "call_us", 3.97),
    (FIGURE.claims[2], "call_argument_us", 0.79),
    (FIGURE.claims[2], "call_argument_us", 1.21),
    (FIGURE.claims[3], "null_loop_us", 2.24),
    (FIGURE.claims[3], "null_loop_us", 2.76),
]


@pytest.mark.parametrize(("claim", "column", "wrong_us"), CASES)
def test_a_claim_holds_fails_and_is_not_run(claim, column, wrong_us):
    gap = runs(**{column: float("nan")})
    failed = check_three_states(
        FIGURE, claim, runs(), runs(**{column: wrong_us}), gap, missing=column
    )
    assert failed.value == wrong_us
    assert failed.margin == pytest.approx(-0.01)
    assert abs(failed.bound - failed.value) == pytest.approx(0.01)


# Clocks per iteration of each loop, counted by hand: docs/how-it-works/calibration.md,
# "Where each clock goes".
LEDGER = {
    "loop_elapsed_us": 40,
    "lock_elapsed_us": 40 + 88,
    "call_0_elapsed_us": 40 + 53 + 1 / 3,
    "call_1_elapsed_us": 104,
    "call_2_elapsed_us": 104 + 16,
    "call_3_elapsed_us": 104 + 2 * 16,
    "call_4_elapsed_us": 104 + 3 * 16,
}
REPETITIONS = 6000
CLOCKS_PER_US = 16


def operations(machine: Path, folder: Path) -> dict[str, float]:
    config = folder / "table.toml"
    config.write_text(
        f'base = "{machine}"\n[machine]\nprocessors = 1\n[guest]\nimage = "operations"\n'
        f"[guest.args]\nrepetitions = {REPETITIONS}\n"
    )
    return run(config, out=folder / "run", simulator=BINARY)["guest"]["results"]


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
@pytest.mark.parametrize("machine", MACHINES, ids=lambda path: path.stem)
def test_every_machine_file_fits_the_table(machine, tmp_path):
    results = operations(machine, tmp_path)
    for operation in OPERATIONS:
        assert results[operation.column] == pytest.approx(operation.paper_us, rel=FIT)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_every_clock_of_the_table_is_accounted_for(tmp_path):
    results = operations(ROOT / "configs" / "machines" / "symmetry-a.toml", tmp_path)
    clocks = {name: results[name] * CLOCKS_PER_US / REPETITIONS for name in LEDGER}
    assert clocks == pytest.approx(LEDGER, abs=0.1)
