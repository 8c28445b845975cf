# SPDX-License-Identifier: MIT
"""The paper WKS: its claims, its sweeps, and its page, which is not that of ALL."""

import re
import tomllib
from pathlib import Path

import pytest
from conftest import CONFIG, Lab
from symlab.places import PAPERS
from symlab.runs import grid
from symlab_papers.paper import Part, find_paper, parts
from symlab_papers.sensitivity import headlines

ROOT = Path(__file__).resolve().parents[2]
PAPER = find_paper("WKS")
CLAIMS = 32


@pytest.fixture
def everything(monkeypatch) -> list[Part]:
    monkeypatch.chdir(ROOT)
    return parts(PAPER)


def test_every_claim_is_listed_and_judged_by_a_figure(everything):
    numbers = [f"WKS-{number:02}" for number in range(1, CLAIMS + 1)]
    assert [row.id for row in PAPER.rows] == numbers
    judged = {claim.id for part in everything for claim in part.figure.claims}
    assert judged == set(numbers)
    assert set(PAPER.headlines) <= judged


def test_each_sweep_has_sizes_a_caption_and_its_figure(everything):
    for part in everything:
        assert part.caption.endswith("."), part.name
        assert part.size("quick") and part.size("reduced"), part.name
        assert part.figure.tidy, part.name
    main = {one.name for one in headlines(PAPER, everything)}
    assert main == {"figure-4", "figure-6", "figure-8"}


def test_every_figure_of_the_iris_is_made_on_a_symmetry_too(everything):
    files = {part.name: part.file for part in everything}
    for name in ("figure-4", "figure-6", "figure-8", "section-4.2-quantum"):
        here, there = (axes_of(files[n]) for n in (name, f"{name}-symmetry"))
        assert there.pop("cache.protocol") == ["write-through", "write-back"]
        assert set(here) == set(there)
        locks = here["guest.args.lock"]
        assert there["guest.args.lock"] == [one for one in locks if not one.startswith("native")]
        assert here["guest.args.kernel"] == there["guest.args.kernel"] == ["local", "signals"]


def test_the_figures_of_the_ksr1_have_its_native_locks_and_images_for_its_sub_pages(everything):
    files = {part.name: part.file for part in everything}
    pairs = {"figure-4": "figure-5", "figure-6": "figure-7", "figure-8": "figure-8-ksr"}
    for here, there in pairs.items():
        locks = [axes_of(files[name])["guest.args.lock"] for name in (here, there)]
        assert locks[1] == [one.replace("native", "sub-page") for one in locks[0]]
        config = tomllib.loads((ROOT / "papers/WKS/figures" / f"{there}.toml").read_text())
        assert config["base"].endswith("/ksr1.toml")
        assert "_ksr-" in config["guest"]["image"]


def axes_of(file: grid.SweepFile) -> dict[str, list]:
    return {", ".join(one.keys): [step[0] for step in one.steps] for one in file.axes}


def test_the_paper_has_a_page_of_its_own(lab: Lab):
    folder = lab.folder / "papers" / "WKS" / "figures"
    folder.mkdir(parents=True)
    (folder / "figure-4.toml").write_text(CONFIG.replace("all-4.1", ""))
    code, output = lab.symlab("paper", "WKS", "--simulator", str(lab.simulator))
    assert code == 0, output
    page = (lab.folder / "papers" / "WKS" / "results" / "README.md").read_text()
    assert page.startswith("# Wisniewski, Kontothanassis & Scott (1993)")
    assert "| WKS-29 |" in page
    assert not (lab.folder / "results").exists()


def test_tas_is_the_lock_xchgb_as_everywhere_else():
    """The TAS of the paper reads before it exchanges: TTAS. A line with TAS says which it means."""
    folder = PAPERS / "WKS"
    files = [*folder.glob("pages/*.md"), folder / "paper.toml"]
    files += [f for f in folder.glob("results/*") if f.suffix in (".csv", ".json", ".md", ".svg")]
    assert len(files) > 50
    unclear = [
        f"{file.name}: {line.strip()}"
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(r"(?<![A-Za-z])TASn?\b|_TAS", line) and not re.search("TTAS|xchgb", line)
    ]
    assert unclear == []
