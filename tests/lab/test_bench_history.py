# SPDX-License-Identifier: MIT
"""The speed of the host in the benchmark's verdicts, the history of measurements, and its curve."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from doc_tables import DOCS, ROOT, names_behind
from symlab.errors import LabError, UserError
from symlab.results.loading import read_table
from symlab_papers import host as host_speed
from symlab_papers.host import find_parts, kernel_wake_ns, normalised
from symlab_tools.bench import history, page, speed_over_time, timing
from symlab_tools.bench import terminal as bench_terminal
from symlab_tools.bench.scenarios import FOLDER, NORMALISED, SCENARIOS, SLOWDOWN, Scenario

BINARY = os.environ.get("SYMSIM_BINARY", "")
HITS = Scenario(FOLDER / "hits.toml", 0.25)
FACTS = {
    "cpu": "some", "cores": 2, "kernel": "Linux 6", "compiler": "gcc 12", "commit": "abc",
    "changed_since_commit": False, "date": "2026-01-02 03:04 UTC",
}  # fmt: skip


def measured(
    monkeypatch: pytest.MonkeyPatch, slowdowns: list[float], wakes: list[float]
) -> pd.DataFrame:
    """The runs of `hits` with these slowdowns. `wakes`: kernel_wake before, between, after them."""
    left, given = iter(slowdowns), iter(wakes)

    def timed_run(config: Path, settings: object, simulator: Path | None) -> dict[str, object]:
        slowdown = next(left)
        return {
            "simulated_us": 1e6, "instructions": 10, "cpu_s": slowdown, "slowdown": slowdown,
            "mips": 1.0, "ns_per_instruction": 1.0, "peak_rss_mb": 1.0, "compiler": "gcc 12",
        }  # fmt: skip

    monkeypatch.setattr(timing, "timed_run", timed_run)
    return timing.measure([HITS], len(slowdowns), lambda: next(given))


def test_a_slowdown_is_normalised_to_a_host_that_wakes_a_process_in_47_ns():
    assert normalised(0.5, 94) == 0.25
    assert normalised(0.5, 47) == 0.5


def test_the_kernel_wake_of_a_run_is_the_mean_of_before_and_after_it(monkeypatch):
    runs = measured(monkeypatch, [0.5, 1.0, 3.0], [84, 104, 272, 100])
    assert runs["kernel_wake_ns"].tolist() == [94, 188, 186]
    assert runs[NORMALISED].tolist() == pytest.approx([0.25, 0.25, 3 * 47 / 186])


def test_a_slow_host_changes_no_verdict(monkeypatch):
    for factor in (1, 3):  # in the slow host's time, all takes three times as long
        runs = measured(monkeypatch, [0.5 * factor] * 3, [94 * factor] * 4)
        (row,) = timing.judged(runs, [HITS]).to_dict("records")
        assert (row["judged"], row["value"], row["verdict"]) == (NORMALISED, 0.25, "holds")
        runs = measured(monkeypatch, [0.51 * factor] * 3, [94 * factor] * 4)
        assert timing.judged(runs, [HITS])["verdict"].tolist() == ["fails"]


def test_the_median_of_the_normalised_runs_is_judged_not_the_ratio_of_medians(monkeypatch):
    runs = measured(monkeypatch, [0.2, 0.3, 0.9], [47, 47, 47, 235])  # the third at 141 ns
    (row,) = timing.judged(runs, [HITS]).to_dict("records")
    assert (row["slowdown"], row["kernel_wake_ns"], row["value"]) == (0.3, 47, 0.3)


def fake_parts(folder: Path, printed: str) -> Path:
    path = folder / "tests" / "bench_parts"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\necho '{printed}'\n")
    path.chmod(0o755)
    return path


def test_kernel_wake_is_the_time_of_an_item(tmp_path):
    report = {"benchmarks": [{"name": "kernel_wake", "items_per_second": 2e7, "cpu_time": 9.0}]}
    parts = fake_parts(tmp_path, json.dumps(report))
    assert kernel_wake_ns(parts) == 50
    assert find_parts(tmp_path / "symsim") == parts, "that of the same build"


@pytest.mark.parametrize("printed", ["", '{"benchmarks": []}', '{"benchmarks": [{"name": "x"}]}'])
def test_a_benchmark_that_measures_nothing_is_an_error(printed, tmp_path):
    with pytest.raises(LabError, match="bench_parts: measured no kernel_wake: exit code 0"):
        kernel_wake_ns(fake_parts(tmp_path, printed))


def test_parts_that_are_not_built_are_named_with_the_command_that_builds_them(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(host_speed, "ROOT", tmp_path)
    missing = tmp_path / "build" / "release" / "tests" / "bench_parts"
    with pytest.raises(UserError, match=f"{missing} is not built; .* `make build-tests`"):
        find_parts(tmp_path / "elsewhere" / "symsim")


# ---- history.csv ----


def test_a_measurement_appends_a_row_for_each_scenario_and_keeps_the_earlier_ones(
    monkeypatch, tmp_path
):
    runs = measured(monkeypatch, [0.5, 0.6], [90, 98, 106])
    mine = runs.assign(config="mine")
    both = pd.concat([runs, mine])
    speeds = timing.judged(both, [HITS, Scenario(FOLDER / "mine.toml")])
    rows = history.rows(speeds, both, FACTS)
    assert rows["config"].tolist() == ["hits"], "mine is not a scenario"
    path = history.append(tmp_path / "new", rows)
    first = path.read_bytes()
    history.append(tmp_path / "new", rows.assign(date="2026-01-03 00:00 UTC", slowdown=9.5))
    assert path.read_bytes().startswith(first)
    found = history.load(tmp_path / "new")
    assert list(found.columns) == history.COLUMNS
    assert found["slowdown"].tolist() == [0.55, 9.5]
    one = found.iloc[0]
    assert one[history.WAKES].tolist() == [98, 94, 102]
    assert (one["commit"], one["runs"], one["changed_since_commit"]) == ("abc", 2, False)


def test_a_history_with_other_columns_gets_no_row(monkeypatch, tmp_path):
    runs = measured(monkeypatch, [0.5], [94, 94])
    (tmp_path / history.FILE).write_text("commit\nabc\n")
    rows = history.rows(timing.judged(runs, [HITS]), runs, FACTS)
    with pytest.raises(UserError, match=r"history.csv: cannot be read"):
        history.append(tmp_path, rows)
    assert (tmp_path / history.FILE).read_text() == "commit\nabc\n"


def test_the_columns_are_those_that_are_documented():
    assert names_behind("dev/speed-over-time.md", "## The table") == history.COLUMNS


def test_the_committed_rows_agree_with_each_other():
    found = history.load(page.RESULTS)
    expected = found["slowdown"] * host_speed.REFERENCE_WAKE_NS / found["kernel_wake_ns"]
    # Medians of runs, not a median of a ratio: kernel_wake varies within a measurement.
    assert (abs(found[NORMALISED] / expected - 1) < 0.1).all()
    assert (found["kernel_wake_least_ns"] <= found["kernel_wake_ns"]).all()
    assert (found["kernel_wake_ns"] <= found["kernel_wake_most_ns"]).all()
    assert set(found["config"]) <= {scenario.name for scenario in SCENARIOS}
    assert (found["simulated_us"] > 0).all() and found["commit"].str.fullmatch("[0-9a-f]{40}").all()


def test_the_last_measurement_of_the_history_is_that_of_the_table():
    last = history.load(page.RESULTS).drop_duplicates("config", keep="last").set_index("config")
    table = pd.read_csv(page.RESULTS / "bench.csv").set_index("config")
    for column in (*timing.FIXED, SLOWDOWN, timing.WAKE, NORMALISED):
        assert last.loc[table.index, column].tolist() == table[column].tolist(), column


def test_a_binary_outside_of_the_tree_leaves_no_row(monkeypatch, tmp_path, capsys):
    runs = measured(monkeypatch, [0.5], [94, 94])
    rows = history.rows(timing.judged(runs, [HITS]), runs, FACTS)
    bench_terminal._record(tmp_path, tmp_path / "symsim", rows, whole=False)
    assert not list(tmp_path.iterdir())
    assert "not a build of this tree" in capsys.readouterr().err
    bench_terminal._record(tmp_path, ROOT / "symsim", rows, whole=True)
    assert [file.name for file in tmp_path.iterdir()] == [history.FILE], "no page, no picture"


# ---- what docs/dev quotes ----


def test_the_table_of_the_page_is_that_of_the_results():
    text = page.PAGE.read_text(encoding="utf-8")
    current = page.current(read_table(page.RESULTS / "bench.csv"), text)
    assert current == text, f"run `{page.UPDATE}`"


def test_the_page_says_which_verdicts_hold():
    bench = read_table(page.RESULTS / "bench.csv")
    bench.loc[bench["config"] == "hits", ["verdict", "value"]] = ["holds", 0.1]
    text = page.current(bench, page.PAGE.read_text(encoding="utf-8"))
    holding = (bench["verdict"] == "holds").sum()
    assert f"<!--=holding-->{holding}<!--/-->" in text
    assert re.search(r"^\| `hits` \|.* \| holds \|$", text, re.MULTILINE)
    ratio = f"{bench.set_index('config').loc['paged', 'value']:.2f} x `hits`, slowdown"
    assert re.search(rf"^\| `paged` \|.*{ratio} \| 1.25 x `hits` \|", text, re.M)


def points(*values: tuple[str, str, float, bool]) -> pd.DataFrame:
    """A history with only what the picture shows: config, date, normalised slowdown, changed."""
    names = ["config", "date", NORMALISED, "changed_since_commit"]
    return pd.DataFrame(values, columns=names).assign(commit="abc")


def test_the_curve_has_a_point_for_each_measurement_and_the_bound_where_there_is_one():
    text = speed_over_time.draw(
        points(
            ("hits", "2026-01-01 00:00 UTC", 0.4, True),
            ("paged", "2026-01-01 00:00 UTC", 0.4, False),
            ("hits", "2026-01-02 00:00 UTC", 0.2, False),
        )
    )
    shown = text[text.index(">hits<") :]
    hits, paged = shown.split(">paged<")
    paged = paged.split("at most, if it has such a bound")[0]  # the key follows
    assert hits.count("<circle") == 2 and hits.count("stroke-dasharray") == 1
    heights = [
        float(y) for y in re.findall(r'<circle class="f-[\w-]+ s-blue".*?cy="([\d.]+)"', hits)
    ]
    bottom = speed_over_time.TOP + speed_over_time.HEIGHT
    assert heights[0] < heights[1] < bottom
    assert (bottom - heights[0]) / (bottom - heights[1]) == pytest.approx(2, rel=1e-3)
    assert hits.count("f-card s-blue") == 1, "hollow: files differed from the commit"
    assert paged.count("stroke-dasharray") == 1, "only that of the key"
    assert "hits: 0.4 to 0.2; paged: 0.4 to 0.4" in text


def test_the_curve_does_not_depend_on_the_order_of_the_rows():
    rows = history.load(page.RESULTS)
    backwards = rows.iloc[::-1].reset_index(drop=True)
    assert speed_over_time.draw(rows) == speed_over_time.draw(backwards)


@pytest.mark.parametrize(
    ("most", "ticks"), [(0.45, [0, 0.2, 0.4, 0.6]), (1, [0, 0.5, 1]), (7, [0, 2, 4, 6, 8])]
)
def test_ticks_are_round_and_reach_the_largest_value(most, ticks):
    assert speed_over_time._ticks(most) == ticks


@pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")
def test_the_real_benchmark_measures_the_host_and_a_quick_one_leaves_no_history(tmp_path):
    parts = Path(BINARY).resolve().parent / "tests" / "bench_parts"
    if not parts.is_file():
        pytest.skip("bench_parts is not built")
    assert 5 < kernel_wake_ns(parts) < 5000
    command = [sys.executable, "-m", "symlab", "bench", "--quick", "--out", str(tmp_path), "hits"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (run,) = pd.read_csv(tmp_path / "bench-runs.csv").to_dict("records")
    assert run[NORMALISED] == pytest.approx(normalised(run["slowdown"], run["kernel_wake_ns"]))
    assert not (tmp_path / history.FILE).exists()


def test_the_page_of_the_curve_is_linked():
    assert "(speed-over-time.md)" in (DOCS / "dev" / "performance.md").read_text()
