# SPDX-License-Identifier: MIT
"""The site of docs/ builds without a warning, needs no network, and looks as on a code host."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import symlab
from doc_tables import DOCS, ROOT
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(ROOT / "scripts"))
from site_links import PAGES

CHROMIUM = shutil.which("chromium")
PATIENCE_MS = 120_000  # host time; the host may be busy
SITE_OF = {ROOT / tree: site for tree, site in PAGES.items()}
SITE_OF |= {page: str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
API = SITE_OF.pop(DOCS / "reference" / "api.md")  # of the docstrings; a code host shows their names

ELEMENT = re.compile(r"<(li|pre|table|h[1-6]|img)\b")
LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=.?https?://[^>]*>")


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Builds the site of the tree in `root` as `make site` does."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(site)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=root, env=quiet, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    return build(ROOT, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def site(built: subprocess.CompletedProcess[str]) -> Path:
    return Path(built.args[-1])


def test_the_site_builds_without_a_warning(built: subprocess.CompletedProcess[str]) -> None:
    assert built.returncode == 0, built.stdout + built.stderr


def test_the_page_of_the_package_has_each_public_name_and_its_arguments(site: Path) -> None:
    text = (site / API).with_suffix(".html").read_text(encoding="utf-8")
    for name in symlab.__all__:
        found = getattr(symlab, name)
        assert f'id="{found.__module__}.{name}"' in text, name
    assert "most_points" in text and "OutputError" in text


def html(site: Path, page: Path) -> str:
    return (site / SITE_OF[page]).with_suffix(".html").read_text(encoding="utf-8")


def test_no_page_loads_anything_from_the_network(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not LOADED.findall(page.read_text(encoding="utf-8")), page


@pytest.mark.parametrize("page", SITE_OF, ids=lambda page: str(page.relative_to(ROOT)))
def test_lists_tables_code_and_headings_are_those_of_a_code_host(site: Path, page: Path) -> None:
    """The two read some Markdown differently, such as a list right after a paragraph."""
    expected = MarkdownIt("commonmark").enable("table").render(page.read_text(encoding="utf-8"))
    text = html(site, page)
    article = text[text.index("<article") : text.index("</article>")]
    assert Counter(ELEMENT.findall(article)) == Counter(ELEMENT.findall(expected))


def test_a_dead_link_fails_the_build(tmp_path: Path) -> None:
    for name in (
        "mkdocs.yml",
        "scripts",
        "docs",
        "results",
        "configs",
        "papers",
        "LICENSE",
        "CITATION.cff",
    ):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    with (tmp_path / "README.md").open("a") as readme:
        readme.write("\n[dead](docs/how-to/no-such-page.md)\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    assert "no-such-page.md" in built.stdout + built.stderr


@pytest.mark.skipif(not CHROMIUM, reason="no chromium; scripts/install.sh installs it")
def test_the_search_finds_a_page_from_files_without_a_network(site: Path) -> None:
    with sync_playwright() as playwright:
        # If started by root, Chromium refuses to run with its sandbox.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(offline=True).new_page()
        page.goto((site / "index.html").as_uri())
        field = page.get_by_role("textbox", name="Search")
        field.click()
        ready = page.locator(".md-search-result__meta", has_text="Type to start searching")
        ready.wait_for(timeout=PATIENCE_MS)
        field.press_sequentially("Graunke")
        result = page.locator('a.md-search-result__link[href*="reference/locks.html"]')
        result.first.wait_for(timeout=PATIENCE_MS)
        browser.close()
