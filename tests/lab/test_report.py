# SPDX-License-Identifier: MIT
"""The report in a browser, opened from disk: it draws, filters, changes colours, needs no network.

Chromium is Debian's package (scripts/install.sh).
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from report_runs import BINARY, ROOT, guest_test, quickstart, run_data, run_folder
from symlab import sweep
from symlab.errors import RunFailed
from symlab.report import write_report

CHROMIUM = shutil.which("chromium")
__all__ = ["run_data", "run_folder"]  # fixtures

pytestmark = [
    pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator"),
    pytest.mark.skipif(not CHROMIUM, reason="no chromium; scripts/install.sh installs it"),
]

PATIENCE_MS = 300_000  # host time; plotly.js is 5 MB of script, and the host may be busy

# For each chart, the number of its traces and the number of elements that show data.
DRAWN = """() => [...document.querySelectorAll('.chart')].map(node => [
    node.id, node.data.length,
    node.querySelectorAll(
        '.points path, path.js-line, path.js-fill, .hm image, .slice path').length])"""
POINTS = {
    "machine.processors": [1, 2],
    "guest.args.lock": ["read", "backoff"],
    "guest.args.increments": 50,
    "run.seed": [1, 2],
}
SERIES = "id => document.getElementById(id).data.map(trace => [trace.name, [...trace.x]])"


class Opened:
    """An open page, with its network requests and its error messages."""

    def __init__(
        self,
        browser: Browser,
        file: Path,
        scheme: Literal["light", "dark"] = "light",
        size: tuple[int, int] = (1300, 900),
    ) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        viewport: Any = {"width": size[0], "height": size[1]}
        context = browser.new_context(color_scheme=scheme, viewport=viewport)
        self.page: Page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.set_default_timeout(PATIENCE_MS)
        self.url = file.resolve().as_uri()
        self.page.goto(self.url)
        self.page.wait_for_function("document.documentElement.dataset.drawn === 'true'")

    def close(self) -> None:
        self.assert_clean()
        self.page.context.close()

    def settle(self) -> None:
        """Waits until the effect of a click has been drawn."""
        self.page.evaluate("() => drawAll()")

    def series(self, chart: str) -> list[tuple[str, list[float]]]:
        return [(name, x) for name, x in self.page.evaluate(SERIES, chart)]

    def visible_rows(self, table: str) -> int:
        return self.page.locator(f"#{table} tbody tr:visible").count()

    def unfold(self, table: str) -> None:
        self.page.locator(f"#{table}").evaluate("node => node.closest('details').open = true")

    def choose(self, key: str, *wanted: str, all: bool = False) -> None:
        box = self.page.locator(f".filter[data-key={key}]")
        box.locator("summary").click()
        box.get_by_role("button", name="all" if all else "none").click()
        for value in wanted:
            box.get_by_label(value, exact=True).check()
        box.locator("summary").click()
        self.settle()

    def show_all(self) -> None:
        for box in self.page.locator(".filter").all():
            if box.locator("output").inner_text() != "all":
                self.choose(box.get_attribute("data-key") or "", all=True)
        for entry in self.page.locator(".legend [aria-pressed=false]").all():
            entry.click()
        for view in self.page.locator("figcaption select").all():
            view.select_option(index=0)
        self.page.locator("#window [type=reset]").click()
        self.settle()

    def assert_clean(self) -> None:
        assert self.complaints == []
        assert self.requests == [self.url]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # If started by root, Chromium refuses to run with its sandbox.
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def file(run_folder: Path) -> Path:
    return write_report([run_folder])


@pytest.fixture(scope="module")
def shared(browser: Browser, file: Path) -> Opened:
    return Opened(browser, file)


@pytest.fixture
def opened(shared: Opened) -> Iterator[Opened]:
    """The shared page in its initial state. Undoing a test's choices is faster than reopening."""
    yield shared
    shared.assert_clean()
    shared.show_all()


def assert_all_drawn(opened: Opened) -> None:
    charts = opened.page.evaluate(DRAWN)
    assert charts
    for name, traces, elements in charts:
        assert traces > 0, name
        assert elements > 0, name


def test_every_chart_has_its_traces_and_titles_with_units(opened):
    assert_all_drawn(opened)
    for chart in opened.page.locator(".chart").all():
        titles = chart.locator(".xtitle, .ytitle").all_text_contents()
        assert len(titles) == 2, chart.get_attribute("id")
        assert all(titles)
    links = opened.page.locator("nav a")
    for link in links.all():
        assert opened.page.locator(f"section{link.get_attribute('href')}").count() == 1


def test_tables_and_texts_start_folded(opened):
    folded = opened.page.locator("details.table")
    assert folded.count() > 8
    assert opened.page.locator("details.table[open]").count() == 0
    assert opened.page.locator("section").last.get_attribute("id") == "provenance"


def test_a_click_in_the_legend_hides_a_curve(opened):
    entry = opened.page.locator("figure:has(#bus-time) .legend button", has_text="spin")
    shown = "() => document.getElementById('bus-time').data.map(t => [t.name, t.visible ?? true])"
    assert dict(opened.page.evaluate(shown))["spin"] is True
    entry.click()
    opened.settle()
    assert dict(opened.page.evaluate(shown))["spin"] == "legendonly"
    entry.click()
    opened.settle()
    assert dict(opened.page.evaluate(shown))["spin"] is True


def test_the_processor_filter_hides_bars_and_rows(opened):
    opened.unfold("processor-table")
    assert opened.visible_rows("processor-table") == 4
    opened.choose("processor", "1", "3")
    assert opened.visible_rows("processor-table") == 2
    for _, x in opened.series("processor-time"):
        assert x == [1, 3]
    assert opened.page.locator(".filter[data-key=processor] output").inner_text() == "2 of 4"
    assert opened.series("bus-time")[0][1][0] == 0  # unchanged, since it is not by processor
    opened.choose("processor", all=True)
    assert opened.visible_rows("processor-table") == 4


def test_a_chart_shows_the_view_that_is_chosen(opened):
    assert "spin" in dict(opened.series("bus-time"))
    opened.page.get_by_label("View of The bus over time").select_option("by kind of transaction")
    opened.settle()
    names = dict(opened.series("bus-time"))
    assert "locked_read" in names and "spin" not in names


def test_the_time_window_applies_to_all_charts_over_time(opened):
    ranges = "id => document.getElementById(id)._fullLayout.xaxis.range"
    whole = opened.page.evaluate(ranges, "bus-time")
    opened.page.locator("#window [name=from]").fill("1000")
    opened.page.locator("#window [name=to]").fill("2500.5")
    opened.page.get_by_role("button", name="show time").click()
    opened.settle()
    assert opened.page.evaluate(ranges, "bus-time") == [1000, 2500.5]
    assert opened.page.evaluate(ranges, "bus-queue") == [1000, 2500.5]
    assert opened.page.evaluate(ranges, "processor-time") != [1000, 2500.5]
    opened.page.locator("#window [type=reset]").click()
    opened.settle()
    assert opened.page.evaluate(ranges, "bus-time") == whole


def test_zooming_into_one_chart_zooms_the_others(opened):
    opened.page.evaluate(
        "() => Plotly.relayout('bus-queue', {'xaxis.range[0]': 500, 'xaxis.range[1]': 700})"
    )
    opened.settle()
    got = opened.page.evaluate("() => document.getElementById('bus-time')._fullLayout.xaxis.range")
    assert got == [500, 700]
    assert opened.page.locator("#window [name=to]").input_value() == "700"


def test_the_highest_label_of_a_y_axis_does_not_move_the_margin(opened):
    """With these values the highest label is at the axis's end. Had it moved the margin, the labels
    would have become fewer, and moved it back: Plotly warns of such a loop."""
    opened.page.evaluate("() => Plotly.restyle('fairness-chart', {y: [[171, 88, 170, 171]]})")
    opened.settle()


def test_tables_are_sorted_by_number(opened):
    opened.unfold("bus-use")
    header = opened.page.locator("#bus-use th button", has_text="busy_us")
    cells = opened.page.locator("#bus-use tbody td:nth-child(4)")
    header.click()
    rising = [float(text.replace(",", "")) for text in cells.all_inner_texts()]
    assert rising == sorted(rising)
    assert rising[0] < rising[-1]
    header.click()
    assert [float(t.replace(",", "")) for t in cells.all_inner_texts()] == rising[::-1]


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "logged"
    quickstart(folder, guest__args__increments=80, observe__transactions=True)
    (folder / "profile.folded").write_text("spin;main;run 3\nuser;main 1\n")
    return folder


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "swept"
    sweep(
        ROOT / "papers/ALL/figures/figure-4.1.toml",
        out=folder,
        jobs=2,
        settings=POINTS,
        simulator=BINARY,
    )
    return folder


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "crashed"
    with pytest.raises(RunFailed):
        quickstart(folder, guest__image=guest_test("crash"), observe__transactions=True)
    return folder


BOTTOMS = """() => [...document.querySelectorAll('#headline, .tile, #opening figure')].map(
    node => node.getBoundingClientRect().bottom)"""
FIGURES = {"crashed": 2, "logged": 2, "pair": 4, "run_folder": 2, "swept": 2}


@pytest.mark.parametrize("kind", FIGURES)
def test_the_opening_fits_the_first_screen_and_a_telephone_scrolls_one_way(
    browser, tmp_path, request, kind
):
    if kind == "pair":
        folders = [request.getfixturevalue("logged"), request.getfixturevalue("crashed")]
    else:
        folders = [request.getfixturevalue(kind)]
    file = write_report(folders, tmp_path / "page.html")
    opened = Opened(browser, file, size=(1400, 1000))
    bottoms = opened.page.evaluate(BOTTOMS)
    assert opened.page.locator("#opening figure").count() == FIGURES[kind]
    assert len(bottoms) >= 1 + 4 + FIGURES[kind]
    assert max(bottoms) <= 1000
    opened.page.set_viewport_size({"width": 390, "height": 844})
    opened.settle()
    assert opened.page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert not opened.page.locator("nav").is_visible()
    opened.page.locator("#menu > summary").click()
    opened.page.locator("nav a").last.click()
    assert not opened.page.locator("nav").is_visible()
    assert opened.page.evaluate("() => scrollX") == 0
    opened.close()


# The toolbar of each chart: how far its buttons reach into the plot area, in pixels.
TOOLBARS = """() => [...document.querySelectorAll('.chart')].map(node => {
    const { l, w, t, h } = node._fullLayout._size, box = node.getBoundingClientRect();
    const buttons = [...node.querySelectorAll('.modebar-btn')].map(b => b.getBoundingClientRect());
    return [node.id, buttons.length, box.left + l + w - Math.min(...buttons.map(b => b.left)),
            Math.max(...buttons.map(b => b.bottom)) - box.bottom,
            Math.max(...buttons.map(b => b.right)) - box.right]; })"""


@pytest.mark.parametrize("kind", ["logged", "swept", "pair"])
def test_the_toolbar_of_a_chart_is_beside_its_data(browser, tmp_path, request, kind):
    names = ["logged", "crashed"] if kind == "pair" else [kind]
    folders = [request.getfixturevalue(name) for name in names]
    opened = Opened(browser, write_report(folders, tmp_path / "page.html"))
    toolbars = opened.page.evaluate(TOOLBARS)
    assert len(toolbars) >= 3
    for chart, buttons, over_data, below, right in toolbars:
        assert buttons >= 2, chart
        assert over_data <= 0.5 and below <= 0.5 and right <= 0.5, (chart, over_data, below, right)
    opened.close()


# Of the charts of two runs: the range of the axis of values.
RANGES = """() => [...document.querySelectorAll('.chart')].map(node => {
    const across = node.data.some(trace => trace.type === 'bar' && trace.orientation === 'h');
    return [node.id, node._fullLayout[across ? 'xaxis' : 'yaxis']?.range,
            node._fullLayout.xaxis?.range]; })"""


def test_charts_of_two_runs_are_in_pairs_with_the_same_scale(browser, run_folder, logged, tmp_path):
    opened = Opened(browser, write_report([run_folder, logged], tmp_path / "page.html"))
    charts = {name: scales for name, *scales in opened.page.evaluate(RANGES)}
    names = [name.removesuffix("-a") for name in charts if name.endswith("-a")]
    assert len(names) >= 5 and len(charts) == 2 * len(names)
    different = [name for name in names if charts[f"{name}-a"] != charts[f"{name}-b"]]
    assert different == [], [(charts[f"{n}-a"], charts[f"{n}-b"]) for n in different]
    opened.close()


def test_pages_of_a_log_a_sweep_and_two_runs_draw_everything(
    browser, run_folder, logged, swept, tmp_path
):
    for folders, charts in (([logged], 11), ([swept], 3), ([run_folder, logged], 12)):
        opened = Opened(browser, write_report(folders, tmp_path / "page.html"), "dark")
        assert opened.page.locator(".chart").count() == charts
        assert_all_drawn(opened)
        if folders == [logged]:
            opened.choose("processor", "2")
            rows = "() => [...document.getElementById('timeline').data[0].y]"
            assert opened.page.evaluate(rows) == [2]
        if folders == [swept]:
            opened.choose("curve", "backoff")
            assert [name for name, _ in opened.series("curve-any")] == ["backoff after release"]
        opened.close()


@pytest.fixture(scope="module")
def partly_failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of `symlab compare` whose lock `mine` finished once and `stuck` nowhere."""
    folder = tmp_path_factory.mktemp("page") / "partly"
    folder.mkdir()
    rows = [
        (p, lock, seed, 1000.123456 * p + seed, "finished")
        if lock == "mcs" or (lock, p) == ("mine", 1)
        else (p, lock, seed, "", "deadlock")
        for lock in ("mine", "mcs", "stuck")
        for p in (1, 2, 4)
        for seed in (1, 2)
    ]
    columns = "processors,lock,seed,elapsed_us,status"
    lines = [columns, *(",".join(map(str, row)) for row in rows)]
    (folder / "s.csv").write_text("\n".join(lines) + "\n")
    host = ["processors,lock,seed,status,run", *(f"{p},{k},{s},{e}," for p, k, s, _, e in rows)]
    (folder / "s-host.csv").write_text("\n".join(host) + "\n")
    (folder / "s.toml").write_text('figure.own = "mine"\nfigure.log = "y"\nfigure.title = "T"\n')
    return folder


SCALES = """() => { const {xaxis, yaxis} = document.getElementById('curve-elapsed-us')._fullLayout;
    return [xaxis.type, yaxis.type]; }"""
LEGEND = "figure:has(#curve-elapsed-us) .legend button"


def test_a_page_about_a_sweep_marks_failures_and_has_values_and_log_axes(
    browser, partly_failed, tmp_path
):
    opened = Opened(browser, write_report([partly_failed], tmp_path / "page.html"))
    page = opened.page
    names = page.locator(LEGEND).all_inner_texts()
    assert [name.removeprefix("\u2715 ") for name in names] == [
        "mine", "deadlock", "MCS, exchange only", "stuck: deadlock",
    ]  # fmt: skip
    assert page.locator(f"{LEGEND}.own").all_inner_texts() == ["mine"]
    assert page.evaluate(SCALES) == ["linear", "log"]
    figure = page.locator("figure:has(#curve-elapsed-us)")
    figure.locator("[data-log=y]").uncheck()
    figure.locator("[data-log=x]").check()
    opened.settle()
    assert page.evaluate(SCALES) == ["log", "linear"]
    table = figure.locator(".values")
    assert not table.locator("table").is_visible()
    table.locator("summary").click()
    rows = [row.split("\t") for row in table.locator("table").inner_text().splitlines()]
    assert rows == [
        ["processors", "mine", "MCS, exchange only", "stuck"],
        ["1", "1,001.6", "1,001.6", "deadlock"],
        ["2", "deadlock", "2,001.7", "deadlock"],
        ["4", "deadlock", "4,002.0", "deadlock"],
    ]
    opened.choose("curve", "mcs")
    assert len(table.locator("th").all()) == 2
    opened.close()


def luminance(colour: str) -> float:
    red, green, blue = (int(part) for part in colour.strip("rgb()").split(","))
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def colours(opened: Opened) -> tuple[float, float, float]:
    """Luminance of a card's background, of a chart's background and of its text."""
    page = opened.page
    body = page.evaluate("() => getComputedStyle(document.querySelector('.tile')).backgroundColor")
    layout = page.evaluate("() => document.getElementById('bus-time')._fullLayout.paper_bgcolor")
    text = page.evaluate("() => getComputedStyle(document.querySelector('#bus-time .xtitle')).fill")
    return luminance(body), luminance(layout), luminance(text)


def test_charts_follow_the_light_or_dark_scheme_and_the_toggle(browser, file):
    for scheme in ("light", "dark"):
        opened = Opened(browser, file, scheme)
        page, chart, text = colours(opened)
        assert page == chart
        assert (page > 0.9 and text < 0.2) if scheme == "light" else (page < 0.2 and text > 0.8)
        opened.page.locator("#theme").click()
        opened.settle()
        page, chart, text = colours(opened)
        assert page == chart
        assert (page < 0.2 and text > 0.8) if scheme == "light" else (page > 0.9 and text < 0.2)
        opened.close()
