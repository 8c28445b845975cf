# SPDX-License-Identifier: MIT
"""The reference and the completion agree with the simulator, and work."""

import copy
import os
import pty
import re
import select
import subprocess
from pathlib import Path
from typing import Any

import pytest
from symlab.cli import HIDDEN, LISTED, LazyCommands, app
from symlab.errors import OutputError, UserError
from symlab.runs.processes import STATUS_OF_EXIT
from symlab.runs.simulator import Simulator
from symlab_tools.reference import COMMAND, rendered, write_reference
from symlab_tools.reference.markdown import markdown
from transaction_run import BINARY, ROOT
from typer.testing import CliRunner

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

SHELL_PATIENCE_S = 120  # host time that a busy host may need for a completion

COMPLETION = ROOT / "completions" / "symsim.bash"


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    return Simulator(BINARY).describe()


def test_the_committed_files_are_up_to_date(description):
    for name, text in rendered(description).items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, f"{name} is old: run {COMMAND}"


def test_the_command_writes_all_files(description, tmp_path, monkeypatch):
    written = write_reference(description, tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in written] == list(rendered(description))
    for path in written:
        assert path.read_bytes() == (ROOT / path.relative_to(tmp_path)).read_bytes()
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file: is a file"):
        write_reference(description, tmp_path / "file")


def test_a_binary_without_the_option_describe_is_refused():
    with pytest.raises(UserError, match="false"):
        Simulator("/bin/false").describe()
    result = CliRunner().invoke(app, ["reference", "--simulator", "/bin/false"])
    assert isinstance(result.exception, UserError)


def test_everything_named_is_on_the_page(description):
    page = markdown(description)
    for table in ("options", "keys", "free_keys", "files", "statuses", "states", "activities"):
        assert description[table]
        for thing in description[table]:
            assert f"`{thing['name']}" in page, thing
    for table in ("kinds", "probes"):
        for thing in description[table]:
            assert f"\n| `{thing['name']}` |" in page
    for exit_code in description["exit_codes"]:
        assert f"\n| {exit_code['code']} |" in page
    for file in description["files"]:
        for column in file["columns"]:
            assert f"\n| `{column['name']}` | {column['unit']}".rstrip() in page, column


def test_no_text_can_break_the_table(description):
    broken = copy.deepcopy(description)
    broken["keys"][0]["meaning"] = '.TH a|b \\n "c" - d'
    assert '.TH a\\|b \\n "c" - d |' in markdown(broken)


def test_the_probe_points_are_those_of_the_guests_header(description):
    header = (ROOT / "guest" / "include" / "probes.h").read_text(encoding="utf-8")
    defined = re.findall(r"^#define PROBE_([A-Z_]+) (\d+)$", header, re.MULTILINE)
    probes = [(p["name"].upper(), str(p["number"])) for p in description["probes"]]
    by_loader = ("THREAD_FUNCTION", "CALLER", "EVENT", "EVENT_ARGUMENT")  # in Linux programs
    assert [probe for probe in probes if probe[0] not in by_loader] == defined


def test_the_lab_knows_each_exit_code_and_status(description):
    assert [e["code"] for e in description["exit_codes"]] == list(STATUS_OF_EXIT)
    assert {s["name"] for s in description["statuses"]} <= set(STATUS_OF_EXIT.values())


# --- completion ---------------------------------------------------------------------------------


def offered(*words: str, folder: Path = ROOT) -> list[str]:
    """The completions that bash offers for the last of the `words` after `symsim`."""
    script = (
        'source "$0"; COMP_WORDS=(symsim "$@"); COMP_CWORD=$#; _symsim; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    command = ["bash", "-c", script, str(COMPLETION), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


def test_completion_offers_options(description):
    every = [n for o in description["options"] for n in (o["short"], o["name"]) if n]
    assert offered("-") == every
    assert offered("configs/quickstart.toml", "--pr") == ["--print-config"]


def test_completion_offers_keys_and_their_values_after_set(description):
    assert offered("--set", "") == [key["name"] + "=" for key in description["keys"]]
    assert offered("--set", "cache.p") == ["cache.protocol="]
    choices = next(k["values"] for k in description["keys"] if k["name"] == "cache.protocol")
    assert offered("--set", "cache.protocol", "=") == choices
    assert offered("--set", "cache.protocol", "=", "write-u") == ["write-update"]
    # zsh, and bash if COMP_WORDBREAKS lacks the `=`, pass key and value as one word.
    assert offered("--set", "observe.vcd=") == ["observe.vcd=true", "observe.vcd=false"]
    assert offered("--set", "machine.processors", "=") == [""]


def test_completion_offers_files_or_folders_by_option(tmp_path):
    for name in ("a b.toml", "other.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder").mkdir()
    assert offered("", folder=tmp_path) == ["folder", "a b.toml"]
    assert offered("--out", "", folder=tmp_path) == ["folder"]
    assert offered("--gdb", "", folder=tmp_path) == [""]


def typed(line: str, sourced: str, home: Path) -> str:
    """The command line of a real, interactive bash after `line`, with its tabs, has been typed."""
    master, slave = pty.openpty()
    environment = {**os.environ, "HOME": str(home), "PS1": "$ ", "TERM": "dumb", "HISTFILE": ""}
    shell = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-i"],
        stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=ROOT, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    # Control-A moves to the beginning of the line, where we insert `echo`, which then prints the
    # line. The shell reads all input in order.
    os.write(master, f"{sourced}\n{line}\x01echo '<'\x05'>'\nexit\n".encode())
    shown = b""
    while select.select([master], [], [], SHELL_PATIENCE_S)[0]:
        try:
            part = os.read(master, 4096)
        except OSError:  # the shell has ended
            break
        if not part:
            break
        shown += part
    shell.kill()  # it may still wait for input
    shell.wait()
    os.close(master)
    found = re.findall(r"^<(.*)>\r?$", shown.decode(), re.MULTILINE)
    assert len(found) == 1, shown.decode()
    return found[0]


def test_a_tab_in_a_real_shell_completes_key_value_and_config(tmp_path):
    line = "symsim configs/quick\t--set cache.prot\twrite-b\t--ou\tresults/calib\t"
    expected = "symsim configs/quickstart.toml --set cache.protocol=write-back --out results/"
    assert typed(line, f"source {COMPLETION}", tmp_path).startswith(expected + "calibration/")


def test_a_tab_in_a_real_shell_completes_symlab_commands(tmp_path):
    # --show-completion would do the same, but it looks for the parent shell, which tests may lack.
    shown = subprocess.run(
        [ROOT / ".venv" / "bin" / "symlab"],
        env={**os.environ, "_SYMLAB_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    script = tmp_path / "completion"
    script.write_text(shown)
    line = ".venv/bin/symlab transac\t"
    assert typed(line, f"source {script}", tmp_path) == ".venv/bin/symlab transactions "


def test_every_command_of_symlab_is_on_its_page_with_its_options_and_its_example():
    page = (ROOT / "docs" / "reference" / "symlab.md").read_text()
    commands = LazyCommands()
    assert not [name for name in HIDDEN if f"### symlab {name}\n" in page], "a tool of the authors"
    for name, entry in LISTED.items():
        section = page[page.index(f"### symlab {name}\n") :].partition("\n### ")[0]
        assert f"    symlab {name} {entry.example}".rstrip() in section
        for option in commands[name].params:
            if option.param_type_name == "option" and option.name != "help":
                assert all(f"`{text}`" in section for text in option.opts), (name, option.name)
