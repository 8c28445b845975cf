# SPDX-License-Identifier: MIT
"""The section on distance, of a machine of several nodes: near and far misses, pages by the nodes
that miss them, links, and how far locks travel."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from symlab.report.run_data import RunData, ps, ratio
from symlab.report.section import Cell, Chart, Section, Table, figure

SHOWN_PAGES = 20  # of those with the most misses; the chart has room for the names of so many
SHOWN_LOCKS = 3
NODE = "misses_node"  # how the columns of pages.csv begin that have the misses of a node
MISSES = ("near", "far", "near_time_us", "far_time_us", "mean_near_us", "mean_far_us", "links")
HANDOFFS = (
    "handoffs", "handoffs_own_processor", "handoffs_own_node", "handoffs_other_nodes",
    "mean_handoff_links",
)  # fmt: skip


def distance(run: RunData) -> Section | None:
    if run.pages is None or run.links is None:
        return None
    misses = run.summary["misses"]
    time_us = misses["near_time_us"] + misses["far_time_us"]
    share = misses["far_time_us"] / time_us if time_us else 0.0
    explanation = (
        "A miss brings a processor a line; it is far if its messages took links between nodes, "
        f"else near. Far misses took {share:.1%} of the time of all misses. {travels(run)}"
    )
    charts = [
        Chart(
            "pages-chart",
            "Pages by the nodes that missed them",
            {"": _heat_map(run.pages)},
            f"The pages with the most misses, at most {SHOWN_PAGES}; the node that is a page's "
            "home is marked.",
        )
    ]
    of_nodes = {str(node): of for node, of in enumerate(misses["by_node"])}
    tables = [
        _misses("miss-suppliers", "Misses by who had the line", "supplier", misses["by_supplier"]),
        _misses("miss-activities", "Misses by activity", "activity", misses["by_activity"]),
        _misses("miss-nodes", "Misses of each node", "node", of_nodes),
        _links(run.links, run.summary["simulated_us"]),
    ]
    if run.summary["locks"]:
        tables.append(_locks(run))
    return Section("distance", "Near and far", explanation.strip(), charts, tables)


def travels(run: RunData) -> str:
    """How far the locks with the most handoffs travel, a sentence for each."""
    names = run.lock_names
    locks = [lock for lock in run.summary["locks"] if lock["handoffs"]]
    most = sorted(locks, key=lambda lock: -lock["handoffs"])[:SHOWN_LOCKS]
    return " ".join(
        f"The lock {names[int(lock['address'], 16)]} travels {lock['mean_handoff_links']:.1f} "
        "links a handoff."
        for lock in most
    )


def hottest(pages: pd.DataFrame) -> pd.DataFrame:
    """The pages with the most misses, in order of address. `pages`: pages.csv."""
    all_nodes = pages[nodes_of(pages)].sum(axis=1)
    order = all_nodes.sort_values(ascending=False, kind="stable").index[:SHOWN_PAGES]
    return pages.loc[sorted(order)]


def nodes_of(pages: pd.DataFrame) -> list[str]:
    return [column for column in map(str, pages) if column.startswith(NODE)]


def _heat_map(pages: pd.DataFrame) -> go.Figure:
    shown = hottest(pages)
    columns = nodes_of(shown)
    symbols = shown["symbol"].fillna("").astype(str)
    names = [
        f"{page} {symbol}".strip() for page, symbol in zip(shown["page"], symbols, strict=True)
    ]
    homes = [
        ["home" if home == node else "" for node in range(len(columns))]
        for home in shown["home_node"]
    ]
    trace = go.Heatmap(
        x=list(range(len(columns))),
        y=names,
        z=shown[columns].to_numpy().tolist(),
        text=homes,
        texttemplate="%{text}",
        hovertemplate="%{y}<br>node %{x}: %{z:,} misses %{text}<extra></extra>",
        colorscale="Viridis",
        colorbar={"title": {"text": "misses"}},
        zmin=0,
    )
    axis = {"autorange": "reversed", "type": "category"}
    return figure([trace], "node whose processors missed", "page", yaxis=axis, xaxis={"dtick": 1})


def _misses(id: str, title: str, of: str, counts: dict[str, dict[str, float]]) -> Table:
    rows: list[list[Cell]] = [
        [name, *(one[column] for column in MISSES)]
        for name, one in counts.items()
        if one["near"] or one["far"]
    ]
    return Table(id, title, [of, *MISSES], rows)


def _links(links: pd.DataFrame, simulated_us: float) -> Table:
    """Each link over the whole run. `links`: links.csv."""
    rows: list[list[Cell]] = []
    groups: Any = links.groupby(["ring", "from_node", "to_node"], sort=True)
    for (ring, node, to), group in groups:
        busy = sum(ps(us) for us in group["busy_us"])
        wait = sum(
            ps(us) * n for us, n in zip(group["mean_wait_us"], group["messages"], strict=True)
        )
        messages = int(group["messages"].sum())
        row = [int(ring), int(node), int(to), messages, busy / 1e6]
        mean_wait_us = round(wait / messages) / 1e6 if messages else 0.0
        rows.append([*row, ratio(busy, ps(simulated_us)), mean_wait_us])
    columns = [
        "ring", "from_node", "to_node", "messages", "busy_us", "utilisation", "mean_wait_us",
    ]  # fmt: skip
    return Table("links-table", "Links between nodes", columns, rows)


def _locks(run: RunData) -> Table:
    names = run.lock_names
    rows: list[list[Cell]] = [
        [names[int(lock["address"], 16)], *(lock[column] for column in HANDOFFS)]
        for lock in run.summary["locks"]
    ]
    return Table("travel-table", "How far each lock travels", ["lock", *HANDOFFS], rows, ("lock",))
