# SPDX-License-Identifier: MIT
"""The benchmark: how scenarios and costs are judged, and whether configs/bench is complete."""

import tomllib
from typing import Any

import pandas as pd
import pytest
from symlab.errors import LabError, UserError
from symlab.runs.axes import flatten
from symlab_tools.bench import timing
from symlab_tools.bench.costs import COSTS, judged_costs, peak_memory
from symlab_tools.bench.scenarios import (
    FOLDER,
    NS_PER_INSTRUCTION,
    SCENARIOS,
    SLOWDOWN,
    Scenario,
    chosen,
)
from symlab_tools.bench.timing import judged

HITS = Scenario(FOLDER / "hits.toml", 0.5)
PAGED = Scenario(FOLDER / "paged.toml", 1.25, SLOWDOWN, "hits")
LARGEST = Scenario(FOLDER / "sixty-four.toml", 1.3, NS_PER_INSTRUCTION, "hits")


def runs(**slowdowns: list[float]) -> pd.DataFrame:
    """Runs of scenarios with these slowdowns, each of 1 s and 10 million instructions."""
    rows = [
        {"config": name.replace("_", "-"), "round": number, "simulated_us": 1e6,
         "instructions": 10_000_000, "cpu_s": slowdown, "slowdown": slowdown,
         "kernel_wake_ns": 47.0, "normalised_slowdown": slowdown, "mips": 10 / slowdown,
         "ns_per_instruction": 100 * slowdown, "peak_rss_mb": 10.0 * number}
        for name, values in slowdowns.items()
        for number, slowdown in enumerate(values, 1)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def only_row(table: pd.DataFrame, config: str) -> pd.Series:
    row: Any = table.set_index("config").loc[config]
    return row


@pytest.mark.parametrize(("median", "verdict"), [(0.5, "holds"), (0.501, "fails")])
def test_the_median_is_judged_and_a_single_slow_run_does_not_matter(median, verdict):
    row = only_row(judged(runs(hits=[0.4, median, 9.0]), [HITS]), "hits")
    assert (row["slowdown"], row["value"], row["verdict"]) == (median, median, verdict)
    assert (row["slowdown_least"], row["slowdown_most"], row["runs"]) == (0.4, 9.0, 3)
    assert row["mips"] == pytest.approx(10 / median, abs=1e-4)


def test_a_ratio_compares_runs_of_the_same_round():
    # The host is three times slower after the first round; the ratio of the medians would be 1.2.
    found = judged(runs(hits=[1, 3, 3], paged=[1.3, 3.9, 3.6]), [HITS, PAGED])
    row = only_row(found, "paged")
    assert (row["value"], row["against"], row["verdict"]) == (1.3, "hits", "fails")


def test_sixty_four_processors_are_judged_by_host_time_per_instruction():
    table = runs(hits=[1.0], sixty_four=[4.0])
    table.loc[table["config"] == "sixty-four", "ns_per_instruction"] = 130
    row = only_row(judged(table, [HITS, LARGEST]), "sixty-four")
    assert (row["judged"], row["value"], row["verdict"]) == ("ns_per_instruction", 1.3, "holds")


def test_a_short_form_and_a_config_without_bound_are_not_judged():
    assert only_row(judged(runs(hits=[9]), [HITS], short=True), "hits")["verdict"] == "not judged"
    other = Scenario(FOLDER / "mine.toml")
    assert only_row(judged(runs(mine=[9]), [other]), "mine")["verdict"] == "not judged"


def test_scenarios_run_once_per_round_and_must_give_equal_results(monkeypatch):
    ran = []

    def timed_run(config, settings, simulator):
        ran.append(config.name)
        row = runs(any=[1.0]).iloc[0].drop(["config", "round"]).to_dict()
        return row | {"instructions": len(ran) // 4, "compiler": "gcc"}

    monkeypatch.setattr(timing, "timed_run", timed_run)
    with pytest.raises(LabError, match="paged: not the same in all runs"):
        timing.measure([HITS, PAGED], 2, lambda: 47.0)
    assert ran == ["hits.toml", "paged.toml"] * 2


def test_chosen_scenarios_bring_the_scenarios_they_are_judged_against(tmp_path):
    assert chosen([]) == SCENARIOS
    assert [s.name for s in chosen(["paged"])] == ["hits", "paged"]
    assert [s.name for s in chosen(["sixty-four", str(FOLDER / "hits.toml")])] == [
        "hits",
        "sixty-four",
    ]
    mine = tmp_path / "mine.toml"
    mine.touch()
    assert chosen([str(mine)]) == [Scenario(mine)]
    with pytest.raises(UserError, match=r"bench nonesuch: neither a config nor one of hits, "):
        chosen(["nonesuch"])


def test_each_config_of_the_folder_is_a_scenario_and_its_short_form_is_shorter():
    assert {s.config for s in SCENARIOS} == set(FOLDER.glob("*.toml"))
    for scenario in SCENARIOS:
        keys: dict[str, object] = {}
        layer = scenario.config
        while True:  # a config's own keys take precedence over those of its base
            table = flatten(tomllib.loads(layer.read_text()))
            keys = table | keys
            if "base" not in table:
                break
            layer = layer.parent / table["base"]
        assert scenario.short, scenario.name
        for key, value in scenario.short.items():
            assert value < keys[key], f"{scenario.name}: {key}"


def test_costs_have_a_bound_above_or_below():
    good = {"start_ms": 30, "peak_rss_mb": 64, "bus_csv_ratio": 1.05, "locks_csv_ratio": 0.9,
            "vcd_ratio": 2, "perfetto_ratio": 2, "transactions_ratio": 2,
            "transactions_hits_ratio": 2, "transactions_elapsed_ratio": 1.5,
            "perfetto_elapsed_ratio": 1.5, "pair_efficiency": 0.95}  # fmt: skip
    bad = {"start_ms": 31, "peak_rss_mb": 65, "bus_csv_ratio": 1.06, "locks_csv_ratio": 1.06,
           "vcd_ratio": 2.1, "perfetto_ratio": 2.1, "transactions_ratio": 2.1,
           "transactions_hits_ratio": 2.1, "transactions_elapsed_ratio": 1.6,
           "perfetto_elapsed_ratio": 1.6, "pair_efficiency": 0.94}  # fmt: skip
    assert set(good) == {cost.name for cost in COSTS}
    for values, verdict in ((good, "holds"), (bad, "fails")):
        table = pd.DataFrame([{"cost": name, "value": value} for name, value in values.items()])
        assert set(judged_costs(table)["verdict"]) == {verdict}
        assert set(judged_costs(table, short=True)["verdict"]) == {"not judged"}


def test_an_unmeasured_cost_is_not_judged_and_memory_is_the_largest_peak():
    table = pd.concat([
        pd.DataFrame({"cost": ["pair_efficiency"], "value": [float("nan")]}),
        peak_memory(runs(hits=[1, 1], paged=[1, 1])),
    ])  # fmt: skip
    rows = judged_costs(table).set_index("cost")
    assert rows.loc["pair_efficiency", "verdict"] == "not judged"
    assert rows.loc["peak_rss_mb", ["median", "least", "most"]].tolist() == [15, 10, 20]
