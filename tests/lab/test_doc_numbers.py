# SPDX-License-Identifier: MIT
"""Measured numbers of the docs: a test repeats those of a page, or the page names its version.

docs/papers/ and docs/how-it-works/calibration.md are written from results/ (test_documents.py).
Blocks of commands and their output are run (test_tutorials.py).
"""

import os
import re

import pandas as pd
import pytest
from doc_tables import DOCS, ROOT, rows_behind
from symlab import run

FOLDERS = ("get-started", "tutorials", "how-to", "teaching", "reference")
MEASURING = [DOCS / f"how-it-works/{name}.md" for name in ("kernel", "locks", "spaces", "threads")]
PAGES = [p for name in FOLDERS for p in sorted((DOCS / name).rglob("*.md"))]
PAGES = [ROOT / "README.md", *PAGES, *MEASURING]
MARK = re.compile(r"Measured with\s+symsim\s+\d+\.\d+\.\d+")

# What a page says without having measured it: blocks that are run, code, what is written by
# `symlab`, links, places in papers, versions.
OTHER = re.compile(
    r"^```.*?^```$|<!-- table: .*?<!-- end -->|<!--=.*?<!--/-->|`[^`]*`|\]\([^)]*\)"
    r"|(?:[Ff]igures?|Figs?\.|[Tt]ables?|[Ss]ections?|gcc|TLM|Python|Dhrystone|CoreMark|STREAM|GDB"
    r"|symsim|License|ALL|WKS|MTH|URPC)[ -][\d.]+\d",
    re.DOTALL | re.MULTILINE,
)
MEASURED = re.compile(r"(?<![\w.])\d+\.\d+(?!\.)|\b\d{1,3}(?:,\d{3})+\b")


def numbers(page) -> list[str]:
    return MEASURED.findall(OTHER.sub(" ", page.read_text(encoding="utf-8")))


NOTEBOOKS, TUTORIALS, HERE = "test_notebooks.py", "test_tutorials.py", "test_doc_numbers.py"
# Page -> the tests that repeat what it says.
REPEATED = {
    "README.md": HERE,
    "docs/get-started/first-run.md": HERE,
    "docs/how-to/debugging.md": "test_gdb.py",
    "docs/how-to/threads.md": "test_programs.py",
    "docs/how-it-works/threads.md": HERE,
    "docs/how-to/preempted-holder.md": "test_preempted_holder.py",
    "docs/teaching/index.md": NOTEBOOKS,
    **{f"docs/tutorials/your-own-{name}.md": TUTORIALS for name in ("lock", "program", "server")},
    **{
        str(page.relative_to(ROOT)): NOTEBOOKS
        for folder in ("teaching", "teaching/solutions")
        for page in (DOCS / folder).glob("[1-6]-*.md")
        if numbers(page)
    },
}
# Page -> what its numbers are, if it has measured none.
SETTINGS = {
    "docs/how-to/linux.md": "a limit",
    "docs/how-to/python.md": "a version",
    "docs/reference/report.md": "a limit",
    "docs/reference/options-and-keys.md": "defaults and limits",
    "docs/reference/locks.md": "sections of papers, and a delay in clocks of the manual",
    "docs/reference/symlab.md": "names of figures",
    "docs/reference/outputs.md": "an example of a ratio, and a limit",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_measured_numbers_are_repeated_by_a_test_or_marked_with_a_version(page):
    name, found = str(page.relative_to(ROOT)), numbers(page)
    marked = bool(MARK.search(page.read_text(encoding="utf-8")))
    ways = [name in REPEATED, name in SETTINGS, marked]
    assert sum(ways) == bool(found), f"repeat or mark {', '.join(found)}"
    assert name not in REPEATED or (ROOT / "tests/lab" / REPEATED[name]).is_file()


def test_the_readme_says_what_figure_4_1_shows():
    runs = pd.read_csv(ROOT / "papers/ALL/results/figure-4.1.csv")
    time = runs.groupby(["lock", "processors"])["elapsed_us"].mean()
    tas, ttas, backoff = (time[x, 20] / time[x, 1] for x in ("xchgb", "read", "backoff"))
    text = " ".join((ROOT / "README.md").read_text().split())
    assert f"an increment takes {tas:.0f} times as long as on one processor" in text
    assert f"{ttas:.0f} times as long with test-and-test-and-set" in text
    assert f"and {backoff:.1f} times with backoff" in text


def test_speedups_of_programs_are_those_of_results():
    rows = rows_behind("how-it-works/threads.md", "| | Processors | `single-lock`")
    text = " ".join((DOCS / "how-it-works/threads.md").read_text().split())
    names = re.findall(r"`([\w-]+)`", text[text.index("| | Processors | `single-lock`") :])[:8]
    expected = []
    for program, processors in (
        ("quicksort", (8, 20)),
        ("jacobi", (8, 20)),
        ("pipeline", (8, 16, 20)),
    ):
        data = pd.read_csv(ROOT / f"results/programs/{program}.csv")
        speedup = data.set_index(["processors", "strategy"])["speedup"]
        expected += [[str(p), *(f"{speedup[p, name]:.2f}" for name in names)] for p in processors]
    assert [row[1:] for row in rows] == expected
    waits = {}
    for program in ("jacobi", "pipeline"):
        runs = pd.read_csv(ROOT / f"results/programs/{program}-runs.csv")
        runs = runs[runs["processors"] == 20].set_index("strategy")
        mean = runs["lock_wait_us"] / runs["lock_acquisitions"]
        waits[program] = [f"{mean[name]:.0f}" for name in names]
    of = {program: dict(zip(names, values, strict=True)) for program, values in waits.items()}
    jacobi, pipeline = of["jacobi"], of["pipeline"]
    for sentence in (
        f"waits {jacobi['single-lock']} us on average with `single-lock`, "
        f"and {jacobi['local-freelist']} with `local-freelist`",
        f"the wait is {jacobi['idle-queue']} us. "
        f"With `local-readyq` it is {jacobi['local-readyq']} us",
        f"waits {pipeline['single-lock']} us on average with `single-lock`, "
        f"and {pipeline['local-readyq']} with `local-readyq`",
    ):
        assert sentence in text


@pytest.mark.skipif(not os.environ.get("SYMSIM_BINARY"), reason="SYMSIM_BINARY names no simulator")
def test_the_first_run_is_explained_with_its_numbers(tmp_path):
    """Those that the quoted output has not."""
    first = run("configs/quickstart.toml", out=tmp_path / "first")
    alone = run(
        "configs/quickstart.toml", settings={"machine.processors": 1}, out=tmp_path / "alone"
    )
    xchgb = run(
        "configs/quickstart.toml", settings={"guest.args.lock": "xchgb"}, out=tmp_path / "xchgb"
    )
    waits = first["bus"]["mean_wait_us_by_kind"]
    hold = alone["locks"][0]["hold_us"] / alone["locks"][0]["acquisitions"]
    shares = [xchgb["guest"]["results"][f"share_{end}imum"] for end in ("min", "max")]
    assert all(abs(share - 2500) < 25 for share in shares)
    text = " ".join((DOCS / "get-started/first-run.md").read_text().split())
    for sentence in (
        f"{waits['locked_read']:.1f} us for a locked read, {waits['store']:.2f} us for a store",
        f"On one processor the hold is {hold:.2f} us",
    ):
        assert sentence in text
