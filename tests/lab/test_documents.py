# SPDX-License-Identifier: MIT
"""Pages whose tables and numbers come from results/: the markers, and that pages are up to date."""

import re
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab_papers.documents.data import Data
from symlab_papers.documents.markers import TABLE, filled
from symlab_papers.documents.pages import current, folder_of, pages_of
from symlab_papers.paper import find_paper, known
from symlab_papers.papers.ALL.pages import numbers

NUMBER = r"\d+(?:\.\d+)?"
PAGES = [(paper, page) for paper in known() for page in pages_of(paper)]
BY_HAND = "<!-- typed: "  # and the reason
ROOT = Path(__file__).resolve().parents[2]

ONE = ({"rates": ["| P | rate |", "|---|---|", "| 1 | 2.5 |"]}, {"most": "2.5"})
PAGE = """# Title

<!-- table: rates -->
| P | rate |
<!-- end -->

At most <!--=most-->?<!--/-->, and <!--=most--><!--/--> again. <!-- a remark -->
"""


def test_tables_and_numbers_are_put_between_their_markers():
    text = filled(PAGE, *ONE, "page.md")
    assert "<!-- table: rates -->\n\n| P | rate |\n|---|---|\n| 1 | 2.5 |\n\n<!-- end -->\n" in text
    assert "At most <!--=most-->2.5<!--/-->, and <!--=most-->2.5<!--/--> again." in text
    assert "<!-- a remark -->" in text
    assert filled(text, *ONE, "page.md") == text, "filled once, a page no longer changes"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("table: rates", "table: rate", r"page.md:3: no table 'rate'; known: rates"),
        ("=most", "=least", r"page.md:7: no number 'least'; known: most"),
        ("<!-- end -->", "<!-- ende -->", r"page.md:3: <!-- table: rates --> has no counterpart"),
        ("?<!--/-->", "?", r"page.md:7: <!--=most--> has no counterpart"),
        ("<!-- table: rates -->\n", "", r"page.md:4: <!-- end --> has no counterpart"),
        ("At most <!", "<!", r"page.md:7: a number's marker begins a line"),
        ("At most <!", "- <!", r"page.md:7: a number's marker begins a line"),
    ],
)
def test_a_wrong_marker_is_an_error_with_its_line(old: str, new: str, message: str):
    with pytest.raises(UserError, match=message):
        filled(PAGE.replace(old, new), *ONE, "page.md")


def test_what_no_page_quotes_is_an_error():
    with pytest.raises(UserError, match=r"page.md: quotes no table rates, no number most"):
        filled("# Title\n", *ONE, "page.md")


@pytest.fixture(scope="module")
def data() -> Data:
    return Data()


@pytest.mark.parametrize(("paper", "page"), PAGES)
def test_tables_and_numbers_of_the_page_are_those_of_the_results(paper, page, data, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (folder_of(paper) / page).read_text()
    assert text == current(paper, page, data), f"stale: run `symlab paper {paper} pages`"


@pytest.mark.parametrize(("paper", "page"), PAGES)
def test_a_table_with_measured_numbers_is_generated_or_says_why_not(paper, page):
    """A table that is typed has no number with a decimal point, or the line above it says why."""
    text = TABLE.sub("", (ROOT / folder_of(paper) / page).read_text())
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("|") and re.search(r"\d\.\d", re.sub("`.*?`", "", line)):
            first = max(n for n in range(number) if not lines[n].startswith("|"))
            assert any(BY_HAND in above for above in lines[first - 1 : first + 1]), line


def test_every_number_of_the_paper_stands_beside_a_simulated_one(data, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = numbers.simulated(data)
    printed = find_paper("ALL").numbers
    assert {number.simulated for number in printed} == set(found)
    assert len(printed) >= 27 and all(number.paper > 0 for number in printed)
    lines = numbers.tables(data)["numbers"]
    assert "| Tab 3.1 | acquire and release of a free lock | 5.6 us | 5.50 us | 0.98 |" in lines
    package = (ROOT / "guest" / "threads" / "package.h").read_text()
    assert f"sizeof(struct thread) == {numbers.CONTROL_BLOCK_BYTES}," in package
    threads = (ROOT / "guest" / "include" / "threads.h").read_text()
    kilobytes = numbers.STACK_BYTES // 1024
    assert f"#define THREAD_STACK_BYTES ({kilobytes} * 1024)" in threads


@pytest.mark.parametrize("paper", known())
def test_the_numbers_in_causes_are_in_the_section_about_the_claim(paper):
    """Causes are typed in the list of claims, perhaps rounded; the sections are generated."""
    missing = []
    for row in find_paper(paper).rows:
        if row.cause:
            text = (ROOT / folder_of(paper) / row.page).read_text()
            section = next(s for s in re.split(r"^##+ ", text, flags=re.M) if row.id in s[:40])
            known = [float(number) for number in re.findall(NUMBER, section)]
            for number in re.findall(NUMBER, row.cause):
                digits = len(number.partition(".")[2])
                if number not in {f"{value:.{digits}f}" for value in known}:
                    missing.append(f"{row.id}: {number}")
    assert missing == []
