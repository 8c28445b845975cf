# SPDX-License-Identifier: MIT
"""Thread programs: their figures, their own checks, and the program of docs/how-to."""

import os
import re
import textwrap

import pandas as pd
import pytest
from matplotlib.figure import Figure as Canvas
from symlab import run, sweep
from symlab.errors import RunFailed
from symlab.guest import catalogue
from symlab.guest.compiling import GUEST, Request, build
from symlab.plot.figure import find_figure
from symlab.runs import grid

ROOT = GUEST.parent
BINARY = os.environ.get("SYMSIM_BINARY", "")
QUICKSTART = ROOT / "configs" / "quickstart.toml"
CONFIGS = ROOT / "configs" / "figures" / "programs"
NAMES = sorted(path.stem for path in CONFIGS.glob("*.toml"))

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def runs(times: dict[tuple[str, int], float]) -> pd.DataFrame:
    rows = [
        {"strategy": s, "processors": p, "elapsed_us": us, "status": "finished"}
        for (s, p), us in times.items()
    ]
    return pd.DataFrame(rows)


def speedups(times: dict[tuple[str, int], float]) -> dict[tuple[str, int], float]:
    data = find_figure("speedup", []).series(runs(times))
    keys = zip(data["strategy"], data["processors"], strict=True)
    return dict(zip(keys, data["speedup"], strict=True))


def test_speedup_is_relative_to_the_fastest_strategy_on_one_processor():
    times = {("a", 1): 100, ("b", 1): 80, ("a", 4): 20, ("b", 4): 40}
    assert speedups(times) == {("a", 1): 0.8, ("a", 4): 4, ("b", 1): 1, ("b", 4): 2}


def test_without_one_processor_there_is_no_speedup():
    assert pd.isna(speedups({("a", 2): 100})["a", 2])


def test_a_failed_run_is_left_out():
    data = runs({("a", 1): 100, ("a", 2): 50})
    data.loc[1, "status"] = "guest-exit"
    assert list(find_figure("speedup", []).series(data)["processors"]) == [1]


@pytest.mark.parametrize("name", NAMES)
def test_the_figure_is_found_and_drawn(name):
    figure = find_figure(grid.load(ROOT / f"configs/figures/programs/{name}.toml").figure, [])
    ax = Canvas().add_subplot()
    figure.draw(ax, figure.series(runs({("single-lock", 1): 100, ("idle-queue", 1): 90})))
    assert {line.get_label() for line in ax.lines} == {"single lock", "idle queue"}


SMALL = {
    "jacobi": {"guest.args.size": 12, "guest.args.sweeps": 2},
    "pipeline": {"guest.args.items": 30, "guest.args.turns": 20},
    "quicksort": {"guest.args.count": 1000, "guest.args.grain": 50},
}


@needs_simulator
@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_runs_the_program_correctly(tmp_path, name):
    small = SMALL[name] | {"machine.processors": [1, 6]}
    done = sweep(CONFIGS / f"{name}.toml", out=tmp_path, settings=small, simulator=BINARY)
    assert set(done["status"]) == {"finished"}
    strategies = {item.name for item in catalogue.items("strategies") if not item.special}
    assert set(done["strategy"]) == strategies
    assert len(done) == 2 * len(strategies)
    data = pd.read_csv(tmp_path / f"{name}.csv")
    assert data["speedup"].max() > 1


@needs_simulator
@pytest.mark.parametrize("workers", [1, 5])
def test_the_pipeline_keeps_the_order_with_one_worker(tmp_path, workers):
    settings = {"guest.args.items": 100, "guest.args.turns": 100, "machine.processors": 1}
    settings |= {"guest.args.workers": workers}
    summary = run(
        CONFIGS / "pipeline.toml", settings=settings, out=tmp_path / "run", simulator=BINARY
    )
    assert (summary["guest"]["results"]["overtaken"] == 0) == (workers == 1)


# Changes to the programs that make their results wrong, and the error that must be reported.
BROKEN = [
    ("quicksort", "sort_alone(part);", "", "is larger than the next"),
    ("quicksort", "*low = *high;", "*low = *high + 1;", "not the numbers that were to be sorted"),
    ("jacobi", "block->first, block->end", "block->first + 1, block->end", "differs"),
    ("pipeline", "buffer->count--;", "if (item->number != 7) buffer->count--;", "came"),
    (
        "pipeline",
        "buffer_put(to, item);",
        "if (item.number != 7) buffer_put(to, item);",
        "7 came 0",
    ),
    ("pipeline", "item.value = worked_on(item.value);", "", "item 0 came 1 times, as 0"),
]


@needs_simulator
@pytest.mark.parametrize(("name", "right", "wrong", "says"), BROKEN)
def test_a_program_finds_its_own_errors(tmp_path, name, right, wrong, says):
    source, image = tmp_path / f"{name}.c", tmp_path / f"{name}.elf"
    texts = {file.name: file.read_text() for file in (GUEST / "workloads").glob(f"{name}.[ch]")}
    assert sum(text.count(right) for text in texts.values()) == 1
    for file, text in texts.items():
        (tmp_path / file).write_text(text.replace(right, wrong))
    build(Request((source,), image, lock="backoff", strategy="local-readyq"))
    settings = SMALL[name] | {"guest.image": str(image), "machine.processors": 2}
    with pytest.raises(RunFailed):
        run(QUICKSTART, settings=settings, out=tmp_path / "run", simulator=BINARY)
    assert says in (tmp_path / "run" / "console.txt").read_text()


def block_of(text: str, beginning: str) -> str:
    """The code block of a page that begins with the line `beginning`."""
    fenced = re.search(rf"^```c\n({re.escape(beginning)}\n.*?)^```$", text, re.M | re.S)
    if fenced:
        return fenced[1]
    lines = text[text.index(f"\n    {beginning}\n") + 1 :].splitlines()
    end = next(i for i, line in enumerate(lines) if line and not line.startswith("    "))
    return textwrap.dedent("\n".join(lines[:end])) + "\n"


@needs_simulator
@pytest.mark.parametrize("strategy", ["local-readyq", "last-first.h"])
def test_the_program_in_docs_threads_md_prints_what_the_page_says(tmp_path, strategy):
    page = (ROOT / "docs" / "how-to" / "threads.md").read_text()
    source, image = tmp_path / "primes.c", tmp_path / "primes.elf"
    source.write_text(block_of(page, '#include "symsim.h"'))
    (tmp_path / "last-first.h").write_text(block_of(page, '#include "threads/lists.h"'))
    chosen = str(tmp_path / strategy) if strategy.endswith(".h") else strategy
    build(Request((source,), image, lock="backoff", strategy=chosen))
    elapsed = {}
    for processors in (8, 1) if strategy == "local-readyq" else (8,):
        settings = {"guest.image": str(image), "machine.processors": processors}
        summary = run(QUICKSTART, settings=settings, out=tmp_path / "run", simulator=BINARY)
        assert (tmp_path / "run" / "console.txt").read_text() == "303 primes below 2000\n"
        if strategy == "local-readyq":
            elapsed[processors] = summary["guest"]["results"]["elapsed_us"]
            assert re.search(rf"elapsed_us`? +(is )?{elapsed[processors]}\b", page)
    if elapsed:
        assert f"eight processors are {elapsed[1] / elapsed[8]:.1f} times as fast" in page
