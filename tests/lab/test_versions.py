# SPDX-License-Identifier: MIT
"""Results say which version of symsim made them."""

from pathlib import Path

from symlab.paper import versions
from symlab.paper.paper import find_paper, parts
from symlab.places import ROOT


def test_a_sweep_that_is_run_again_replaces_its_row(tmp_path):
    assert versions.load_versions(tmp_path) == {}
    versions.record_version(tmp_path, "figure-4.1", "1234")
    versions.record_version(tmp_path, "figure-3.1", "5678")
    path = versions.record_version(tmp_path, "figure-4.1", "abcd-changed")
    assert path.read_text() == "sweep,commit\nfigure-3.1,5678\nfigure-4.1,abcd-changed\n"
    assert versions.load_versions(tmp_path)["figure-4.1"] == "abcd-changed"


def test_the_commit_is_that_of_the_tree_and_says_if_sources_differ(monkeypatch):
    answers = {"rev-parse": "1234", "status": ""}
    monkeypatch.setattr(versions, "git", lambda command, *_: answers[command])
    assert versions.current_commit() == "1234"
    answers["status"] = " M sim/bus/bus.cpp"
    assert versions.current_commit() == "1234-changed"
    answers["rev-parse"] = None
    assert versions.current_commit() == "unknown"


def test_each_committed_table_has_a_version_and_the_page_names_it(monkeypatch):
    monkeypatch.chdir(ROOT)
    folder = Path("results/ALL")
    known = versions.load_versions(folder)
    tables = {part.name for part in parts(find_paper("ALL")) if (folder / f"{part.name}.csv").is_file()}
    assert set(known) == tables
    page = Path("results/README.md").read_text()
    for commit in known.values():
        assert f"Made by commit {commit}" in page
