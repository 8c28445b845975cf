# SPDX-License-Identifier: MIT
"""Results say which version of symsim made them, and only a tree as committed may make them."""

import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import symlab.git
from conftest import CONFIG, Lab
from symlab import UserError, sweep
from symlab.cli import app
from symlab.places import ROOT
from symlab.runs import published
from symlab_papers.kept_rows import VERSIONS, load_versions
from symlab_papers.paper import find_paper, parts, results_of
from symlab_papers.paper import known as paper_names
from typer.testing import CliRunner


def test_a_sweep_that_is_run_again_replaces_its_row(tmp_path):
    assert load_versions(tmp_path) == {}
    for row in (["figure-4.1", "1234"], ["figure-3.1", "5678"], ["figure-4.1", "abcd-changed"]):
        path = VERSIONS.replace(tmp_path, pd.DataFrame([row], columns=VERSIONS.columns))
    assert path.read_text() == "sweep,commit\nfigure-3.1,5678\nfigure-4.1,abcd-changed\n"
    assert load_versions(tmp_path)["figure-4.1"] == "abcd-changed"


def test_the_commit_is_that_of_the_tree_and_says_if_sources_differ(monkeypatch):
    answers = {"rev-parse": "1234", "status": ""}
    monkeypatch.setattr(published, "git", lambda command, *_: answers[command])
    assert published.current_commit() == "1234"
    answers["status"] = " M sim/bus/bus.cpp"
    assert published.current_commit() == "1234-changed"
    answers["rev-parse"] = None
    assert published.current_commit() == "unknown"


def test_each_committed_table_has_a_version_and_the_page_names_it(monkeypatch):
    monkeypatch.chdir(ROOT)
    folder = results_of("ALL")
    known = load_versions(folder)
    tables = {
        part.name for part in parts(find_paper("ALL")) if (folder / f"{part.name}.csv").is_file()
    }
    assert set(known) == tables
    page = (folder / "README.md").read_text()
    for commit in known.values():
        assert f"Made by commit {commit}" in page


# Tables whose commit is not in the repository, or which a changed tree has made. They are waiting
# to be made again; none may be added.
OF_UNKNOWN_COMMITS = {
    "MTH/figure-14", "MTH/figure-14-neighbours", "MTH/figure-3", "MTH/figure-6", "MTH/section-4.3",
    "MTH/section-5.3", "MTH/section-5.3-order", "WKS/figure-5", "WKS/figure-7", "WKS/figure-8-ksr",
    "WKS/section-4.2-interrupts", "WKS/section-4.2-work",
}  # fmt: skip


def test_the_tables_of_unknown_commits_are_those_that_are_known_of() -> None:
    if (shallow := symlab.git.git("rev-parse", "--is-shallow-repository")) is None:
        pytest.skip("this tree is not a git repository")
    if shallow == "true":
        pytest.skip("this clone is shallow: `git fetch --unshallow` gets the commits to look up")
    listed = symlab.git.git("rev-list", "HEAD")
    assert listed is not None
    known = {commit[:12] for commit in listed.split()}
    folders = {group: ROOT / results_of(group) for group in (*paper_names(), "model-b", "programs")}
    unknown = {
        f"{group}/{table}"
        for group, folder in folders.items()
        for table, commit in load_versions(folder).items()
        if commit not in known
    }
    assert unknown == OF_UNKNOWN_COMMITS


@pytest.fixture
def tree(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository like that of symsim, with a sweep of a figure and a published folder."""
    root = lab.folder / "tree"
    for folder in ("sim", "papers/ALL/figures", "results"):
        (root / folder).mkdir(parents=True)
    (root / "sim" / "bus.cpp").write_text("int bus;\n")
    (root / "papers" / "ALL" / "figures" / "figure-4.1.toml").write_text(CONFIG)
    (root / ".gitignore").write_text("/results/*/\n!/results/ALL/\n/results/ALL/*/\n")
    for command in (
        ["init", "--quiet"],
        ["add", "--all"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=first"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True)
    monkeypatch.setattr(symlab.git, "ROOT", root)
    monkeypatch.setattr(published, "ROOT", root)
    monkeypatch.chdir(root)
    return root


def swept(lab: Lab, **more: Any) -> None:
    sweep("papers/ALL/figures/figure-4.1.toml", simulator=lab.simulator, **more)


@pytest.mark.parametrize("changed", ["sim/bus.cpp", "papers/ALL/figures/new.toml"])
def test_a_changed_tree_makes_no_published_results(changed: str, tree: Path, lab: Lab) -> None:
    (tree / changed).write_text("changed = 1\n")
    with pytest.raises(UserError) as raised:
        swept(lab)
    assert str(raised.value) == (
        f"results/ALL: the repository keeps these results, and the tree has changes in {changed}, "
        "so no commit could be named as their origin; commit or stash them, or write elsewhere "
        "with --out FOLDER"
    )
    assert not list((tree / "results").iterdir()), "nothing is left behind"
    assert published.current_commit().endswith("-changed")
    swept(lab, out="results/mine")
    swept(lab, out=lab.folder / "elsewhere")
    assert (tree / "results/mine/figure-4.1.csv").is_file()
    assert (lab.folder / "elsewhere/figure-4.1.csv").is_file()


def test_a_tree_as_committed_makes_published_results_again_and_again(tree: Path, lab: Lab) -> None:
    swept(lab)
    assert (tree / "results/ALL/figure-4.1.csv").is_file()
    swept(lab)  # the changed results are no change of what makes them
    assert not published.current_commit().endswith("-changed")


def test_a_folder_outside_of_a_repository_is_not_published(
    tree: Path, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "sim" / "bus.cpp").write_text("int changed;\n")
    (tree / ".git").rename(tree / "no-git")
    swept(lab)
    assert (tree / "results/ALL/figure-4.1.csv").is_file()


@pytest.mark.parametrize(
    "command",
    [["paper", "ALL"], ["paper", "ALL", "quick"], ["paper", "ALL", "spread"],
                ["calibrate"], ["select"]], ids=" ".join,
)  # fmt: skip
def test_each_command_that_publishes_refuses_a_changed_tree(
    command: list[str], tree: Path, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / ".gitignore").write_text("")
    monkeypatch.setenv("SYMSIM_BINARY", str(lab.simulator))
    assert published.changes() == []
    (tree / "lab").mkdir()
    (tree / "lab" / "new.py").write_text("x = 1\n")
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, UserError)
    assert "the tree has changes in lab/" in str(result.exception)
    assert not list((tree / "results").iterdir())
