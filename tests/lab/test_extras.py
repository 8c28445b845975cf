# SPDX-License-Identifier: MIT
"""What needs the packages of an extra names the extra; tests of the wheel have none of them."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.reports.run_data import load_run
from symlab.runs.scheduler_address import check_address

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
PROJECT = tomllib.loads((ROOT / "lab/pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
PACKAGES = [package for names in EXTRAS.values() for package in names]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no package of the extras were installed."""
    for name in [name for name in sys.modules if name.startswith("symlab.results.transaction")]:
        monkeypatch.delitem(sys.modules, name)
    for package in PACKAGES:
        monkeypatch.setitem(sys.modules, package, None)


def command(extra: str) -> str:
    return re.escape(f"{sys.executable} -m pip install 'symlab[{extra}]'")


def test_a_cluster_needs_its_extra(bare: None) -> None:
    said = f"^--scheduler needs the extra cluster.*{command('cluster')}$"
    with pytest.raises(UserError, match=said):
        check_address("tcp://127.0.0.1:9")


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_a_run_is_read_without_extras_and_its_log_with_one(bare: None, tmp_path: Path) -> None:
    settings = ["guest.args.increments=100", "observe.transactions=true"]
    words = [word for setting in settings for word in ("--set", setting)]
    config = ROOT / "configs/quickstart.toml"
    subprocess.run([BINARY, config, *words, "--quiet", "--out", tmp_path], check=True)
    log = f"^a transaction log needs the extra parquet.*{command('parquet')}$"
    with pytest.raises(UserError, match=log):
        load_run(tmp_path)
    (tmp_path / "bus.log.zst").unlink()
    assert load_run(tmp_path).log is None


def test_the_extras_are_those_that_pip_knows() -> None:
    """`pip install 'symlab[NAME]'` reads them from what is installed."""
    listed = re.findall(r'extra == "(\w+)"', " ".join(requires("symlab") or []))
    assert set(listed) == set(EXTRAS)
