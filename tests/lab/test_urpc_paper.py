# SPDX-License-Identifier: MIT
"""The paper URPC: its claims and its sweeps."""

from pathlib import Path

import pytest
from symlab_papers.paper import Part, find_paper, parts

ROOT = Path(__file__).resolve().parents[2]
PAPER = find_paper("URPC")


@pytest.fixture
def everything(monkeypatch) -> list[Part]:
    monkeypatch.chdir(ROOT)
    return parts(PAPER)


def test_every_claim_is_listed_and_judged_by_a_figure(everything):
    numbers = [f"URPC-{number:02}" for number in range(1, 31)]
    assert [row.id for row in PAPER.rows] == numbers
    judged = [claim.id for part in everything for claim in part.figure.claims]
    assert sorted(judged) == numbers
    assert set(PAPER.headlines) <= set(numbers)


def test_each_sweep_has_a_quick_size_a_caption_and_its_figure(everything):
    for part in everything:
        assert part.caption.endswith("."), part.name
        assert part.size("quick"), part.name
        assert part.figure.tidy, part.name
        assert not part.figure.claims or part.size("reduced"), part.name


def test_the_claims_are_judged_on_the_firefly(everything):
    for part in everything:
        machine = part.file.config.read_text().split('base = "')[1].split('"')[0]
        assert machine.endswith("firefly.toml") == bool(part.figure.claims), part.name
