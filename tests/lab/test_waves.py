# SPDX-License-Identifier: MIT
"""trace.vcd of a real run, and trace.fst made from it, read by the library of a wave viewer."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pywellen import Waveform
from symlab.errors import OutputError, UserError
from symlab.runs.fst import to_fst

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
PS_PER_US = 1_000_000
FROM_US, TO_US = 1000, 1300

Changes = dict[str, list[tuple[int, Any]]]


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    settings = ["machine.processors=4", "guest.args.increments=40", "observe.vcd=true"]
    settings += [f"observe.window.from_us={FROM_US}", f"observe.window.to_us={TO_US}"]
    # With this interval, bus.csv has one row that is exactly the window.
    settings += [f"observe.interval_us={TO_US - FROM_US}"]
    command = [BINARY, "configs/quickstart.toml", "--quiet", "--out", str(out)]
    subprocess.run(command + [a for s in settings for a in ("--set", s)], check=True, cwd=ROOT)
    return out


def read(path: Path) -> Changes:
    wave = Waveform(str(path))
    assert str(wave.timescale) == "1ps"
    return {var.full_name: list(var.tv) for var in wave.all_vars()}


def test_the_vcd_contains_the_window_in_order_of_time(traced: Path) -> None:
    stamps = [
        int(line[1:])
        for line in (traced / "trace.vcd").read_text().splitlines()
        if line.startswith("#")
    ]
    assert stamps == sorted(set(stamps))
    assert (stamps[0], stamps[-1]) == (FROM_US * PS_PER_US, TO_US * PS_PER_US)
    note = json.loads((traced / "summary.json").read_text())["trace"]
    expected = {"file": "trace.vcd", "complete": True, "from_us": FROM_US, "until_us": TO_US}
    assert note == expected


def test_fst_and_vcd_agree_and_uses_of_the_bus_do_not_overlap(traced: Path) -> None:
    fst = to_fst(traced)
    assert fst == traced / "trace.fst"
    assert not (traced / "trace.fst.part").exists()
    of_vcd, of_fst = read(traced / "trace.vcd"), read(fst)
    assert of_vcd == of_fst
    assert len(of_vcd["bus.grant"]) > 100
    # If a signal changes several times at one time, the last value counts.
    grant = dict(of_vcd["bus.grant"])
    owner = dict(of_vcd["bus.owner"])
    assert {str(v) for v in grant.values()} == {"0", "1"}
    assert {v for v in owner.values() if isinstance(v, int)} == {0, 1, 2, 3}


def test_the_error_without_a_vcd_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"trace\.vcd does not exist.*observe\.vcd=true"):
        to_fst(tmp_path)


def test_the_error_without_the_converter_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trace.vcd").write_text("$enddefinitions $end\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="apt-get install gtkwave"):
        to_fst(tmp_path)


@pytest.mark.skipif(shutil.which("vcd2fst") is None, reason="no vcd2fst")
def test_a_failed_conversion_leaves_no_files(tmp_path: Path) -> None:
    (tmp_path / "trace.vcd").write_text("$enddefinitions $end\n#0\n")
    (tmp_path / "trace.fst").mkdir()
    with pytest.raises(OutputError, match=r"cannot write .*trace\.fst"):
        to_fst(tmp_path)
    assert not (tmp_path / "trace.fst.part").exists()
