# SPDX-License-Identifier: MIT
"""The reference page of the command `symlab`, from the help texts of its commands."""

import inspect
import re
import textwrap
from typing import Any

from symlab.cli import COMMANDS, GROUPS, LazyCommands
from symlab.results.markdown import table

HEAD = """\
<!-- Written by `symlab reference` from the help texts of the commands. -->
# Commands of symlab

`symlab COMMAND --help` prints the same. Each command ends with exit code 0 if it succeeded, and 1
if a run failed. Code 2 is a mistake in the command or a config, 6 a result that cannot be written,
130 Ctrl-C, and 134 an error of symlab itself. In that case `SYMLAB_TRACEBACK=1` in the environment
prints the traceback. `symlab --version` prints the version.
"""

PAGE = re.compile(r"\bdocs/([\w/-]+\.md)")
WIDTH = 100  # of the lines of the page

# What the commands of a group are for.
PURPOSE = {
    "Use": "Run programs and look at results.",
    "Extend": "Write a lock, barrier, strategy or program of your own.",
    "Reproduce": "Repeat the papers' figures and judge their claims.",
}


def commands_page() -> str:
    parts = [HEAD]
    commands = LazyCommands()
    for title, group in GROUPS.items():
        parts.append(f"## {title}\n\n{PURPOSE[title]}\n")
        parts += [_section(name, commands[name]) for name in group]
    return "\n".join(parts)


def _section(name: str, command: Any) -> str:
    paragraphs = inspect.cleandoc(command.help).split("\n\n")
    texts = map(_paragraph, paragraphs)
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    lines = [f"### symlab {name}\n", *(f"{text}\n" for text in texts)]
    example = COMMANDS[name].example
    lines.append(f"    symlab {name} {example}".rstrip() + "\n")
    names = [(p, f"`{(p.metavar or p.name).upper()}`") for p in arguments]
    names += [(p, _names(p)) for p in options]
    if names:
        rows = ((name, _marked(_help(parameter))) for parameter, name in names)
        lines += [*table(("argument or option", "meaning"), rows), ""]
    return "\n".join(lines)


def _names(option: Any) -> str:
    """The option by its names, with its value after the last."""
    value = f" `{option.metavar}`" if option.metavar else ""
    names = [*sorted(option.opts, key=len), *option.secondary_opts]
    return ", ".join(f"`{name}`" for name in names) + value


def _paragraph(text: str) -> str:
    """A paragraph as Markdown. After a line with only \\b, which tells typer to keep the lines, it
    is shown as code."""
    if text.startswith("\b\n"):
        return textwrap.indent(inspect.cleandoc(text.removeprefix("\b\n")), "    ")
    return textwrap.fill(_marked(" ".join(text.split())), WIDTH, break_on_hyphens=False)


def _help(parameter: Any) -> str:
    """The help text; with the default as the terminal shows it, unless the text has it."""
    text = " ".join((parameter.help or "").split())
    default = parameter.default
    shown = default not in (None, False, "") and parameter.show_default
    return f"{text} Default: {default}." if shown else text


def _marked(text: str) -> str:
    """As Markdown: a page of docs/ becomes a link, and characters with a meaning lose it."""
    plain = text.replace("<", "&lt;").replace("*", "\\*")
    return PAGE.sub(r"[\1](../\1)", plain)
