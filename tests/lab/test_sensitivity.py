# SPDX-License-Identifier: MIT
"""Which conclusions rest on guesses: one changed at a time, judged by the figures' own claims."""

import os
from pathlib import Path

import pandas as pd
import pytest
from claim_cases import table
from symlab.errors import UserError
from symlab.figures import all_4_1
from symlab.paper import find_paper, parts
from symlab.sensitivity import (
    HEADLINES,
    LOCK,
    Guesses,
    Headline,
    changed,
    judged,
    load_guesses,
    load_sensitivity,
    sweeps,
    write_sensitivity,
)
from symlab.simulator import Simulator

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY")
GUESSES = Guesses(
    {"cache.line_bytes": 16, "bus.locked_request": "keep-turn"},
    [("cache.line_bytes", 8), ("bus.locked_request", "skip")],
    ["backoff-1-2-32"],
)
HEADLINE = Headline(
    "figure-4.1", all_4_1.FIGURE, ("all_43",), {"guest.args.increments": 100}, locks=True
)


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
    assert list(sweeps(HEADLINES["ALL"][0], GUESSES)) == ["figure-3.1"], "no lock is swept there"


def runs() -> dict[str, pd.DataFrame]:
    """xchgb and read triple from 1 to 20 processors, but not with lines of 8 bytes."""

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


def test_a_verdict_is_of_the_runs_with_its_setting_alone():
    rows = judged(HEADLINE, GUESSES, runs())
    found = [(r["parameter"], r["setting"], r["verdict"], r["value"]) for r in rows]
    assert found == [
        ("", "", "holds", 3.0),
        ("cache.line_bytes", "8", "fails", 1.5),
        ("bus.locked_request", "skip", "holds", 3.0),
        (LOCK, "backoff-1-2-32", "holds", 3.0),
    ]
    assert {row["claim"] for row in rows} == {"ALL-43"}


def test_other_delays_are_judged_as_backoff():
    backoff = Headline("figure-4.1", all_4_1.FIGURE, ("all_46",), {}, locks=True)

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
    )
    assert [row["verdict"] for row in rows] == ["holds", "fails"]


def test_what_changes_a_verdict_is_named(tmp_path):
    write_sensitivity(tmp_path, judged(HEADLINE, GUESSES, runs()))
    found = load_sensitivity(tmp_path)
    assert found is not None
    assert changed(found) == {"ALL-43": ["cache.line_bytes = 8"]}
    one = [{**row, "claim": "ALL-46", "verdict": "fails"} for row in found.to_dict("records")]
    write_sensitivity(tmp_path, one)
    both = load_sensitivity(tmp_path)
    assert both is not None
    assert changed(both) == {"ALL-43": ["cache.line_bytes = 8"], "ALL-46": []}
    write_sensitivity(tmp_path, one)
    again = load_sensitivity(tmp_path)
    assert again is not None and len(again) == len(both), "rows of a claim replace those before"


def test_headlines_are_claims_of_parts_of_the_paper(monkeypatch):
    monkeypatch.chdir(ROOT)
    there = {part.name: part for part in parts(find_paper("ALL"))}
    for headline in HEADLINES["ALL"]:
        assert there[headline.part].figure is headline.figure
        assert [claim.__name__ for claim in headline.functions.claims] == list(headline.claims)


def test_what_is_committed_has_every_headline_on_every_setting():
    found = load_sensitivity(ROOT / "results" / "ALL")
    assert found is not None
    claims = {c.replace("all_", "ALL-") for h in HEADLINES["ALL"] for c in h.claims}
    assert set(found["claim"]) == claims
    assert set(found["verdict"]) <= {"holds", "fails"}
    per_claim = found.groupby("claim")["setting"].count()
    assert per_claim.min() >= 15


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_ranges_leave_out_the_machines_own_value(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    guesses = load_guesses(find_paper("ALL"), Simulator(BINARY))
    assert "cache.line_bytes" in guesses.machine and LOCK not in guesses.machine
    for key, value in guesses.changes:
        assert value != guesses.machine[key], key
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "configs" / "sensitivity"
    folder.mkdir(parents=True)
    (folder / "ALL.toml").write_text('[sweep]\n"cache.ways, cache.size_bytes" = [[1, 4096]]\n')
    with pytest.raises(UserError, match=r"cache.ways, cache.size_bytes: a guess is one key"):
        load_guesses(find_paper("ALL"), Simulator(BINARY))
