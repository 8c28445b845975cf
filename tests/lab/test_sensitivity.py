# SPDX-License-Identifier: MIT
"""Sensitivity: one guess is changed at a time, and the figures' own claims judge the runs."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from claim_cases import claim_of, table
from symlab.errors import UserError
from symlab.plot.figure import Figure
from symlab.results.table import frame as framed
from symlab.runs import grid
from symlab.runs.simulator import Simulator
from symlab.runs.sweeping import Order, run_sweep
from symlab_papers.claims import Judge
from symlab_papers.gather import page
from symlab_papers.judging import judge
from symlab_papers.kept_rows import SENSITIVITY, SPREADS
from symlab_papers.names import LOCAL, STRATEGIES
from symlab_papers.paper import Part, find_paper, parts, results_of
from symlab_papers.papers.ALL.figures import all_3_2, all_4_1
from symlab_papers.sensitivity import (
    LOCK,
    Guesses,
    Headline,
    changed,
    headlines,
    judged,
    load_guesses,
    sweeps,
)
from symlab_papers.targets import sensitivity_of

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
NO_SPREADS = pd.DataFrame(columns=SPREADS.columns)
PAPERS = {
    "ALL": 20,
    "WKS": 5,
    "URPC": 5,
}  # verdicts of short runs that the committed table has at least
GUESSES = Guesses(
    {"cache.line_bytes": 16, "bus.locked_request": "keep-turn"},
    [("cache.line_bytes", 8), ("bus.locked_request", "skip")],
    ["backoff-1-2-32"],
)
AMONG_RIVALS = {LOCK: ["xchgb", "read"]}
OF_THE_PACKAGE = {"guest.image": "{program}-{strategy}-{lock}"}


def headline(name: str, figure: Figure, claim: Judge, size: dict, delays: dict) -> Headline:
    """A headline of the part `name` with one claim of `figure`."""
    sizes = {"sensitivity": size, "delays": delays}
    file = grid.SweepFile(Path(f"{name}.toml"), [], None, sizes=sizes)
    return Headline(Part(file, figure), replace(figure, claims=(claim,)), (claim.id,))


HEADLINE = headline(
    "figure-4.1",
    all_4_1.FIGURE,
    claim_of(all_4_1, "ALL-43"),
    {"guest.args.increments": 100},
    AMONG_RIVALS,
)


def keep(folder: Path, rows: list[dict]) -> None:
    SENSITIVITY.replace(folder, framed(rows, [], []))


def test_one_guess_is_changed_at_a_time():
    assert GUESSES.axis == {
        "cache.line_bytes, bus.locked_request": [
            [16, "keep-turn"],
            [8, "keep-turn"],
            [16, "skip"],
        ]
    }
    made = sweeps(HEADLINE, GUESSES)
    assert made["figure-4.1"] == {**GUESSES.axis, "guest.args.increments": 100}
    locks = ["xchgb", "read", "backoff-1-2-32"]
    assert made["figure-4.1-delays"] == {"guest.args.increments": 100, LOCK: locks}


def test_a_part_without_contention_has_no_sweep_over_delays(monkeypatch):
    monkeypatch.chdir(ROOT)
    paper = find_paper("ALL")
    (alone,) = headlines(paper, parts(paper, "figure-3.1"))
    assert list(sweeps(alone, GUESSES)) == ["figure-3.1"]


def test_other_delays_of_the_thread_package_are_other_images():
    part = headline("figure-3.2", all_3_2.FIGURE, claim_of(all_3_2, "ALL-20"), {}, OF_THE_PACKAGE)
    image = {"guest.image": "{program}-{strategy}-{lock}"}
    assert sweeps(part, GUESSES)["figure-3.2-delays"] == {**image, LOCK: ["backoff-1-2-32"]}

    def row(strategy, rate, lock=None):
        times = {"us_per_thread": 18_000 / rate, "elapsed_us": 1e6, "region_1_us": 1e6}
        same = {"processors": 18, "first_us": 1e6, "spin_us": 0, "simulated_us": 1e6}
        return {"strategy": strategy, "bus_utilisation": 0.5, **same, **times} | (lock or {})

    machine = {"line_bytes": 16, "locked_request": "keep-turn"}
    rates = {name: 100 if name == LOCAL else 50 for name in STRATEGIES}
    other = {name: 100 if name == LOCAL else 80 for name in STRATEGIES}
    frames = {
        "figure-3.2": [row(name, rate, machine) for name, rate in rates.items()],
        "figure-3.2-delays": [
            row(name, rate, {"lock": "backoff-1-2-32"}) for name, rate in other.items()
        ],
    }
    runs = {name: pd.DataFrame(rows).assign(status="finished") for name, rows in frames.items()}
    rows = judged(part, Guesses(GUESSES.machine, [], GUESSES.locks), runs, NO_SPREADS)
    found = [(r["parameter"], r["setting"], r["verdict"], r["value"]) for r in rows]
    assert found == [
        ("", "", "holds", pytest.approx(2.0)),
        (LOCK, "backoff-1-2-32", "fails", pytest.approx(1.25)),
    ]


def runs() -> dict[str, pd.DataFrame]:
    """Runs in which every lock takes 3 times as long with 20 processors as with 1; with lines of
    8 bytes it takes 1.5 times as long."""

    def row(line, request, p, lock):
        growth = 1.5 if line == 8 else 3.0
        return {
            "line_bytes": line,
            "locked_request": request,
            "processors": p,
            "lock": lock,
            "increments": 100,
            "elapsed_us": 1000 * (growth if p == 20 else 1),
        }

    grid = table(row, (8, 16), ("keep-turn", "skip"), (1, 20), ("xchgb", "read", "backoff"))
    delays = table(row, (16,), ("keep-turn",), (1, 20), ("xchgb", "read", "backoff-1-2-32"))
    return {"figure-4.1": grid, "figure-4.1-delays": delays}


def test_a_verdict_uses_only_the_runs_with_its_setting():
    rows = judged(HEADLINE, GUESSES, runs(), NO_SPREADS)
    found = [(r["parameter"], r["setting"], r["verdict"], r["value"]) for r in rows]
    assert found == [
        ("", "", "holds", 3.0),
        ("cache.line_bytes", "8", "fails", 1.5),
        ("bus.locked_request", "skip", "holds", 3.0),
        (LOCK, "backoff-1-2-32", "holds", 3.0),
    ]
    assert {row["claim"] for row in rows} == {"ALL-43"}


def test_other_delays_are_judged_as_backoff():
    backoff = headline("figure-4.1", all_4_1.FIGURE, claim_of(all_4_1, "ALL-46"), {}, AMONG_RIVALS)

    def row(p, lock):
        last = 900 if lock == "backoff-1-2-32" else 1500
        return {
            "processors": p,
            "lock": lock,
            "increments": 100,
            "elapsed_us": last if p == 20 else 1000,
        }

    plain = table(row, (10, 20), ("backoff",)).assign(line_bytes=16, locked_request="keep-turn")
    other = table(row, (10, 20), ("xchgb", "backoff-1-2-32"))
    rows = judged(
        backoff,
        Guesses(GUESSES.machine, [], GUESSES.locks),
        {"figure-4.1": plain, "figure-4.1-delays": other},
        NO_SPREADS,
    )
    assert [row["verdict"] for row in rows] == ["holds", "fails"]


def test_settings_that_change_a_verdict_are_named(tmp_path):
    keep(tmp_path, judged(HEADLINE, GUESSES, runs(), NO_SPREADS))
    found = SENSITIVITY.load(tmp_path)
    assert changed(found) == {"ALL-43": ["cache.line_bytes = 8"]}
    one = [{**row, "claim": "ALL-46", "verdict": "fails"} for row in found.to_dict("records")]
    keep(tmp_path, one)
    both = SENSITIVITY.load(tmp_path)
    assert changed(both) == {"ALL-43": ["cache.line_bytes = 8"], "ALL-46": []}
    keep(tmp_path, one)
    again = SENSITIVITY.load(tmp_path)
    assert len(again) == len(both), "rows of a claim replace those before"


@pytest.mark.parametrize("name", PAPERS)
def test_headlines_are_claims_of_parts_of_the_paper(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    paper = find_paper(name)
    found = [number for headline in headlines(paper, parts(paper)) for number in headline.ids]
    assert sorted(found) == sorted(paper.headlines)


@pytest.mark.parametrize("name", PAPERS)
def test_the_committed_table_has_every_headline_with_every_setting(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    paper = find_paper(name)
    found = SENSITIVITY.load(ROOT / results_of(name))
    assert set(found["claim"]) == set(paper.headlines)
    assert set(found["verdict"]) <= {"holds", "fails", "undecided", "not run"}
    machine = set(load(f"papers/{name}/sensitivity.toml", "machine"))
    for main in headlines(paper, parts(paper)):
        rows = found[found["claim"].isin(main.ids)]
        settings = set(zip(rows["parameter"], rows["setting"], strict=True)) - {("", "")}
        delays = set(load(f"papers/{name}/sensitivity.toml", "delays"))
        wanted = machine | delays if main.delays is not None else machine
        assert settings == wanted, main.name


def load(config: str, which: str) -> list[tuple[str, str]]:
    """The settings in a file of ranges: those of the locks' delays, or those of the machine."""
    return [
        (axis.keys[0], str(step[0]))
        for axis in grid.load(ROOT / config).axes
        for step in axis.steps
        if (axis.keys[0] == LOCK) == (which == "delays")
    ]


@pytest.mark.parametrize("name", PAPERS)
def test_short_runs_give_the_same_verdicts_as_full_size(name, monkeypatch):
    """Otherwise the sensitivity of the short runs would say nothing about the paper's claim."""
    monkeypatch.chdir(ROOT)
    found = SENSITIVITY.load(ROOT / results_of(name))
    as_it_is = found[found["parameter"] == ""].set_index("claim")["verdict"]
    paper = find_paper(name)
    full = {j.row.id: j.verdict.state for j in judge(paper, parts(paper), ROOT / results_of(name))}
    judged_short = as_it_is[as_it_is != "not run"]
    assert len(judged_short) > PAPERS[name]
    assert {claim: full[claim] for claim in judged_short.index} == dict(judged_short)


def test_the_page_lists_the_settings_that_change_each_conclusion(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    paper = find_paper("ALL")
    everything = parts(paper)
    both = judged(HEADLINE, GUESSES, runs(), NO_SPREADS)
    steady = [{**row, "claim": "ALL-48", "verdict": "holds"} for row in both]
    failing = [
        {**row, "claim": "ALL-47", "verdict": "holds" if row["setting"] == "skip" else "fails"}
        for row in both
    ]
    never = [{**row, "claim": "ALL-54", "verdict": "fails"} for row in both]
    close = [
        {**row, "claim": "ALL-46", "verdict": "undecided" if row["setting"] == "skip" else "holds"}
        for row in both
    ]
    keep(tmp_path, [*both, *close, *steady, *failing, *never])
    lines = page(paper, everything, judge(paper, [], tmp_path), tmp_path).splitlines()
    lines = lines[lines.index("## Sensitivity") :]
    row = {line[2:8]: line.split(" | ")[1:] for line in lines if line.startswith("| ALL-")}
    assert row["ALL-43"] == ["holds", "fails with cache.line_bytes = 8 |"]
    assert row["ALL-47"] == ["**fails**", "holds with bus.locked_request = skip |"]
    assert row["ALL-48"] == ["holds", "no single guess |"]
    assert row["ALL-54"] == ["**fails**", "fails with every setting |"]
    assert row["ALL-46"] == ["holds", "undecided with bus.locked_request = skip |"]
    assert "| line size | cache.line_bytes | 8 |" in lines
    assert "| Figure 4.1 | ALL-43 | ALL-46 | ALL-47 | ALL-48 |" in lines
    assert "| unchanged machine | 3 | 3 | 3 ✗ | 3 |" in lines
    assert "| cache.line_bytes = 8 | **1.5 ✗** | 1.5 | 1.5 ✗ | 1.5 |" in lines
    assert not any(line.startswith("| Figure 4.2") for line in lines), "not judged yet"
    assert "## Sensitivity" not in page(paper, everything, [], tmp_path / "none")


def test_each_guess_has_a_description(monkeypatch):
    monkeypatch.chdir(ROOT)
    keys = {axis.keys[0] for axis in grid.load("papers/ALL/sensitivity.toml").axes}
    text = (results_of("ALL") / "README.md").read_text()
    assert all(re.search(rf"^\| [^|]+ \| {re.escape(key)} \| ", text, re.M) for key in keys)


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_runs_have_the_parts_measurements_and_other_delays_are_other_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    (part,) = parts(find_paper("ALL"), "figure-5.3")
    sizes = {"sensitivity": {**part.size("quick"), "machine.processors": 4}}
    sizes["delays"] = OF_THE_PACKAGE
    short = replace(part, file=replace(part.file, sizes=sizes))
    short_headline = Headline(short, part.figure, ("ALL-76",))
    guesses = Guesses({"memory.latency_cycles": 3}, [], ["backoff-1-64"])
    order = Order("ALL", simulator=BINARY, shared=tmp_path)
    made = list(sensitivity_of(short_headline, guesses, order, tmp_path))
    names = ["sensitivity/figure-5.3", "sensitivity/figure-5.3-delays"]
    assert [target.name for target in made] == names
    plain, delays = (run_sweep(target.order).frame for target in made)
    for frame in (plain, delays):
        assert set(frame["status"]) == {"finished"}
        assert (frame["inside_us"] > 0).all() and (frame["threads_bus_us"] > 0).all()
    assert list(plain["strategy"]) == list(delays["strategy"])
    waits = (plain["spin_us"] > 0) & (plain["program"] == "null_threads")
    assert (plain["elapsed_us"] != delays["elapsed_us"])[waits].all()


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_ranges_leave_out_the_machines_own_value(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    guesses = load_guesses(find_paper("ALL"), Simulator(BINARY))
    assert "cache.line_bytes" in guesses.machine and LOCK not in guesses.machine
    for key, value in guesses.changes:
        assert value != guesses.machine[key], key
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "papers" / "ALL"
    folder.mkdir(parents=True)
    (folder / "sensitivity.toml").write_text(
        '[sweep]\n"cache.ways, cache.size_bytes" = [[1, 4096]]\n'
    )
    with pytest.raises(UserError, match=r"cache.ways, cache.size_bytes: a guess is one key"):
        load_guesses(find_paper("ALL"), Simulator(BINARY))
