# SPDX-License-Identifier: MIT
"""Pages about sweeps and about two runs: their numbers, and the refusal of wrong folders."""

import math
import statistics
from pathlib import Path

import pandas as pd
import pytest
from report_runs import BINARY, NEEDS_SIMULATOR, ROOT, quickstart
from symlab import sweep
from symlab.errors import UserError
from symlab.report import write_report
from symlab.report.comparison import comparison_page
from symlab.report.run_data import load_run
from symlab.report.section import Link
from symlab.report.sweep_data import SweepData, is_sweep, load_sweep
from symlab.report.sweep_page import curves, half_width, points, runs_table, sweep_page

POINTS = {
    "machine.processors": [1, 3],
    "guest.args.lock": ["read", "backoff"],
    "guest.args.increments": 100,
    "run.seed": [1, 2, 3],
}


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("swept") / "s"
    sweep(ROOT / "configs/figures/ALL/figure-4.1.toml", folder, 2, POINTS, BINARY)
    return folder


@NEEDS_SIMULATOR
def test_points_are_means_with_confidence_over_the_seeds(swept):
    data = load_sweep(swept)
    assert (data.keys, data.x, data.curves) == (
        ["processors", "lock", "seed"],
        "processors",
        ["lock"],
    )
    runs = pd.read_csv(swept / "figure-4.1.csv")
    found = points(data, "elapsed_us")
    assert len(found) == 4
    for row in found.itertuples():
        values = [
            float(r.elapsed_us)
            for r in runs.itertuples()
            if (r.lock, r.processors) == (row.curve, row.x)
        ]
        assert row.runs == len(values) == 3
        assert row.mean == pytest.approx(statistics.mean(values), abs=1e-6)
        assert (row.least, row.most) == (min(values), max(values))
        # 4.302653: Student's t, 2 degrees of freedom, 97.5 %
        expected = 4.302653 * statistics.stdev(values) / math.sqrt(3)
        assert row.half_width == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert found["half_width"].max() > 0


def test_one_run_has_no_confidence_interval():
    assert math.isnan(half_width(math.nan, 1))
    assert half_width(2.0, 4) == pytest.approx(3.182446 * 2 / 2, rel=1e-6)


@NEEDS_SIMULATOR
def test_curves_have_axes_and_every_metric_is_offered(swept):
    section = curves(load_sweep(swept))
    assert section.charts[0].title == "elapsed_us"
    views = section.charts[-1].views
    assert "critical_read_transactions" in views
    assert "status" not in views and "increments" not in views
    for name, view in views.items():
        assert (view.layout.xaxis.title.text, view.layout.yaxis.title.text) == ("processors", name)
        assert [trace.meta["about"]["curve"] for trace in view.data] == ["backoff", "read"]


@NEEDS_SIMULATOR
def test_runs_are_linked_to_their_folders_or_pages(swept):
    data = load_sweep(swept)
    write_report([swept / data.folders[0]])
    table = runs_table(data, swept).tables[0]
    links = [row[0] for row in table.rows]
    assert len(links) == 12
    for link in links:
        assert isinstance(link, Link)
        assert (swept / link.target).exists()
    assert [link.target.endswith(".html") for link in links] == [True] + [False] * 11
    written = write_report([swept]).read_text()
    assert f'<a href="{data.folders[0]}/report.html">' in written


def test_failed_runs_are_in_no_curve_and_counted():
    runs = pd.DataFrame(
        {
            "processors": [1, 2, 2],
            "seed": [1, 1, 2],
            "elapsed_us": [5.0, 7.0, 900.0],
            "status": ["finished", "finished", "deadlock"],
        }
    )
    data = SweepData("s", ["processors", "seed"], runs, ["", "", ""])
    assert points(data, "elapsed_us")["mean"].tolist() == [5.0, 7.0]
    page = sweep_page(data, Path("nowhere"))
    assert page.warnings == ["1 of 3 runs did not finish; they are in no curve."]
    words = SweepData("s", ["lock"], runs.assign(lock="read"), ["", "", ""])
    assert "no axis" in curves(words).missing


def test_a_folder_without_a_table_is_a_user_error(tmp_path):
    (tmp_path / "runs").mkdir()
    assert is_sweep(tmp_path)
    with pytest.raises(UserError, match="no table of a sweep"):
        write_report([tmp_path])


@NEEDS_SIMULATOR
def test_two_runs_are_compared_key_by_key_and_chart_by_chart(tmp_path):
    small = {"guest__args__increments": 120}
    folders = [
        quickstart(tmp_path / lock, guest__args__lock=lock, **small) for lock in ("read", "backoff")
    ]
    a, b = (load_run(folder) for folder in folders)
    page = comparison_page(a, b)
    config, results = page.sections[0].tables
    assert config.rows == [["guest.args.lock", "read", "backoff"]]
    rows = {row[0]: row[1:] for row in results.rows}
    before, after = a.summary["simulated_us"], b.summary["simulated_us"]
    assert rows["simulated_us"][:2] == [before, after]
    assert rows["simulated_us"][2] == pytest.approx(after - before, abs=1e-6)
    assert rows["simulated_us"][3] == pytest.approx(after / before, abs=1e-6)
    [lock] = a.summary["locks"]
    assert rows["lock wait per acquisition (us)"][0] == pytest.approx(lock["mean_wait_us"])
    waiting = sum(p["states_us"]["waiting"] for p in b.processors)
    assert rows["waiting (us)"][1] == pytest.approx(waiting, abs=1e-6)
    for section in page.sections[1:]:
        ids = [chart.id for chart in section.charts]
        assert ids[0::2] == [id.removesuffix("-b") + "-a" for id in ids[1::2]]
        for left, right in zip(section.charts[0::2], section.charts[1::2], strict=True):
            for name, view in left.views.items():
                other = right.views[name]
                across = any(trace.orientation == "h" for trace in view.data)
                axis = "xaxis" if across else "yaxis"
                assert view.layout[axis].range == other.layout[axis].range is not None
    written = write_report(folders)
    assert written == tmp_path / "read" / "compared-with-backoff.html"


def test_folders_that_cannot_be_compared_are_refused(tmp_path):
    (tmp_path / "runs").mkdir()
    with pytest.raises(UserError, match="not sweeps"):
        write_report([tmp_path, tmp_path])
    with pytest.raises(UserError, match="3 folders"):
        write_report([tmp_path] * 3)
