# SPDX-License-Identifier: MIT
"""What the docs quote of locks: their declarations (guest/include/lock.h) and worst cases."""

from collections.abc import Mapping
from pathlib import Path

from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.guest.catalogue import Item, declared, parameter
from symlab.places import ROOT
from symlab.results.columns import texts
from symlab.results.csv_file import read_csv
from symlab.results.markdown import table

from symlab_tools.markers import filled

PAGE = "docs/reference/locks.md"
MEASURED = "docs/how-it-works/locks.md"

ORDER = {"": "none", "arrival": "FIFO", "numbers": "by number"}


def locks_pages() -> dict[str, str]:
    """The pages with the tables of today's locks and of their worst cases. Raises UserError if a
    marker is malformed, or if a page is missing, as in an installed wheel."""
    built = [item for item in catalogue.items("locks") if not item.special]
    return {
        PAGE: _page(PAGE, {"locks": _table()}, {"locks": str(len(built))}),
        MEASURED: _page(MEASURED, {"worst": _worst()}, {}),
    }


def _page(name: str, tables: Mapping[str, list[str]], numbers: Mapping[str, str]) -> str:
    path = ROOT / name
    if not path.is_file():
        raise UserError(f"{path}: no such page; run it in the tree of symsim, with docs/")
    return filled(path.read_text(encoding="utf-8"), tables, numbers, name)


def _table() -> list[str]:
    """A row for each file; a lock with a parameter is in one row."""
    rows = (_row(item) for item in catalogue.items("locks") if not item.options)
    return table(("Name", "Also", "Order", "Release by", "`lock_try`", "Machine", "Programs"), rows)


def _worst() -> list[str]:
    """The worst cases of each lock on two and on three processors, from `make check-tree`."""
    files = [ROOT / "results/check" / name for name in ("locks.csv", "locks-3.csv")]
    tables = [read_csv(file, texts("name", "violation")).set_index("name") for file in files]
    measures = ("longest_handoff_us", "longest_wait_turns", "most_turns_of_one")
    rows = [
        [f"`{name}`", *(f"{one.loc[name, m]:.3g}" for one in tables for m in measures)]
        for name in tables[0].index
    ]
    titles = [
        f"{n}: {title}" for n in (2, 3) for title in ("handoff us", "wait, turns", "turns of one")
    ]
    return table(("Name", *titles), rows)


def _order(file: Path) -> str:
    order = ORDER[declared(file, "LOCK_FIFO")]
    return f"{order}, usurpers" if declared(file, "LOCK_USURPER") == "1" else order


def _row(item: Item) -> list[str]:
    has = parameter(item.file, "LOCK")
    return [
        f"`{item.name}-`*N*, *N* = {', '.join(has.values)}, ..." if has else f"`{item.name}`",
        ", ".join(f"`{alias}`" for alias in item.aliases),
        _order(item.file),
        declared(item.file, "LOCK_RELEASE") or "store",
        "no" if declared(item.file, "LOCK_HAS_TRY") == "0" else "yes",
        item.isa[1:],
        "of processes" if item.kernel else "",
    ]
