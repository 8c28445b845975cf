# SPDX-License-Identifier: MIT
"""`load` returns the frame that `sweep` returned."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from conftest import Lab
from symlab import UserError, load, sweep
from symlab.results.columns import HOST_COLUMNS
from symlab.results.csv_file import csv_bytes
from symlab.results.table import frame

ROOT = Path(__file__).resolve().parents[2]


def test_a_sweep_is_loaded_as_it_was_returned(lab: Lab):
    lab.fail(_2_read=3)
    swept = sweep(
        lab.config,
        out=lab.out,
        jobs=2,
        settings={"machine.processors": [1, 2, 65]},
        simulator=lab.simulator,
    )
    pd.testing.assert_frame_equal(load(lab.out), swept)
    assert load(lab.out).attrs == swept.attrs
    assert swept.attrs["config"] == str(lab.config.resolve())
    assert re.fullmatch(r"[0-9a-f]{12}(-changed)?|unknown", swept.attrs["commit"])
    assert swept.attrs["units"]["simulated_us"] == "us" and "lock" not in swept.attrs["units"]
    assert (Path(swept.attrs["folder"]) / "runs" / swept["run"][0]).is_dir()
    assert not [name for name in swept if swept[name].dtype == object]
    types = {name: str(swept[name].dtype) for name in ("lock", "status", "run")}
    assert types == {"lock": "category", "status": "category", "run": "string"}
    (lab.out / "tiny-host.csv").unlink()
    shutil.move(lab.out / "tiny.csv", lab.out / "out.csv")
    pd.testing.assert_frame_equal(load(lab.out), swept.drop(columns=list(HOST_COLUMNS)))


def test_numbers_and_gaps_keep_their_types(tmp_path):
    rows = [
        {"count": 20, "time_us": 0.1 + 0.2, "whole_us": 3.0, "flag": True, "word": "NA"},
        {"count": None, "time_us": None, "whole_us": 4.0, "flag": False, "word": None},
    ]
    table = frame([{**row, "empty": None} for row in rows], [], [])
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "a.csv").write_bytes(csv_bytes(table))
    types = dict.fromkeys(("word", "empty"), "category")
    pd.testing.assert_frame_equal(load(folder), table.astype(types))
    assert load(folder).time_us[0] == 0.1 + 0.2


def test_the_runs_and_not_the_tidy_data_of_a_figure_are_loaded():
    folder = ROOT / "papers" / "ALL" / "results" / "figure-3.1"
    assert "status" in load(folder)
    assert len(load(folder)) == len(pd.read_csv(folder.parent / "figure-3.1-runs.csv"))


def test_a_sweep_of_a_group_is_named_by_the_folder_of_its_runs(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}-runs.csv").write_text(f"processors,status\n{len(name)},finished\n")
        (tmp_path / f"{name}.csv").write_text("lock\nread\n")
        columns = ",".join(["processors", "status", *HOST_COLUMNS])
        (tmp_path / f"{name}-host.csv").write_text(
            f"{columns}\n3,finished,0a,1.0,1.0,1.0,1.0,1.0\n"
        )
    assert list(load(tmp_path / "two").columns) == ["processors", "status", *HOST_COLUMNS]
    with pytest.raises(UserError, match=r"several sweeps; name one: .*/one, .*/two"):
        load(tmp_path)
    (tmp_path / "two-host.csv").write_text(f"{columns}\n")
    with pytest.raises(UserError, match="another sweep"):
        load(tmp_path / "two")


def test_a_folder_without_a_complete_sweep_is_refused(tmp_path):
    with pytest.raises(UserError, match="no table of a sweep"):
        load(tmp_path)
    (tmp_path / "a-host.csv").write_text("")
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(UserError, match=r"a\.csv: cannot be read as CSV"):
        load(tmp_path)
