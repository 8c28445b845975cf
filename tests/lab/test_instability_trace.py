# SPDX-License-Identifier: MIT
"""ALL Figure 5.4 over time: spinners and sections in bins, from hand-made transaction logs."""

from itertools import chain

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from doc_tables import ROOT
from matplotlib.figure import Figure as Canvas
from symlab.errors import UserError
from symlab.results.manifest import LOG
from symlab.results.transactions import SCHEMAS
from symlab.runs.one_run import Run
from symlab_papers.papers.ALL.figures import all_5_4_trace as trace

START_US = 50_000  # the first processor leaves the barrier
BEGIN_US = START_US + trace.BEGIN_US
END_US = BEGIN_US + trace.BINS * trace.BIN_US
COLUMNS = [f"bin_{n}_{name}" for name in ("spinners", "section_us") for n in range(trace.BINS)]


def ps(us: float) -> int:
    return round(us * 1_000_000)


def mark(us: float, processor: int, probe: str, symbol: str = "ready_lock") -> dict:
    known = {"time_ps": ps(us), "processor": processor, "probe": probe, "symbol": symbol}
    return {"what": "probe", "activity": "", "value": 0, "address": 0} | known


def change(us: float, processor: int, activity: str) -> dict:
    return mark(us, processor, "", "") | {"what": "activity", "activity": activity}


def attempt(us: float, processor: int = 0, **where: str) -> list[dict]:
    return [mark(us, processor, "lock_attempt", **where)]


def acquired(us: float, processor: int = 0, **where: str) -> list[dict]:
    taken = mark(us, processor, "lock_acquired", **where)
    return [taken, change(us, processor, "critical")]


def release(us: float, processor: int = 0, **where: str) -> list[dict]:
    """A release that is complete at `us`; its instruction began 2 us before."""
    begun = mark(us - 2, processor, "lock_release", **where)
    return [begun, change(us, processor, "threads")]


def begins(us: float = START_US, processor: int = 0) -> list[dict]:
    return [mark(us, processor, "region_begin", symbol="")]


@pytest.fixture
def measured(tmp_path):
    """A function that measures a run with these marks, whose log covers `from_us` to `to_us`."""

    def of(
        *marks: list[dict], from_us: float = BEGIN_US, to_us: float = END_US
    ) -> dict[str, float]:
        rows = sorted(chain(begins(), *marks), key=lambda row: row["time_ps"])
        return measured_of(rows, from_us, to_us)

    def measured_of(rows: list[dict], from_us: float, to_us: float) -> dict[str, float]:
        middle = (from_us + to_us) / 2
        states = [
            {"start_ps": ps(a), "end_ps": ps(b), "processor": p, "state": "waiting"}
            for p, a, b in ((0, from_us, middle), (1, from_us, to_us), (0, middle, to_us))
        ]
        (tmp_path / LOG).touch()
        for name, table in {"bus": [], "marks": rows, "states": states}.items():
            pq.write_table(pa.Table.from_pylist(table, SCHEMAS[name]), tmp_path / f"{name}.parquet")
        return trace.measure(Run(tmp_path, {}))

    of.rows = measured_of
    return of


def values(row: dict[str, float], name: str) -> dict[int, float]:
    """Bin -> value, for the bins whose value is neither 0 nor missing."""
    found = {n: row[f"bin_{n}_{name}"] for n in range(trace.BINS)}
    return {n: value for n, value in found.items() if value and not pd.isna(value)}


def test_a_wait_counts_proportionally_in_each_bin(measured):
    row = measured(
        attempt(BEGIN_US + 400), acquired(BEGIN_US + 1250), release(BEGIN_US + 1260),
        attempt(BEGIN_US + 1100, 1), acquired(BEGIN_US + 1350, 1), release(BEGIN_US + 1380, 1),
    )  # fmt: skip
    assert list(row) == COLUMNS
    assert values(row, "spinners") == {0: 0.2, 1: 1.0, 2: 1.0}
    assert values(row, "section_us") == {2: 20.0}, "the mean of 10 and 30"


def test_a_section_belongs_to_the_bin_it_begins_in(measured):
    border = BEGIN_US + 5 * trace.BIN_US
    row = measured(
        acquired(border - 10), release(border + 30),
        acquired(border, 1), release(border + 6, 1),
    )  # fmt: skip
    assert values(row, "section_us") == {4: 40.0, 5: 6.0}


def test_a_bin_without_a_section_has_no_length_but_no_spinners(measured):
    row = measured()
    assert all(pd.isna(row[f"bin_{n}_section_us"]) for n in range(trace.BINS))
    assert all(row[f"bin_{n}_spinners"] == 0.0 for n in range(trace.BINS))


def test_only_the_ready_queues_lock_and_its_holder_count(measured):
    other = {"symbol": "memory_lock"}
    row = measured(
        attempt(START_US + 10, **other), acquired(START_US + 90, **other),
        attempt(START_US + 100), acquired(START_US + 200), release(START_US + 207),
        [change(START_US + 206, 1, "idle")],
        release(START_US + 300, **other),
    )  # fmt: skip
    assert values(row, "spinners") == {4: 0.2}
    assert values(row, "section_us") == {4: 7.0}


def test_a_wait_that_began_before_the_log_counts_from_its_beginning(measured):
    row = measured(acquired(BEGIN_US + 750), release(BEGIN_US + 760), acquired(BEGIN_US + 900))
    assert values(row, "spinners") == {0: 1.0, 1: 0.5}, "the second needs no attempt: it has none"


def test_events_before_the_first_bin_do_not_count(measured):
    row = measured(
        acquired(BEGIN_US - 900, 1), release(BEGIN_US - 890, 1),
        attempt(BEGIN_US - 700), acquired(BEGIN_US - 600), release(BEGIN_US - 500),
        attempt(BEGIN_US - 100), acquired(BEGIN_US + 100), release(BEGIN_US + 103),
        from_us=BEGIN_US - 1000,
    )  # fmt: skip
    assert values(row, "spinners") == {0: 0.2}
    assert values(row, "section_us") == {0: 3.0}


def test_waits_and_sections_that_outlast_the_log(measured):
    """Such a wait lasts to the end of the log; the length of such a section is unknown."""
    last = trace.BINS - 1
    row = measured(
        attempt(END_US - 600), attempt(END_US + 50, 2),
        acquired(END_US - 300, 1), release(END_US - 290, 1), acquired(END_US - 100, 1),
        attempt(END_US - 20, 3), acquired(END_US - 20, 3), release(END_US - 10, 3)[:1],
        to_us=END_US + 100,
    )  # fmt: skip
    spinners = values(row, "spinners")
    assert (spinners[last - 1], spinners[last]) == (1.2, 1.4), "processor 1 from before the log on"
    assert values(row, "section_us") == {last: 10.0}


def test_bins_that_the_log_covers_only_in_part_have_no_numbers(measured):
    row = measured(from_us=BEGIN_US + 1, to_us=END_US - 1)
    assert [n for n in range(trace.BINS) if pd.isna(row[f"bin_{n}_spinners"])] == [
        0,
        trace.BINS - 1,
    ]
    assert not any(pd.isna(measured()[f"bin_{n}_spinners"]) for n in range(trace.BINS))


def test_time_counts_from_the_first_processor_that_begins(measured):
    row = measured(begins(START_US + 700, 1), attempt(START_US), acquired(START_US + 250))
    assert values(row, "spinners") == {-trace.BEGIN_US // trace.BIN_US: 0.5}


def test_the_error_for_a_log_without_the_start_names_the_config_key(measured):
    with pytest.raises(UserError, match=r'observe\.window\.around = "region_begin"'):
        measured.rows(attempt(START_US), BEGIN_US, END_US)


def frame() -> pd.DataFrame:
    """Runs with 64 and 4 processors, and a failed one.

    In bin n there are n + processors / 100 spinners, and a section takes 10 n us. Its length is
    missing in bin 0.
    """
    rows = []
    for processors, status in ((64, "finished"), (4, "finished"), (32, "deadlock")):
        row = {"processors": processors, "status": status}
        for n in range(trace.BINS):
            row[f"bin_{n}_spinners"] = n + processors / 100
            row[f"bin_{n}_section_us"] = 10.0 * n if n else None
        rows.append(row)
    return pd.DataFrame(rows)


def test_the_series_has_one_row_per_bin():
    data = trace.series(frame())
    assert list(data) == ["processors", "time_us", "spinners", "section_us"]
    assert list(data["processors"]) == [4] * trace.BINS + [64] * trace.BINS
    at = data.set_index(["processors", "time_us"])
    assert at.index.is_unique
    assert list(at.loc[64].index[[0, 1, -1]]) == [-2000, -1500, 17500]
    assert tuple(at.loc[(4, -1500)]) == (1.04, 10.0)
    assert tuple(at.loc[(64, 0)]) == (4.64, 40.0)
    assert at.loc[(64, -2000), "section_us":].isna().all()


def test_without_a_finished_run_there_are_no_rows():
    assert trace.series(frame().assign(status="deadlock")).empty


def test_spinners_are_drawn_above_the_section():
    canvas = Canvas()
    trace.draw(canvas.add_subplot(), trace.series(frame()))
    above, below = canvas.axes
    assert (above.get_ylabel(), below.get_ylabel()) == ("Spinners", "Section (us)")
    assert below.get_xlabel() == "Time from the common start (ms)"
    assert above.get_subplotspec().rowspan.start < below.get_subplotspec().rowspan.start
    for panel, last in ((above, trace.BINS - 1 + 0.64), (below, 10.0 * (trace.BINS - 1))):
        drawn = panel.patches[-1].get_data()
        assert (drawn.values[-1], drawn.edges[0], drawn.edges[-1]) == (last, -2.0, 18.0)
        assert panel.get_ylim()[0] == 0
    legend = [text.get_text() for text in above.get_legend().get_texts()]
    assert legend[-1] == "64 processors" and len(legend) == len(below.patches) == 2


def test_nothing_to_draw_is_no_error():
    trace.draw(Canvas().add_subplot(), trace.series(frame().iloc[:0]))


def test_the_configs_window_covers_all_bins():
    settings = (ROOT / "papers/ALL/figures/figure-5.4-trace.toml").read_text()
    assert 'around = "region_begin"' in settings
    around_us = int(settings.split("around_us = ")[1].split()[0])
    assert around_us >= max(-trace.BEGIN_US, trace.BEGIN_US + trace.BINS * trace.BIN_US)


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(ROOT / "papers" / "ALL" / "results" / "figure-5.4-trace.csv").set_index(
        "processors"
    )


def test_the_documents_statements_agree_with_the_committed_numbers(committed):
    """With 32 and 40 processors the crowd of spinners dissolves. Spinners and section length rise
    together with 32 and 40 processors."""
    later = committed[committed["time_us"] >= 3000]
    assert committed.loc[committed["time_us"] < 0, "spinners"].max() < 0.02
    assert [round(later.loc[p, "spinners"].min()) for p in (32, 40, 64)] == [0, 0, 23]
    settled = committed[committed["time_us"] >= 8000]
    together = [settled.loc[p, "spinners"].corr(settled.loc[p, "section_us"]) for p in (32, 40, 64)]
    assert [f"{r:.2f}" for r in together] == ["0.71", "0.74", "-0.05"]
