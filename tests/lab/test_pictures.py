# SPDX-License-Identifier: MIT
"""The pictures of docs/pictures: what they show, in both themes, and that they are up to date.

A picture of results that differs from what the code draws now is drawn again by `make pictures`.
"""

import os
import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from doc_tables import DOCS, ROOT
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.plot.curves import chosen
from symlab_tools.pictures import all_locks, exchange_timing, handoff
from symlab_tools.pictures.__main__ import NAMES, drawn, main
from symlab_tools.pictures.runs import MODEL_A
from symlab_tools.svg import Drawing

BINARY = os.environ.get("SYMSIM_BINARY", "")
PICTURES = DOCS / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
FROM_TRACES = ["exchange-timing", *handoff.FILES]
WITHOUT_RUN = [name for name in NAMES if name not in FROM_TRACES]
BY_HAND = ["machine", "queues"]

simulating = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def committed(name: str) -> str:
    return (PICTURES / f"{name}.svg").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, handoff.Handoff]:
    """The handoff of each lock of handoff.FILES, from runs."""
    folder = tmp_path_factory.mktemp("handoffs")
    return {lock: handoff.simulate(folder / lock, lock) for lock in handoff.FILES.values()}


@pytest.mark.parametrize("name", WITHOUT_RUN)
def test_a_picture_of_results_is_up_to_date(name: str, tmp_path: Path) -> None:
    assert drawn(name, tmp_path) == committed(name), "run `make pictures`"


@simulating
@pytest.mark.parametrize("name", FROM_TRACES)
def test_a_picture_of_a_trace_is_up_to_date(name: str, tmp_path: Path) -> None:
    assert drawn(name, tmp_path) == committed(name), "run `make pictures`"


@pytest.mark.parametrize("name", sorted(path.name for path in PICTURES.iterdir()))
def test_every_picture_is_in_a_page(name: str) -> None:
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    assert [page for page in pages if f"pictures/{name}" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", [*NAMES, *BY_HAND])
def test_a_picture_has_colours_for_light_and_dark(name: str) -> None:
    text = committed(name)
    found = re.search(r"<style>(.*)@media \(prefers-color-scheme:dark\)\{(.*)\}</style>", text)
    assert found is not None
    light, dark = found.groups()
    used = {c for names in re.findall(r'class="(.*?)"', text) for c in names.split()} - {"none"}
    for theme in (light, dark):
        assert used == set(re.findall(r"\.([fs]-[\w-]+)\{", theme))


@pytest.mark.parametrize("name", [*NAMES, *BY_HAND])
def test_no_text_is_cut_off_or_tiny(name: str) -> None:
    root = ET.fromstring(committed(name))
    for text in root.iter(f"{SVG}text"):
        x, size = float(text.get("x", "")), float(text.get("font-size", ""))
        assert text.text is not None
        # DejaVu Sans is wider than the fonts that the pictures ask for first.
        font = FontProperties(family="DejaVu Sans", weight=text.get("font-weight", "normal"))
        width = TextPath((0, 0), text.text, size, prop=font).get_extents().x1
        left = x - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "start")]
        assert size >= 12, text.text
        assert left >= 0 and left + width <= float(root.get("width", "")), text.text
        assert 0 < float(text.get("y", "")) < float(root.get("height", "")), text.text


def test_text_is_escaped_and_each_colour_has_a_rule() -> None:
    picture = Drawing(10, 20, "a < b", "both & more")
    picture.text(1, 2, "x < y & z", "red")
    root = ET.fromstring(picture.svg())
    assert [e.text for e in root.iter(f"{SVG}text")] == ["x < y & z"]
    assert ".f-red{fill:#D55E00}" in picture.svg()


def test_an_unknown_picture_is_named() -> None:
    with pytest.raises(UserError, match="no picture nothing; there are exchange-timing, "):
        main(["nothing"])


# ---- what they show ----


def texts_of(name: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(committed(name)).iter(f"{SVG}text")]


def test_the_machine_has_the_values_of_its_config() -> None:
    config = tomllib.loads((ROOT / MODEL_A).read_text(encoding="utf-8"))
    cache, bus, memory = config["cache"], config["bus"], config["memory"]
    count = config["machine"]["processors"]
    wanted = {
        f"Values: {config['machine']['name']}, {count} processors", f"processor {count - 1}",
        "SLIC bus: interrupts between processors, "
        f"{config['slic']['message_ns'] / 1000:g} us a message",
        f"{config['processor']['clock_mhz']:g} MHz, in order",
        f"{cache['size_bytes'] // 1024} KB, {cache['ways']} ways",
        f"lines of {cache['line_bytes']} bytes", f"{cache['write_buffer_depth']} store",
        f"{8 * bus['width_bytes']} bits of data, {bus['clock_mhz']:g} MHz,",
        f"replies first, then {bus['arbitration']}",
        f"{memory['size_mb']} MB, {memory['latency_cycles']} bus cycles to a reply",
    }  # fmt: skip
    assert wanted - {*texts_of("machine")} == set(), "edit docs/pictures/machine.svg"


def test_each_lock_of_the_table_is_drawn_once_a_new_one_among_the_others() -> None:
    offered = [item.name for item in catalogue.items("locks") if not item.special]
    known = [lock for locks in all_locks.GROUPS.values() for lock in locks]
    assert set(known) <= set(offered), "GROUPS has a lock that is gone"
    new = [f"new-{n}" for n in range(5)]
    groups = all_locks.groups(pd.DataFrame({"lock": [*known, *new]}))
    assert sorted(lock for locks in groups.values() for lock in locks) == sorted([*known, *new])
    assert list(groups)[len(all_locks.GROUPS) :] == ["Others", "Others, 2"]
    assert max(map(len, groups.values())) <= len(all_locks.LINES)
    assert all_locks.groups(pd.DataFrame({"lock": known})) == all_locks.GROUPS


def test_each_strategy_that_is_drawn_is_one_of_the_tree() -> None:
    root = ET.fromstring(committed("queues"))
    names = [text.text for text in root.iter(f"{SVG}text") if text.get("font-size") == "14"]
    assert len(set(names)) == len(names) == 8
    assert set(names) <= {item.name for item in catalogue.items("strategies")}


def test_a_lock_is_unfair_if_a_processor_has_less_than_a_tenth_of_its_share() -> None:
    runs = pd.DataFrame(
        {
            "lock": ["b", "a"],
            "processors": [4, 4],
            "increments": [400, 400],
            "elapsed_us": [800.0, 4000.0],
            "share_minimum": [10, 9],
        }
    )
    points = all_locks.series(runs)
    assert points["lock"].tolist() == ["a", "b"]
    assert points["us"].tolist() == [10.0, 2.0]
    assert points["unfair"].tolist() == [True, False]


@simulating
def test_the_blocked_exchange_waits_until_the_unlock(tmp_path: Path) -> None:
    exchange = exchange_timing.simulate(tmp_path)
    first: Any
    second: Any
    first, second = exchange.locks.itertuples()
    assert (first.processor, second.processor) == (1, 0)
    waits: Any = chosen(exchange.states, processor=0, state="waiting").iloc[0]
    assert first.begin < waits["begin"] < first.end <= second.begin == pytest.approx(waits["end"])
    uses = exchange.uses
    kinds = uses[uses["processor"] == 0]["kind"].tolist()
    assert kinds == ["locked_read", "locked_read", "locked_store", "unlock"]
    ends = uses["begin"] + uses["length"]
    assert not ((uses["begin"] >= first.end) & (uses["begin"] < second.begin)).any()
    for store, unlock in zip(*(chosen(uses, kind=k).index for k in kinds[2:]), strict=True):
        assert uses.loc[unlock, "begin"] == pytest.approx(ends[store]), "under the same grant"
    others = uses[uses["kind"] == "fetch"]["begin"]
    assert ((others > second.begin) & (others < second.end)).any(), "other lines are not locked"


@simulating
@pytest.mark.parametrize(
    # read: 4 for each of 7 waiters; the release is 2, and the winner misses once only. mcs: without
    # the miss of `next` before it.
    ("lock", "transactions"), [("read", 28), ("array", 3), ("mcs", 2)],
)  # fmt: skip
def test_a_handoff_has_the_transactions_of_the_locks_table(taken, lock, transactions) -> None:
    assert taken[lock].transactions == transactions


@simulating
def test_a_handoff_is_of_one_holder_to_a_waiter(taken) -> None:
    for lock, found in taken.items():
        holds = found.roles[found.roles["role"] == handoff.HOLDS]
        assert holds["processor"].tolist() == [found.giver, found.taker], lock
        assert holds["end"].iloc[0] == 0
        assert holds["begin"].iloc[1] == pytest.approx(found.acquired)
        waiting = found.roles[found.roles["role"] == handoff.SPINS]
        assert set(waiting["processor"]) == set(range(handoff.PROCESSORS)) - {found.giver}
    quiet = {lock for lock, found in taken.items() if found.quiet is not None}
    assert quiet == {"read", "backoff", "array", "mcs"}, "only test-and-set never is"
