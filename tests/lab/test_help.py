# SPDX-License-Identifier: MIT
"""The output of --help fits on a screen, and its examples are valid commands."""

import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

import click
import pytest
import typer
from symlab.cli import LISTED, app
from transaction_run import BINARY, ROOT
from typer.testing import CliRunner

COLUMNS = 80
SIMULATOR_LINES = 24  # lines of a terminal with its default size
LAB_LINES = 40

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def symsim(*arguments: str) -> str:
    command = [str(BINARY), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def commands(command: click.Command, name: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words after `symlab` on the command line, for every command and group of the lab."""
    yield name
    for word, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*name, word))


LAB: Any = typer.main.get_command(app)


def example_in(text: str, program: str) -> list[str]:
    """The arguments of the single example, which is on one line."""
    lines = [line for line in text.splitlines() if line.strip().lower().startswith("example: ")]
    assert len(lines) == 1, text
    words = shlex.split(lines[0].partition(": ")[2])
    assert words[0] == program
    return words[1:]


@needs_simulator
def test_the_simulators_help_fits_a_terminal_and_begins_with_the_essentials():
    lines = symsim("--help").splitlines()
    assert len(lines) <= SIMULATOR_LINES
    assert max(map(len, lines)) <= COLUMNS
    assert lines[0].startswith("usage: symsim CONFIG")
    options = [line.split()[0] for line in lines if line.startswith("  -")]
    assert options[:2] == ["--set", "--out"]


@needs_simulator
def test_the_simulators_example_is_a_sound_config():
    assert "are sound" in symsim(*example_in(symsim("--help"), "symsim"), "--check")


@pytest.mark.parametrize("name", list(commands(LAB)), ids=" ".join)
def test_the_labs_help_fits_a_screen_and_has_an_example_that_can_be_typed(name):
    result = CliRunner().invoke(app, [*name, "--help"], env={"COLUMNS": str(COLUMNS)})
    lines = result.output.splitlines()
    assert result.exit_code == 0
    assert len(lines) <= LAB_LINES
    assert max(map(len, lines)) <= COLUMNS
    listed = lines[lines.index("Use:") :] if "Use:" in lines else []
    assert not [line for line in listed if line.endswith("...")], "a first sentence is too long"
    arguments = example_in(result.output, "symlab")
    assert tuple(arguments[: len(name)]) == name
    command = LAB
    while arguments and arguments[0] in getattr(command, "commands", {}):
        command = command.commands[arguments.pop(0)]
    command.make_context("symlab", arguments)  # raises UsageError if the arguments are invalid


def test_the_commands_are_listed_in_groups():
    lines = CliRunner().invoke(app, ["--help"], env={"COLUMNS": str(COLUMNS)}).output.splitlines()
    titles = [line for line in lines if line and line[0].isalpha() and line.endswith(":")]
    assert titles == ["Options:", "Use:", "Extend:", "Reproduce:"]
    listed = [line.split()[0] for line in lines[lines.index("Use:") :] if line.startswith("  ")]
    assert listed[:-1] == list(LISTED), "the last line is the example"
