# SPDX-License-Identifier: MIT
"""A command that fails says why in one sentence, and ends with the exit code of that failure."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Lab
from symlab.errors import UserError
from symlab.failing import guarded

FULL = Path("/dev/full")
LONG = "x" * 300

CONFIG = """
[machine]
processors = 1
[guest]
image = "counter-{lock}"
[guest.args]
lock = "xchgb"
status = 1
[sweep]
"machine.processors" = [1, 2]
"""


def symlab(*command: str, **more) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "symlab", *command]
    return subprocess.run(program, text=True, stderr=subprocess.PIPE, **more)


def said(done: subprocess.CompletedProcess[str]) -> str:
    """What was said on stderr, which is one sentence."""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("symlab: ")
    return lines[0]


@pytest.mark.parametrize(
    "command",
    [
        ["--help"],
        ["list", "locks"],
        ["new", "lock", "mine"],
        ["status", "out"],
        ["report", "out"],
        ["sweep", "tiny.toml", "--out", "out", "--simulator", "program", "--dry-run"],
    ],
    ids=" ".join,
)
def test_a_full_standard_output_is_an_output_error(command: list[str], lab: Lab) -> None:
    if "out" in command:
        assert lab.call()[0] == 0
    with FULL.open("w") as full:
        done = symlab(*command, stdout=full, cwd=lab.folder)
    assert said(done) == "symlab: standard output: cannot be written: No space left on device"
    assert done.returncode == 6


def test_a_closed_pipe_ends_the_command_without_a_word() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = symlab("list", "locks", stdout=writer)
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 128 + signal.SIGPIPE


def test_ctrl_c_while_symlab_starts_shows_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = symlab("list", "locks", stdout=subprocess.PIPE, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# Python runs it when it ends, after all of symlab: it waits until the test has sent its signal.
HELD_END = """import atexit, sys
atexit.register(lambda: print("ends", file=sys.stderr, flush=True) or sys.stdin.read())
"""


def test_ctrl_c_while_python_ends_does_not_change_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HELD_END)
    command = [sys.executable, "-m", "symlab", "sweep", str(tmp_path / "missing.toml")]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr is not None
    assert "missing.toml: cannot be read" in process.stderr.readline()
    assert process.stderr.readline() == "ends\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate() == (None, "")
    assert process.returncode == 2


def test_a_full_or_closed_standard_error_does_not_change_the_exit_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "symlab", "report", str(tmp_path / "none")]
    with FULL.open("w") as full:
        assert subprocess.run(command, stderr=full).returncode == 2
    shell = " ".join(command) + " >&- 2>&-"
    assert subprocess.run(["sh", "-c", shell]).returncode == 2


def test_an_unexpected_exception_is_one_sentence_with_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["symlab", "report", "x"])

    def fail() -> None:
        raise KeyError("guest\nof two lines")

    assert guarded(fail) == 134
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    assert "`symlab report` met an error of symlab itself: KeyError: 'guest" in text
    assert "SYMLAB_TRACEBACK=1" in text
    monkeypatch.setenv("SYMLAB_TRACEBACK", "1")
    assert guarded(fail) == 134
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (OSError(errno.ENOSPC, "No space left", "a/b"), 6, "a/b: cannot be written: No space left"),
        (OSError(errno.EACCES, "Permission denied", "a/b"), 2, "a/b: cannot be used: Permission"),
        (UserError("wrong"), 2, "symlab: wrong"),
        (KeyboardInterrupt(), 130, ""),
        (SystemExit(3), 3, ""),
    ],
)
def test_an_error_of_a_file_names_it(
    error: BaseException, code: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail) == code
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["report", LONG],
        ["status", LONG],
        ["plot", f"{LONG}.csv"],
        ["paper", "ALL", "claims", f"{LONG}.csv"],
        ["fst", LONG],
        ["transactions", LONG],
        ["sweep", f"{LONG}.toml"],
        ["compare", "counter", "--lock", f"{LONG}.h"],
        ["new", "lock", LONG],
        ["new", "lock", "mine", "--in", LONG],
        ["cc", f"{LONG}.c", "-o", "x.elf"],
        ["report", "\udcff"],
        ["sweep", "\udcff"],
    ],
    ids=lambda command: " ".join(command)[:24].encode(errors="replace").decode(),
)
def test_a_name_that_no_file_can_have_is_a_mistake_of_the_user(
    command: list[str], tmp_path: Path
) -> None:
    done = symlab(*command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    assert done.returncode in (2, 6), done.stderr
    said(done)


@pytest.mark.parametrize("command", ["report", "status", "gc", "plot", "fst", "transactions"])
def test_an_empty_folder_is_a_mistake_of_the_user(command: str, tmp_path: Path) -> None:
    done = symlab(command, str(tmp_path), stdout=subprocess.DEVNULL)
    assert done.returncode == 2
    assert str(tmp_path) in said(done)


@pytest.mark.parametrize("scheduler", ["garbage", "http://x:1", "x:99999"])
def test_a_scheduler_that_is_no_address_fails_at_once(scheduler: str, lab: Lab) -> None:
    code, output = lab.call("--scheduler", scheduler)
    assert code == 2
    assert f"--scheduler {scheduler}: is not an address; it must be tcp://HOST:PORT" in output
    assert not lab.out.exists()


@pytest.mark.parametrize("folder", ["/proc/1/out", "/dev/null/out"])
def test_a_results_folder_that_cannot_be_made_is_an_output_error(folder: str, lab: Lab) -> None:
    lab.out = Path(folder)
    code, output = lab.call()
    assert code == 6
    assert f"{folder}: cannot be written" in output


def test_a_swept_key_may_have_the_name_of_a_column(lab: Lab) -> None:
    lab.config.write_text(CONFIG)
    for key in ("guest.args.status", "guest.args.lock"):
        code, output = lab.call("--set", f"{key}=[1,2]")
        assert code == 0, output
    lab.call("--set", "guest.args.status=[1,2]")
    header = (lab.out / "tiny.csv").read_text().splitlines()[0].split(",")
    assert header[:2] == ["processors", "guest_args_status"]
    assert header.count("status") == 1


@pytest.mark.parametrize("value", [r"$\\frac$", "$x$ and $", "_hidden", "a$b"])
def test_an_axis_may_have_any_text(value: str, lab: Lab) -> None:
    code, output = lab.call("--set", f'guest.args.lock=["{value}","read"]')
    assert code == 0, output


def test_the_version_is_that_of_the_package() -> None:
    done = symlab("--version", stdout=subprocess.PIPE)
    assert done.stdout == "symlab 0.1.0\n"
