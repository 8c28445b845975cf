# SPDX-License-Identifier: MIT
"""`symlab list`: the catalogue on the terminal and in a pipe."""

import pytest
from symlab.cli import app
from symlab.guest import catalogue
from typer.testing import CliRunner


def listed(*words: str) -> list[str]:
    result = CliRunner().invoke(app, ["list", *words])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


@pytest.mark.parametrize("kind", catalogue.KINDS)
def test_a_pipe_gets_a_line_for_each_with_all_of_its_description(kind):
    items = catalogue.items(kind)
    lines = listed(kind)
    assert [line.split()[0].rstrip(",") for line in lines] == [item.name for item in items]
    assert all(item.description in line for item, line in zip(items, lines, strict=True))


def test_other_names_and_needs_of_a_lock_are_listed():
    lines = {line.split()[0]: line for line in listed("locks")}
    assert lines["read,"].startswith("read, ttas  ")
    assert lines["mcs-cas"].endswith("; needs a 486")
    assert lines["static"].endswith("; static-N has LOCK_SLOTS N")
    assert lines["static-16"].endswith("; LOCK_SLOTS 16")
    for lock in ("smart-q", "read-no-preempt,", "spin-then-block-500"):
        assert lines[lock].endswith("; needs a program of processes"), lock
    strategies = "\n".join(listed("strategies"))
    assert "accesses; for claim ALL-40 only: no processor takes" in strategies


def test_without_a_kind_all_kinds_are_listed_with_their_numbers():
    lines = listed()
    assert [line.split()[2] for line in lines] == list(catalogue.KINDS)
    assert lines[0].split()[3] == str(len(catalogue.items("locks")))


def test_papers_are_listed_by_their_titles():
    lines = {line.split()[0]: line for line in listed("papers")}
    assert lines["ALL"].split(None, 1)[1] == "Anderson, Lazowska & Levy (1989)"
    assert {"MTH", "URPC", "WKS"} <= lines.keys()


def test_an_unknown_kind_is_refused_with_those_there_are():
    result = CliRunner().invoke(app, ["list", "trains"])
    assert result.exit_code == 2
    assert "strategies" in result.output
