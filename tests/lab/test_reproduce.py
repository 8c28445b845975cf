# SPDX-License-Identifier: MIT
"""Reproduction of a paper: its claims, the command, and whether committed files are up to date."""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from conftest import CONFIG, Lab
from symlab.errors import UserError
from symlab.plot.figure import Verdict
from symlab_papers.counts import KINDS, PREDICTION, by_kind, counted
from symlab_papers.explain import explained, is_claim
from symlab_papers.gather import gather, judgement
from symlab_papers.judging import Judged, judge
from symlab_papers.pages import folder_of
from symlab_papers.paper import Part, find_paper, known, parts, results_of
from symlab_papers.rows import Check

ROOT = Path(__file__).resolve().parents[2]
PAPER = find_paper("ALL")


@pytest.fixture
def everything(monkeypatch) -> list[Part]:
    monkeypatch.chdir(ROOT)
    return parts(PAPER)


def committed(paper: str = "ALL") -> list[dict]:
    return json.loads((ROOT / results_of(paper) / "claims.json").read_text())["claims"]


def test_every_claim_is_listed_and_judged_by_a_figure(everything):
    numbers = [f"ALL-{number:02}" for number in range(1, 80)]
    assert [row.id for row in PAPER.rows] == numbers
    judged = {claim.id for part in everything for claim in part.figure.claims}
    for number in numbers:
        assert number in judged


def test_each_part_has_its_own_config_and_a_caption_without_its_place(everything):
    for part in [*everything, *parts(find_paper("URPC"))]:
        assert part.caption.endswith("."), part.name
        assert not re.match(r"[A-Z]+ (Fig|Tab|section)[^:]*: ", part.caption), part.name
        assert part.size("quick"), part.name


@pytest.mark.parametrize("name", ["ALL", "WKS", "URPC"])
def test_every_claim_that_fails_or_is_undecided_has_a_cause_and_no_other(name):
    rows = find_paper(name).rows
    states = {entry["id"]: entry["verdict"] for entry in committed(name)}
    assert {row.id for row in rows if row.cause} == {
        number for number, state in states.items() if state in ("fails", "undecided")
    }
    for entry in committed(name):
        assert entry["verdict"] != "not run" or "missing" in entry["of"], entry["id"]
    for row in rows:
        assert bool(row.cause) == bool(row.page), row.id
        assert not row.page or (ROOT / folder_of(name) / row.page).is_file()


def test_predictions_are_told_from_claims_that_chose_parameters_and_from_set_ups():
    of = {kind: {row.id for row in PAPER.rows if row.kind == kind} for kind in KINDS}
    assert of["fitted"] == {f"ALL-0{n}" for n in range(1, 5)}
    selected = (5, 6, 7, 8, 45, 47, 52, 53, 54)
    assert of["selected on"] == {f"ALL-{n:02}" for n in selected}
    assert sum(map(len, of.values())) == len(PAPER.rows)
    for paper in known():
        assert {entry["id"]: entry["kind"] for entry in committed(paper)} == {
            row.id: row.kind for row in find_paper(paper).rows
        }
        assert {row.kind for row in find_paper(paper).rows} <= set(KINDS)
    set_ups = {
        "URPC-25",
        "URPC-30",
        "WKS-01",
        "MTH-02",
        "ALL-33",
        *(f"MTH-{n}" for n in range(19, 23)),
    }
    everything = [row for paper in known() for row in find_paper(paper).rows]
    assert set_ups <= {row.id for row in everything if row.kind == "set-up"}


@pytest.mark.parametrize("name", known())
def test_a_set_up_holds_whatever_the_machine_does(name):
    verdicts = {e["verdict"] for e in committed(name) if e["kind"] == "set-up"}
    assert verdicts == {"holds"}, "what can fail is not a set-up"


def order_alone(check: Check) -> bool:
    return bool(check.test) and all(re.search(r" < | > 0( for |$)", test) for test in check.test)


@pytest.mark.parametrize("name", known())
def test_every_bound_has_a_reason_and_every_check_a_date(name):
    for row in find_paper(name).rows:
        assert date(2026, 11, 21) <= row.since <= date(2027, 12, 31), row.id
        assert row.why or all(map(order_alone, row.checks)), (
            f"{row.id} has a bound without a reason"
        )


def test_a_claim_that_holds_or_fails_by_little_is_marked():
    def judged(state: str, bound: float | None, margin: float | None, kind: str = PREDICTION):
        row = replace(PAPER.rows[0], kind=kind)
        return Judged(row, Verdict("A-1", state, 1.0, bound, margin, ""), (), ()).narrow  # type: ignore[arg-type]

    assert judged("holds", 2.0, 0.09) and judged("fails", -2.0, -0.09)
    assert not judged("holds", 2.0, 0.11) and not judged("fails", 1.0, -0.06)
    assert not judged("undecided", 1.0, -0.01) and not judged("not run", None, None)
    assert not judged("holds", 2.0, 0.0, "set-up") and not judged("holds", 0.0, 0.0)
    narrow = {entry["id"] for entry in committed() if entry["narrow"]}
    assert {"ALL-60", "ALL-73"} <= narrow and not {"ALL-39", "ALL-46"} & narrow
    assert "| **fails**, narrowly |" in (ROOT / results_of("ALL") / "README.md").read_text()


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("ALL-46", ["C['backoff', 10] < C['backoff', 20]", "12.3996 +- 0.036", "verdict: holds"]),
        ("ALL-47", ["all_4_1.py", "def all_47", "since 2026-11-", "kind: selected on"]),
        ("URPC-01", ["near(L[PAIRED, 1]", "391.269", "the paper's 93 +- 9", "cause: "]),
    ],
)
def test_a_claim_is_explained(claim, parts, monkeypatch):
    monkeypatch.chdir(ROOT)
    lines = "\n".join(explained(claim))
    commit = re.search(r"made by commit (\w+)", lines)
    assert (
        commit
        and commit[1] in (ROOT / results_of(claim[: claim.index("-")]) / "versions.csv").read_text()
    )
    assert not [part for part in parts if part not in lines], lines


def test_what_is_no_claim_is_not_explained(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert is_claim("ALL-46") and not is_claim("figure-4.1.csv") and not is_claim("XYZ-1")
    with pytest.raises(UserError, match="ALL-99: no such claim"):
        explained("ALL-99")


def test_the_verdicts_are_counted_by_kind():
    predicted = [("A-2", PREDICTION, "fails"), ("A-3", PREDICTION, "holds")]
    claims = [("A-1", "fitted", "holds"), *predicted]
    lines = by_kind(claims)
    assert "| fitted | 1 | 1 | 0 | 0 | 0 | A-1 |" in lines
    assert "| prediction | 2 | 1 | 1 | 0 | 0 | all others |" in lines
    assert counted(state for _, _, state in claims) == "2 hold, 1 fails"


@pytest.mark.parametrize("name", known())
def test_the_readme_counts_the_predictions_of_each_paper(name):
    states = [entry["verdict"] for entry in committed(name) if entry["kind"] == PREDICTION]
    counts = (
        f"of {len(states)} predictions [{counted(states)}]({results_of(name)}/README.md#claims)"
    )
    text = " ".join((ROOT / "README.md").read_text().split())
    assert counts in text
    others = sum(entry["kind"] != PREDICTION for paper in known() for entry in committed(paper))
    assert f"The other {others} claims were" in text


def test_the_readme_counts_the_predictions_of_all_papers():
    entries = [entry for name in known() for entry in committed(name)]
    states = [entry["verdict"] for entry in entries if entry["kind"] == PREDICTION]
    hold, fail, open_ = (states.count(state) for state in ("holds", "fails", "undecided"))
    assert hold + fail + open_ == len(states)
    text = " ".join((ROOT / "README.md").read_text().split())
    assert f"Of {len(states)} predictions of four papers {hold} hold, {fail} fail" in text
    assert f"and {open_} are undecided" in text


@pytest.mark.parametrize("name", ["ALL", "WKS", "URPC", "MTH"])
def test_the_committed_claims_and_page_are_up_to_date(name, monkeypatch):
    """test_published_figures.py compares the figures."""
    monkeypatch.chdir(ROOT)
    paper, folder = find_paper(name), results_of(name)
    claims, page = judgement(paper, parts(paper), folder)
    stale = f"stale: run `symlab paper {name} claims`"
    assert claims == (folder / "claims.json").read_bytes(), stale
    assert page == (folder / "README.md").read_bytes(), stale


@pytest.mark.parametrize("name", known())
def test_a_claims_statement_is_on_the_results_page_alone_with_its_verdict_before_it(name):
    page = (ROOT / results_of(name) / "README.md").read_text()
    assert "\n| claim | verdict | statement | cause |" in page
    pages = "".join(file.read_text() for file in (ROOT / folder_of(name)).glob("*.md"))
    for row in find_paper(name).rows:
        cell = f"| {row.statement.strip()} |".replace("\n", " ")
        lines = [line for line in page.splitlines() if cell in line]
        assert len(lines) == 1 and cell not in pages, row.id


def test_gathering_writes_figures_their_data_claims_and_the_page(everything, tmp_path):
    for csv in (ROOT / results_of("ALL")).glob("figure-4.[12].csv"):
        (tmp_path / csv.name).symlink_to(csv)
    files = {file.name for file in gather(PAPER, everything, tmp_path)}
    figures = {"figure-4.1.svg", "figure-4.2.svg"}
    assert files - {"figure-4.2.csv"} == figures | {"claims.json", "README.md"}


def test_parts_are_in_the_papers_order_and_chosen_by_number_or_name(everything):
    names = [part.name for part in everything]
    assert names[:3] == ["table-3.1", "figure-3.1", "figure-3.1-compiler"]
    assert names.index("table-4.1") + 1 == names.index("figure-4.1")
    assert names[-2:] == ["figure-5.4", "figure-5.4-trace"]
    chosen = [part.name for part in parts(PAPER, "4.1")]
    assert chosen == ["table-4.1", "figure-4.1", "section-4.1-exchange"]
    assert [part.name for part in parts(PAPER, "figure-4.1")] == ["figure-4.1"]
    with pytest.raises(UserError, match=r"--figure 9.9: .* it has 3.1, 3.2"):
        parts(PAPER, "9.9")
    with pytest.raises(UserError, match="known: ALL"):
        find_paper("all")


def verdict(number: str, state: str, margin: float | None, check: str) -> Verdict:
    return Verdict(number, state, 1.0, 1.0, margin, check)  # type: ignore[arg-type]


def test_a_failing_check_of_a_claim_decides_and_all_checks_are_shown(everything):
    one, other = everything[:2]

    def judged(*verdicts: Verdict) -> dict:
        made = [
            replace(part, figure=replace(part.figure, claims=(lambda data, v=v: v,)))
            for part, v in zip((one, other), verdicts, strict=True)
        ]
        found = judge(PAPER, made, ROOT / results_of("ALL"))
        assert [j.row for j in found] == list(PAPER.rows)
        assert all(j.verdict.state == "not run" for j in found if j.row.id != "ALL-66")
        return next(j for j in found if j.row.id == "ALL-66").entry()

    entry = judged(verdict("ALL-66", "holds", 1.0, "first"), verdict("ALL-66", "fails", -1, "2nd"))
    assert (entry["verdict"], entry["margin"], entry["check"]) == ("fails", -1, "first; 2nd")
    assert entry["cause"] and entry["results"] == [one.name, other.name]
    entry = judged(verdict("ALL-66", "holds", 1.0, "a"), verdict("ALL-66", "holds", 0.5, "a"))
    assert (entry["verdict"], entry["margin"], entry["check"]) == ("holds", 0.5, "a")
    assert entry["cause"] == "", "a cause is shown where something fails"


def test_a_figure_that_judges_an_unknown_claim_is_refused(everything):
    strange = replace(
        everything[0].figure, claims=(lambda data: verdict("ALL-99", "holds", 1, ""),)
    )
    with pytest.raises(UserError, match="ALL-99"):
        judge(PAPER, [replace(everything[0], figure=strange)], ROOT / results_of("ALL"))


@pytest.fixture
def small(lab: Lab) -> Lab:
    """The command, in a folder with two figures of the paper and a fake simulator."""
    folder = lab.folder / "papers" / "ALL" / "figures"
    folder.mkdir(parents=True)
    for name in ("figure-4.1", "figure-5.1"):
        (folder / f"{name}.toml").write_text(CONFIG)
    return lab


def reproduce(lab: Lab, *more: str) -> tuple[int, str]:
    command = ["paper", "ALL", *more, "--simulator", str(lab.simulator)]
    return lab.symlab(*command)


def test_the_command_makes_all_figures_keeps_them_and_writes_the_page(small):
    code, output = reproduce(small)
    assert code == 0, output
    assert "Figure 4.1, 1 of 2" in output and "Figure 5.1, 2 of 2" in output
    assert len(small.events("finish")) == 6, "the second sweep takes the first one's runs over"
    page = (small.folder / results_of("ALL") / "README.md").read_text()
    assert "### Figure 4.1" in page and "### Figure 5.1" in page
    code, output = reproduce(small)
    assert code == 0 and output.count("6 points: 6 kept, 0 to do") == 2
    assert len(small.events("start")) == 6


def test_the_command_makes_one_figure(small):
    code, output = reproduce(small, "--figure", "5.1", "--out", "elsewhere")
    assert code == 0, output
    assert not (small.folder / "elsewhere" / "ALL" / "figure-4.1.csv").exists()
    assert "### Figure 4.1" not in (small.folder / "elsewhere" / "ALL" / "README.md").read_text()
    code, output = reproduce(small, "--figure", "6")
    assert code == 2 and "it has 4.1, 5.1" in output


def test_after_a_failed_sweep_the_others_are_still_made(small):
    small.fail(_2_read=3)
    other = small.folder / "papers" / "ALL" / "figures" / "figure-5.1.toml"
    other.write_text(other.read_text().replace("[1, 2, 3]", "[1, 3]"))
    code, output = reproduce(small)
    assert code == 1 and "failed: figure-4.1" in output
    assert (small.folder / results_of("ALL") / "figure-5.1.csv").is_file()
    assert "not run" in (small.folder / results_of("ALL") / "README.md").read_text()


def test_gathering_simulates_nothing(small):
    reproduce(small)
    before = small.events("start")
    (small.folder / results_of("ALL") / "README.md").unlink()
    code, _ = small.symlab("paper", "ALL", "claims", "--simulator", "none")
    assert code == 0 and (small.folder / results_of("ALL") / "README.md").is_file()
    assert small.events("start") == before
