# SPDX-License-Identifier: MIT
"""The report in a browser, opened from disk: it draws, filters, changes colours, needs no network.

Chromium is Debian's package (scripts/install.sh).
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from report_runs import BINARY, ROOT, quickstart, run_data, run_folder
from symlab import sweep
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

    def __init__(self, browser: Browser, file: Path, scheme: str = "light") -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        context = browser.new_context(color_scheme=scheme, viewport={"width": 1300, "height": 900})
        self.page: Page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.set_default_timeout(PATIENCE_MS)
        self.url = file.resolve().as_uri()
        self.page.goto(self.url)
        self.page.wait_for_function("document.documentElement.dataset.drawn === 'true'")

    def settle(self) -> None:
        """Waits until the effect of a click has been drawn."""
        self.page.evaluate("() => drawAll()")

    def series(self, chart: str) -> list[tuple[str, list[float]]]:
        return [(name, x) for name, x in self.page.evaluate(SERIES, chart)]

    def visible_rows(self, table: str) -> int:
        return self.page.locator(f"#{table} tbody tr:visible").count()

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


def test_the_processor_filter_hides_bars_and_rows(opened):
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
    opened.page.get_by_label("View of Utilisation").select_option("by kind of transaction")
    opened.settle()
    names = dict(opened.series("bus-time"))
    assert "locked_read" in names and "spin" not in names


def test_the_time_window_applies_to_all_charts_over_time(opened):
    ranges = "id => document.getElementById(id)._fullLayout.xaxis.range"
    whole = opened.page.evaluate(ranges, "bus-time")
    opened.page.locator("#window [name=from]").fill("1000")
    opened.page.locator("#window [name=to]").fill("2500.5")
    opened.page.get_by_role("button", name="show").click()
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


def test_tables_are_sorted_by_number(opened):
    header = opened.page.locator("#bus-use th button", has_text="busy_us")
    cells = opened.page.locator("#bus-use tbody td:nth-child(4)")
    header.click()
    rising = [float(text.replace(",", "")) for text in cells.all_inner_texts()]
    assert rising == sorted(rising)
    assert rising[0] < rising[-1]
    header.click()
    assert [float(t.replace(",", "")) for t in cells.all_inner_texts()] == rising[::-1]


def test_pages_of_a_log_a_sweep_and_two_runs_draw_everything(browser, run_folder, tmp_path):
    logged = quickstart(tmp_path / "logged", guest__args__increments=80, observe__transactions=True)
    (logged / "profile.folded").write_text("spin;main;run 3\nuser;main 1\n")
    swept = tmp_path / "swept"
    sweep(ROOT / "configs/figures/ALL/figure-4.1.toml", swept, 2, POINTS, BINARY)
    for folders, charts in (([logged], 11), ([swept], 4), ([run_folder, logged], 12)):
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
        opened.assert_clean()
        opened.page.context.close()


def luminance(colour: str) -> float:
    red, green, blue = (int(part) for part in colour.strip("rgb()").split(","))
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def colours(opened: Opened) -> tuple[float, float, float]:
    """Luminance of the page's background, of a chart's background and of its text."""
    page = opened.page
    body = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
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
        opened.assert_clean()
        opened.page.context.close()
