# SPDX-License-Identifier: MIT
"""TOML of a user: its bounds are those of the simulator, and are checked before tomllib sees it."""

import os
import subprocess
import tomllib

import pytest
from report_runs import BINARY, NEEDS_SIMULATOR
from symlab.errors import UserError
from symlab.results.toml_text import MOST_BYTES, parse_toml, read_toml
from symlab.runs.grid import load
from symlab.runs.simulator import config_of

DEEP = {
    "dotted": lambda n: "a." * n + "a = 1",
    "quoted": lambda n: '"a".' * n + "a = 1",
    "header": lambda n: "[" + "a." * (n - 1) + "a]",
    "array": lambda n: "a = " + "[" * n + "]" * n,
    "table": lambda n: "a = " + "{a=" * n + "1" + "}" * n,
    "after a long string": lambda n: 'a = {b = """x"""", c = ' + "[" * (n - 1),
}


@pytest.mark.parametrize("form", DEEP)
@pytest.mark.parametrize("levels", [33, 200_000])
def test_too_many_levels_are_refused_at_once(form: str, levels: int) -> None:
    with pytest.raises(UserError, match=rf"x\.toml:2: has {levels} levels .*at most 32"):
        parse_toml("# first line\n" + DEEP[form](levels), "x.toml")


@pytest.mark.parametrize(
    "text",
    [
        "# " + "[a." * 100,
        'a = "' + "[a." * 100 + '"',
        "a = '" + "[a." * 100 + "'",
        'a = """' + "[a.\n" * 100 + '"""""',
        "a = '''" + "[a.\n" * 100 + "'''",
        'a = "\\"' + "[a." * 100 + '"',
        "a = [" + "1.5, " * 100 + "]",
        "\n".join(f"[b.c{n}]" for n in range(100)),
    ],
)
def test_dots_and_brackets_that_nest_nothing_do_not_count(text: str) -> None:
    assert parse_toml(text, "x.toml") == tomllib.loads(text)


def test_large_files_and_what_is_no_file_are_refused(tmp_path) -> None:
    large = tmp_path / "large.toml"
    large.touch()
    os.truncate(large, 4 << 30)
    with pytest.raises(UserError, match=f"at most {MOST_BYTES} are read"):
        read_toml(large)
    os.mkfifo(tmp_path / "fifo.toml")
    for path in (tmp_path / "fifo.toml", tmp_path):
        with pytest.raises(UserError, match="is not a file"):
            read_toml(path)


@NEEDS_SIMULATOR
def test_a_sweep_refuses_what_the_simulator_refuses(tmp_path) -> None:
    deep = tmp_path / "deep.toml"
    for form in DEEP.values():
        deep.write_text("# first line\n" + form(20_000))
        run = subprocess.run([BINARY, deep], capture_output=True, text=True, check=False)
        assert run.returncode == 2
        with pytest.raises(UserError) as refused:
            load(deep)
        assert run.stderr == f"symsim: {refused.value}\n"


MARKED = b"\xef\xbb\xbf"


def test_a_byte_order_mark_is_passed_over(tmp_path) -> None:
    config = tmp_path / "marked.toml"
    config.write_bytes(MARKED + b'[figure]\ntitle = "Z\xc3\xa4hler"\n')
    assert read_toml(config) == {"figure": {"title": "Zähler"}}
    config.write_bytes(MARKED + MARKED + b"a = 1\n")
    with pytest.raises(UserError, match=r"marked\.toml: not valid TOML"):
        read_toml(config)


@NEEDS_SIMULATOR
def test_the_simulator_passes_over_a_byte_order_mark_too(tmp_path) -> None:
    base, config = tmp_path / "base.toml", tmp_path / "config.toml"
    base.write_bytes(MARKED + b"[machine]\nprocessors = 3\n")
    config.write_bytes(MARKED + b'base = "base.toml"\n[sweep]\n"run.seed" = [1, 2]\n')
    command = [BINARY, config, "--print-config"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert tomllib.loads(printed)["machine"]["processors"] == 3
    assert [axis.keys for axis in load(config).axes] == [("run.seed",)]
    config.write_bytes(MARKED + MARKED + b"a = 1\n")
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "config.toml:1" in refused.stderr


def test_a_long_row_of_bases_is_refused(tmp_path) -> None:
    for n in range(100):
        (tmp_path / f"{n}.toml").write_text(f'base = "{n + 1}.toml"\n')
    with pytest.raises(UserError, match=r"32\.toml: is the base of 32 files in a row"):
        load(tmp_path / "0.toml")
    (tmp_path / "0.toml").write_text("base = 5\n")
    with pytest.raises(UserError, match=r"0\.toml: base: must be the path"):
        load(tmp_path / "0.toml")


def test_a_damaged_config_of_a_run_is_none(tmp_path) -> None:
    (tmp_path / "config.toml").write_text(DEEP["array"](200_000))
    assert config_of(tmp_path) == {}
