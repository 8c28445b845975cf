# SPDX-License-Identifier: MIT
"""Every relative link of README.md, CONTRIBUTING.md, CHANGELOG.md and docs/ leads somewhere."""

import re
import subprocess
from pathlib import Path

import pytest
from doc_tables import DOCS, ROOT

PAGES = [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG"))]
PAGES += sorted([*DOCS.rglob("*.md"), *(ROOT / "papers").rglob("*.md")])

LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """The text of a page without code blocks and inline code, since links in code do not count."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    text = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    return re.sub(r"`[^`]*`", "", text)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of headings: lower case, no punctuation; -1 for a duplicate."""
    found: dict[str, int] = {}
    result = set()
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        shown = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        result.add(f"{slug}-{count}" if count else slug)
    return result


def dead_links(page: Path) -> list[str]:
    dead = []
    for link in LINK.findall(prose(page)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    return dead


SOURCE = re.compile(r"`((?:sim|guest|tests|lab|scripts)/[\w/.-]+\.(?:h|cpp|c|S|py))`")
MADE_BY_THE_READER = {  # examples of how-to pages
    "sim/devices/tally.h",
    "guest/workloads/mine.c",
}


def missing_files(text: str) -> set[str]:
    """Files of the source tree that the text names and that do not exist."""
    named = set(SOURCE.findall(text)) - MADE_BY_THE_READER
    return {name for name in named if not (ROOT / name).exists()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page):
    assert dead_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_exists(page):
    assert missing_files(page.read_text(encoding="utf-8")) == set()


SHOWN = re.compile(r"^!\[.*\]\((\S+)\)\n\n    \S+/symlab sweep (\S+)$", re.MULTILINE)


def test_each_figure_of_the_gallery_is_that_of_its_command():
    shown = SHOWN.findall((DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert len(shown) > 20
    for picture, config in shown:
        assert (DOCS / picture).is_file() and (ROOT / config).is_file(), config
        assert Path(picture).stem == Path(config).stem


def test_the_example_report_is_small_and_needs_no_other_file():
    """scripts/example_report.py makes it."""
    page = (DOCS / "examples" / "report.html").read_text(encoding="utf-8")
    assert len(page.encode()) <= 300_000
    assert page.count('class="chart js-plotly-plot"') > 5 and "spinning for counter_lock" in page
    assert not re.search(r"<script|<link|@import|src=.?http", page)


PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")
NO_PAGES = {"docs/how-to/no-such-page.md"}  # of a test


def test_every_page_that_the_code_names_exists():
    folders = ("sim", "guest", "lab", "papers", "scripts", "configs", "tests", "Makefile")
    found = subprocess.run(
        ["git", "grep", "-hIoE", r"docs/[A-Za-z0-9_/-]+\.md", "--", *folders],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if found.returncode != 0:
        pytest.skip("this tree is not a git repository")
    named = set(PAGE.findall(found.stdout)) - NO_PAGES
    assert len(named) > 20
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_a_missing_file_is_found():
    text = "`sim/bus/bus.h` `sim/bus/none.h` `tests/lab/none.py`, sim/none.h"
    assert missing_files(text) == {"sim/bus/none.h", "tests/lab/none.py"}


def test_a_dead_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A `b`, c.d\n# Twice\n# Twice\n[a](#a-b-cd) [b](#twice-1) [c](page.md#twice) [d](https://x/y)\n"
        "`[no](link)`\n\n    [no](link)\n\n[x](#nothing) [y](other.md) [z](page.md#twice-2)\n"
    )
    assert dead_links(page) == ["#nothing", "other.md", "page.md#twice-2"]
