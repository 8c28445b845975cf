# SPDX-License-Identifier: MIT
"""What runs on a machine of nodes say of distance: near and far misses, pages, links, handoffs."""

from pathlib import Path
from typing import Any

import pytest
from symlab import run
from symlab.report import write_report
from symlab.report.distance import NODE, distance, hottest, travels
from symlab.report.run_data import RunData, load_run
from symlab.runs.one_run import Run
from transaction_run import BINARY, ROOT

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

MACHINE = ROOT / "configs" / "machines" / "spp1000.toml"
LATENCIES = {"guest.image": "memory_latency", "guest.args.pages": 400}
LOCKS = {
    "guest.image": "counter-mcs",
    "guest.args.increments": 400,
    "nodes.count": 3,
    "nodes.node_processors": 2,
    "machine.processors": 6,
}
FILES = ("summary.json", "locks.csv", "misses.csv", "pages.csv", "links.csv")


@pytest.fixture(scope="module")
def latencies(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(
        MACHINE,
        settings=LATENCIES,
        out=tmp_path_factory.mktemp("distance") / "latencies",
        simulator=BINARY,
    )


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(
        MACHINE,
        settings=LOCKS,
        out=tmp_path_factory.mktemp("distance") / "counter",
        simulator=BINARY,
    )


def test_misses_take_as_long_as_the_guest_measures(latencies: Run):
    """Of the misses of user code, which the guest times one by one."""
    user = latencies.misses[latencies.misses["activity"] == "user"].groupby("supplier").sum()
    mean_us = user["time_us"] / user["misses"]
    assert mean_us["own_memory"] == pytest.approx(0.5, abs=0.02)
    assert mean_us["home_memory"] == pytest.approx(2.0, abs=0.1)
    assert user["links"]["home_memory"] == 4 * user["misses"]["home_memory"]  # once round
    assert user["far_misses"]["home_memory"] == user["misses"]["home_memory"]


@pytest.mark.parametrize("name", ["latencies", "counter"])
def test_the_tables_have_the_same_misses(name: str, request: pytest.FixtureRequest):
    one: Run = request.getfixturevalue(name)
    summary, misses, pages = one["misses"], one.misses, one.pages
    assert misses["far_misses"].sum() == summary["far"]
    assert misses["misses"].sum() == summary["near"] + summary["far"]
    by_node = misses.groupby("node")["misses"].sum()
    for node, counts in enumerate(summary["by_node"]):
        assert by_node.get(node, 0) == counts["near"] + counts["far"]
        assert pages[f"{NODE}{node}"].sum() == by_node.get(node, 0)
    for key in ("by_supplier", "by_activity"):
        assert sum(one["far_time_us"] for one in summary[key].values()) == pytest.approx(
            summary["far_time_us"]
        )


def test_what_own_memory_supplies_is_at_home_and_what_others_supply_is_far(counter: Run):
    misses = counter.misses.set_index("supplier")
    for far in ("home_memory", "other_node"):
        assert (misses.loc[[far], "far_misses"] == misses.loc[[far], "misses"]).all()
    assert set(misses.index) == {
        "own_memory", "network_cache", "own_node_cache", "home_memory", "other_node",
    }  # fmt: skip


def test_links_are_as_busy_as_in_the_table_of_all_resources(counter: Run):
    table = counter.bus
    config: dict[str, Any] = counter.config
    first = config["nodes.count"] * (config["nodes.node_processors"] + config["memory.controllers"])
    links = table[table["resource"] >= first]
    assert counter.links["busy_us"].sum() == pytest.approx(links["busy_us"].sum())
    number = first + counter.links["ring"] * config["nodes.count"] + counter.links["from_node"]
    assert sorted(number.unique()) == sorted(links["resource"].unique())
    assert (counter.links["to_node"] == (counter.links["from_node"] + 1) % 3).all()
    assert counter.links["messages"].sum() >= counter["misses"]["far"]


def test_the_numbers_of_a_run_have_its_misses(latencies: Run):
    misses = latencies["misses"]
    [text] = [text for name, text in latencies.numbers() if name == "misses"]
    assert text.startswith(f"{misses['near']:,} near, mean ")
    assert f"; {misses['far']:,} far, mean 2 us" in text


def test_handoffs_are_the_acquisitions_after_a_release(counter: Run):
    [lock] = counter["locks"]
    assert lock["handoffs"] == lock["acquisitions"] - 1
    kinds = ("own_processor", "own_node", "other_nodes")
    assert sum(lock[f"handoffs_{kind}"] for kind in kinds) == lock["handoffs"]
    assert 1 <= lock["mean_handoff_links"] * lock["handoffs"] / lock["handoffs_other_nodes"] <= 2
    assert counter.locks["handoffs"].sum() == lock["handoffs"]


def test_both_engines_write_the_same(counter: Run, tmp_path: Path):
    again = run(
        MACHINE,
        settings={**LOCKS, "run.engine": "reference"},
        out=tmp_path / "reference",
        simulator=BINARY,
    )
    for name in FILES:
        assert (again.folder / name).read_bytes() == (counter.folder / name).read_bytes(), name


@pytest.mark.parametrize("machine", ["crossbar", "symmetry-a"])
def test_other_machines_have_none_of_it(machine: str, tmp_path: Path):
    settings = {"guest.image": "counter-mcs", "guest.args.increments": 40, "machine.processors": 2}
    config = ROOT / "configs" / "machines" / f"{machine}.toml"
    one = run(config, settings=settings, out=tmp_path / "run", simulator=BINARY)
    assert not {"misses.csv", "pages.csv", "links.csv"} & {p.name for p in one.folder.iterdir()}
    assert "misses" not in one.summary
    assert "handoffs" not in one["locks"][0]
    assert "handoffs" not in one.locks


@pytest.fixture(scope="module")
def data(counter: Run) -> RunData:
    return load_run(counter.folder)


def test_the_report_says_how_far_the_lock_travels(data: RunData):
    [lock] = data.summary["locks"]
    name = data.lock_names[int(lock["address"], 16)]
    links = f"{lock['mean_handoff_links']:.1f}"
    assert travels(data) == f"The lock {name} travels {links} links a handoff."


def test_the_heat_map_has_the_hottest_pages_and_marks_their_homes(data: RunData):
    section = distance(data)
    assert section is not None and data.pages is not None
    [trace] = section.charts[0].views[""].data
    shown = hottest(data.pages)
    assert [list(row) for row in trace.z] == shown[[f"{NODE}{n}" for n in range(3)]].values.tolist()
    for texts, home in zip(trace.text, shown["home_node"], strict=True):
        assert list(texts) == ["home" if n == home else "" for n in range(3)]
    sums = data.pages[[f"{NODE}{n}" for n in range(3)]].sum(axis=1)
    left_out = sums.drop(shown.index)
    assert left_out.empty or left_out.max() <= sums[shown.index].min()


def test_the_tables_of_the_section_sum_to_the_run(data: RunData):
    section = distance(data)
    assert section is not None and data.links is not None
    rows: dict[str, Any] = {table.id: table.rows for table in section.tables}
    for id in ("miss-suppliers", "miss-activities", "miss-nodes"):
        assert sum(row[2] for row in rows[id]) == data.summary["misses"]["far"]
    assert sum(row[3] for row in rows["links-table"]) == data.links["messages"].sum()


def test_the_page_has_the_section(counter: Run):
    page = write_report([counter.folder], None).read_text()
    assert "Near and far" in page
    assert "links a handoff" in page
