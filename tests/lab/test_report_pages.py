# SPDX-License-Identifier: MIT
"""Pages about sweeps and about two runs: their numbers, and the refusal of wrong folders."""

import math
import statistics
from pathlib import Path

import pandas as pd
import pytest
from report_runs import BINARY, NEEDS_SIMULATOR, ROOT, quickstart
from symlab import sweep
from symlab.cli import app
from symlab.errors import UserError
from symlab.plot.styles import style_of
from symlab.report import write_report
from symlab.report.comparison import comparison_page, headline
from symlab.report.run_data import load_run
from symlab.report.section import Link
from symlab.report.sweep_curves import half_width, points
from symlab.report.sweep_data import SweepData, is_sweep, load_sweep
from symlab.report.sweep_page import curves, runs_table, sweep_page
from symlab.report.words import number, time
from typer.testing import CliRunner

POINTS = {
    "machine.processors": [1, 3],
    "guest.args.lock": ["read", "backoff"],
    "guest.args.rounds": 20,
    "run.seed": [1, 2, 3],
}


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("swept") / "s"
    sweep(
        ROOT / "papers/ALL/figures/figure-4.3.toml",
        out=folder,
        jobs=2,
        settings=POINTS,
        simulator=BINARY,
    )
    return folder


@NEEDS_SIMULATOR
def test_a_report_replaces_a_report_and_no_other_file(tmp_path):
    run = quickstart(tmp_path / "run")
    for name in ("summary.json", "config.toml", "bus.csv"):
        before = (run / name).read_bytes()
        with pytest.raises(UserError, match=f"--out .*{name}: this file exists and is not a page"):
            write_report([run], run / name)
        assert (run / name).read_bytes() == before
    assert write_report([run]).read_bytes() == write_report([run]).read_bytes()


@NEEDS_SIMULATOR
def test_points_are_means_with_confidence_over_the_seeds(swept):
    data = load_sweep(swept)
    assert (data.keys, data.x, data.curves) == (
        ["processors", "lock", "seed"],
        "processors",
        ["lock"],
    )
    runs = pd.read_csv(swept / "figure-4.3.csv")
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
    data = load_sweep(swept)
    assert sweep_page(data).opening.charts[0].title == "elapsed_us"
    [chart] = curves(data).charts
    views = chart.views
    assert "critical_read_transactions" in views
    assert "status" not in views and "rounds" not in views
    for name, view in views.items():
        assert (view.layout.xaxis.title.text, view.layout.yaxis.title.text) == ("processors", name)
        assert [trace.meta["about"]["curve"] for trace in view.data] == ["backoff", "read"]


@NEEDS_SIMULATOR
def test_the_page_about_a_sweep_opens_with_its_best_and_worst_curve(swept):
    data = load_sweep(swept)
    runs = pd.read_csv(swept / "figure-4.3.csv")
    at_three = runs[runs["processors"] == 3].groupby("lock")["elapsed_us"].mean()
    least, most = at_three.idxmin(), at_three.idxmax()
    opening = sweep_page(data).opening
    assert opening.headline == (
        f"At processors = 3, elapsed_us is least for {style_of(least).label} "
        f"({number(at_three[least])}) and most for {style_of(most).label} "
        f"({number(at_three[most])}, {number(at_three[most] / at_three[least])} times as much)."
    )
    values = {tile.label: tile.value for tile in opening.tiles}
    means = runs.groupby(["lock", "processors"])["elapsed_us"].mean()
    assert values["Runs"] == "12 finished"
    assert values["Least elapsed_us"] == number(means.min())
    assert values["Most elapsed_us"] == number(means.max())
    assert [chart.title for chart in opening.charts] == ["elapsed_us", "bus_utilisation"]


def made_up(**columns: list) -> SweepData:
    """A sweep over processors and locks with one run for each value."""
    count = len(next(iter(columns.values())))
    runs = pd.DataFrame({"status": ["finished"] * count, **columns})
    wanted: list[str] = ["processors", "lock"]
    keys = [key for key in wanted if key in columns]
    return SweepData("s", keys, runs, [""] * count, Path("report.html"))


def test_the_sentence_about_a_sweep_fits_what_was_swept():
    one = made_up(processors=[1, 2, 4], elapsed_us=[9.0, 5.0, 6.0])
    assert sweep_page(one).opening.headline == (
        "elapsed_us is least for processors = 2 (5) and most for processors = 1 "
        "(9, 1.80 times as much)."
    )
    no_common_x = made_up(processors=[1, 2], lock=["a", "b"], elapsed_us=[9.0, 5.0])
    assert sweep_page(no_common_x).opening.headline == (
        "elapsed_us is least for b, processors = 2 (5) and most for a, processors = 1 "
        "(9, 1.80 times as much)."
    )
    words = made_up(lock=["a", "b"], elapsed_us=[9.0, 5.0])
    assert "there is no axis" in sweep_page(words).opening.headline
    equal = made_up(processors=[1, 2], elapsed_us=[5.0, 5.0])
    assert sweep_page(equal).opening.headline.startswith("No measured column differs")
    failed = made_up(processors=[1, 2], elapsed_us=[5.0, 6.0])
    failed.runs["status"] = "deadlock"
    assert sweep_page(failed).opening.headline == "None of the 2 runs finished."
    assert sweep_page(failed).opening.tiles[0].notes[0] == "2 did not finish."


@NEEDS_SIMULATOR
def test_runs_are_linked_to_their_folders_or_pages(swept):
    data = load_sweep(swept)
    write_report([swept / data.folders[0]])
    table = runs_table(data).tables[0]
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
    data = SweepData("s", ["processors", "seed"], runs, ["", "", ""], Path("report.html"))
    assert points(data, "elapsed_us")["mean"].tolist() == [5.0, 7.0]
    page = sweep_page(data)
    assert page.warnings == ["1 of 3 runs did not finish; they are in no curve; crosses mark them."]
    words = SweepData("s", ["lock"], runs.assign(lock="read"), ["", "", ""], data.page)
    assert "no axis" in curves(words).missing


def test_a_folder_without_a_table_is_a_user_error(tmp_path):
    (tmp_path / "runs").mkdir()
    assert is_sweep(tmp_path)
    with pytest.raises(UserError, match="no table of a sweep"):
        write_report([tmp_path])


def two_sweeps(folder: Path) -> Path:
    """A folder with the tables of the sweeps `first` and `second`."""
    folder.mkdir()
    for name, time_us in (("first", 5.0), ("second", 7.0)):
        (folder / f"{name}.csv").write_text(f"processors,status,elapsed_us\n1,finished,{time_us}\n")
        (folder / f"{name}-host.csv").write_text("processors,status,run\n1,finished,\n")
    return folder


def test_of_several_sweeps_in_a_folder_one_must_be_named(tmp_path):
    both = two_sweeps(tmp_path / "both")
    with pytest.raises(UserError, match=r"several sweeps; name one: .*both/first, .*both/second"):
        write_report([both])
    assert load_sweep(both / "second").runs["elapsed_us"].tolist() == [7.0]
    assert write_report([both / "second"]) == both / "second-report.html"
    assert "Sweep second" in (both / "second-report.html").read_text()
    with pytest.raises(UserError, match="no such folder"):
        write_report([both / "third"])


def test_the_command_opens_the_page_it_wrote(tmp_path, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or len(opened) == 1)
    sweep = str(two_sweeps(tmp_path / "both") / "first")
    page = tmp_path / "both" / "first-report.html"
    for expected in ("", "no browser was found"):
        result = CliRunner().invoke(app, ["report", sweep, "--open"])
        assert result.exit_code == 0
        assert f"wrote {page}" in result.output
        assert expected in result.output
    assert opened == [page.as_uri()] * 2
    CliRunner().invoke(app, ["report", sweep])
    assert len(opened) == 2


@NEEDS_SIMULATOR
def test_two_runs_are_compared_key_by_key_and_chart_by_chart(tmp_path):
    small = {"guest__args__increments": 120}
    folders = [
        quickstart(tmp_path / lock, guest__args__lock=lock, **small) for lock in ("read", "backoff")
    ]
    a, b = (load_run(folder) for folder in folders)
    page = comparison_page(a, b)
    config, results = page.sections[-1].tables
    assert config.rows == [["guest.args.lock", "read", "backoff"]]
    rows = {row[0]: row[1:] for row in results.rows}
    before, after = a.summary["simulated_us"], b.summary["simulated_us"]
    assert rows["simulated_us"][:2] == [before, after]
    assert rows["simulated_us"][2] == pytest.approx(after - before, abs=1e-6)
    assert rows["simulated_us"][3] == pytest.approx(after / before, abs=1e-6)
    (slow, name, lock), (fast, other, against) = sorted(
        [(before, "A", "read"), (after, "B", "backoff")], reverse=True
    )
    assert page.opening.headline == (
        f"With guest.args.lock = {lock}, {name} took {number(slow / fast)} times as long as "
        f"{other} with {against}: {time(slow)} against {time(fast)}."
    )
    assert headline(a, a) == f"A took as long as B: {time(before)}."
    assert [tile.label[:2] for tile in page.opening.tiles] == ["A:"] * 4 + ["B:"] * 4
    [lock] = a.summary["locks"]
    assert rows["lock wait per acquisition (us)"][0] == pytest.approx(lock["mean_wait_us"])
    waiting = sum(p["states_us"]["waiting"] for p in b.processors)
    assert rows["waiting (us)"][1] == pytest.approx(waiting, abs=1e-6)
    for section in page.sections[:-1]:
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
