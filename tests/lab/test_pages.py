# SPDX-License-Identifier: MIT
"""Pages of papers, which are rendered from templates: the words, errors, and that none is stale."""

import re
from pathlib import Path

import pandas as pd
import pytest
from symlab.errors import UserError
from symlab_papers.pages import END, current, folder_of, pages_of
from symlab_papers.paper import find_paper, known
from symlab_papers.words import Words

NUMBER = r"\d+(?:\.\d+)?"
PAGES = [(paper, page) for paper in known() for page in pages_of(paper)]
BY_HAND = "<!-- typed: "  # and the reason
ROOT = Path(__file__).resolve().parents[2]
RUNS = pd.DataFrame(
    {"lock": ["read", "read", "mcs"], "processors": [1, 20, 20], "us": [10.5, 43.04, 8.0]}
)


def rendered(template: str, folder: Path, monkeypatch) -> str:
    monkeypatch.chdir(folder)
    pages = folder / folder_of("ALL")
    pages.mkdir(parents=True)
    (pages / f"page.md{END}").write_text(template)
    results = folder / "ALL"
    results.mkdir()
    RUNS.to_csv(results / "mine.csv", index=False)
    note, _, text = current("ALL", "page.md", folder).partition("\n\n")
    assert note == "<!-- Written by symlab from page.md.j2, which has the text. -->"
    return text


def test_a_template_has_the_words(tmp_path, monkeypatch):
    template = """{% set us = curves(csv("mine"), "processors", "lock", "us") %}
With 20 it takes {{ us.read[20] | f(1) }} us, {{ (us.mcs[20] / us.read[20]) | pct }} % with MCS.

{{ table("Processors", us, {"read": "TTAS"}, (1, 20), {"": ".1f"}) }}
"""
    assert rendered(template, tmp_path, monkeypatch) == (
        "With 20 it takes 43.0 us, 19 % with MCS.\n\n"
        "| Processors | 1 | 20 |\n|---|---|---|\n| TTAS | 10.5 | 43.0 |\n"
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("{{ us.read[20] }}", r"page.md.j2:2: .*'us' is undefined"),
        ("{% if %}", r"page.md.j2:2: TemplateSyntaxError"),
        ("{{ csv('mine').loc[7] }}", r"page.md.j2:2: UndefinedError"),
        ("{{ csv('none') }}", r"none.csv: cannot be read"),
        ("{{ span([1, 3]) }}", r"page.md.j2:2: UndefinedError"),
        ("{{ [1, 3] | span }}", r"page.md.j2:2: .*there is a gap in \[1, 3\]"),
    ],
)
def test_an_error_in_a_template_has_its_line(wrong, message, tmp_path, monkeypatch):
    with pytest.raises(UserError, match=message):
        rendered(f"# Title\n{wrong}\n", tmp_path, monkeypatch)


def test_a_table_leaves_out_what_was_not_run():
    words = Words("ALL")
    us = words.curves(RUNS, "processors", "lock", "us")
    assert words.table("P", us, ["read", "array"], [1, 2], ".0f").splitlines()[2:] == [
        "| read | 10 |  |", "| array |  |  |",
    ]  # fmt: skip


@pytest.mark.parametrize(("paper", "page"), PAGES)
def test_the_page_is_what_its_template_gives(paper, page, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (folder_of(paper) / page).read_text()
    assert text == current(paper, page), f"stale: run `symlab paper {paper} pages`"


@pytest.mark.parametrize(("paper", "page"), PAGES)
def test_a_table_with_measured_numbers_is_computed_or_says_why_not(paper, page):
    """A table that is typed has no number with a decimal point, or the line above it says why."""
    text = (ROOT / folder_of(paper) / (page + END)).read_text()
    lines = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", text, flags=re.S).splitlines()
    for number, line in enumerate(lines):
        if line.startswith("|") and re.search(r"\d\.\d", re.sub("`.*?`", "", line)):
            first = max(n for n in range(number) if not lines[n].startswith("|"))
            assert any(BY_HAND in above for above in lines[first - 1 : first + 1]), line


def test_every_number_of_the_paper_stands_beside_a_simulated_one():
    text = (ROOT / folder_of("ALL") / "numbers.md").read_text()
    assert len(re.findall(r"^\| .* \| .*\d.* \| .*\d.* \| \d+\.\d\d \|$", text, re.M)) == 36
    assert "| Tab 3.1 | acquire and release of a free lock | 5.6 us | 5.50 us | 0.98 |" in text
    package = (ROOT / "guest" / "threads" / "package.h").read_text()
    assert "| 96 bytes |" in text and "sizeof(struct thread) == 96," in package
    threads = (ROOT / "guest" / "include" / "threads.h").read_text()
    assert f"| {16 * 1024 / 96:.0f} |" in text and "THREAD_STACK_BYTES (16 * 1024)" in threads


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
