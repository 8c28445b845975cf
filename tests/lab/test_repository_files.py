# SPDX-License-Identifier: MIT
"""Licence, citation, changelog, container and editor settings are well formed and up to date."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
MADE = ("build/", ".venv/")  # folders that the build makes
PATH = re.compile(
    r"(?<![\w./:$-])(?:(?:\.?[\w-]+/)+(?:[\w.-]*\w)?|[\w-]+\.(?:md|py|sh|toml|cff)\b)"
)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def version() -> str:
    found = re.search(r"project\(symsim VERSION ([\d.]+)", text("CMakeLists.txt"))
    assert found
    return found[1]


@pytest.mark.parametrize(
    "name", [".vscode/launch.json", ".vscode/tasks.json", ".devcontainer/devcontainer.json"]
)
def test_json_parses_without_comments(name: str) -> None:
    assert isinstance(json.loads(text(name)), dict)


@pytest.mark.parametrize("name", ["CITATION.cff", ".github/workflows/ci.yml"])
def test_yaml_parses(name: str) -> None:
    assert isinstance(yaml.safe_load(text(name)), dict)


def test_git_does_not_ignore_editor_settings() -> None:
    assert ".vscode" not in text(".gitignore")


def test_the_debugger_connects_to_the_port_of_the_task_that_it_starts() -> None:
    (launch,) = json.loads(text(".vscode/launch.json"))["configurations"]
    tasks = {task["label"]: task for task in json.loads(text(".vscode/tasks.json"))["tasks"]}
    task = tasks[launch["preLaunchTask"]]
    port = task["args"][task["args"].index("--gdb") + 1]
    assert launch["miDebuggerServerAddress"] == f"localhost:{port}"
    assert task["dependsOn"] in tasks


def test_the_guest_debugger_waits_for_a_line_that_symsim_prints() -> None:
    tasks = json.loads(text(".vscode/tasks.json"))["tasks"]
    (background,) = [task["problemMatcher"]["background"] for task in tasks if "args" in task]
    assert background["endsPattern"].removeprefix("^") in text("sim/run/run.cpp")


def test_the_licence_is_mit() -> None:
    words = " ".join(text("LICENSE").split())
    assert words.startswith("MIT License Copyright (c) 2026 the symsim authors Permission is ")
    assert "to deal in the Software without restriction" in words
    assert 'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND' in words


def test_citation_changelog_and_package_have_the_project_s_version() -> None:
    assert yaml.safe_load(text("CITATION.cff"))["version"] == version()
    assert tomllib.loads(text("lab/pyproject.toml"))["project"]["version"] == version()
    assert f"\n## [{version()}] - " in text("CHANGELOG.md")


def test_the_readme_counts_the_packages_that_the_demo_installs() -> None:
    packages = re.search(r'^run_packages="([^"]+)"', text("scripts/install.sh"), re.MULTILINE)
    assert packages is not None
    assert f"installs {len(packages[1].split())} Debian packages" in text("README.md")


def test_the_contributing_guide_names_only_paths_that_exist() -> None:
    named = {path for path in PATH.findall(text("CONTRIBUTING.md")) if not path.startswith(MADE)}
    page = "docs/how-it-works/architecture.md"
    assert {page, "scripts/regression.py", ".ci/run", "sim/bus/"} <= named
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


def test_the_container_copies_and_runs_only_files_that_exist() -> None:
    lines = text("Containerfile").splitlines()
    copied = [path for line in lines if line.startswith("COPY ") for path in line.split()[1:-1]]
    run = [path for line in lines if line.startswith("RUN ") for path in PATH.findall(line)]
    assert {"scripts/install.sh", "lab", "."} == set(copied)
    assert "scripts/install.sh" in run
    assert sorted(path for path in copied + run if not (ROOT / path).exists()) == []


def test_the_workflow_and_the_dev_container_use_what_there_is() -> None:
    jobs = yaml.safe_load(text(".github/workflows/ci.yml"))["jobs"]
    runs = {name: job["steps"][-1]["run"] for name, job in jobs.items()}
    assert runs == {"debian-12": ".ci/run", "other": "make ${{ matrix.target }}"}
    targets = jobs["other"]["strategy"]["matrix"]["target"]
    lint = {"lint-format", "lint-tidy", "lint-python"}
    assert set(targets) == {"fuzz", "asan", "tsan", "wide", *lint}
    release = yaml.safe_load(text(".github/workflows/release.yml"))["jobs"]["build"]
    made = {row["target"]: row["made"] for row in release["strategy"]["matrix"]["include"]}
    assert made == {"wheel": "build/symlab-*.whl", "site": "build/site"}
    for target in (*targets, "lint", *made):
        assert re.search(rf"^{target}:", text("Makefile"), re.MULTILINE), target
    assert all(job["container"] in text("Containerfile") for job in [release, *jobs.values()])
    build = json.loads(text(".devcontainer/devcontainer.json"))["build"]
    assert (ROOT / ".devcontainer" / build["dockerfile"]).is_file()
    assert f" AS {build['target']}\n" in text("Containerfile")
