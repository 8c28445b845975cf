# SPDX-License-Identifier: MIT
"""One run that has ended: a `Run` shows its numbers and reads its tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symlab.errors import UserError
from symlab.results.manifest import DISTANCE, SUMMARY, TABLES, warn_if_damaged
from symlab.results.summary import read_summary
from symlab.runs.settings import Scalar

if TYPE_CHECKING:
    import pandas as pd

SHOWN_LOCKS = 5  # by waiting time; a program may have hundreds


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A run that has ended. docs/reference/outputs.md has keys and columns of its files.

    Attributes:
        folder: folder of its files.
        summary: content of summary.json; `run["bus"]` is short for `run.summary["bus"]`. Times are
            simulated microseconds.
    """

    folder: Path
    summary: Mapping[str, Any]

    @classmethod
    def of(cls, folder: str | Path) -> "Run":
        """An earlier run. Warns on standard error if a file of the run is damaged.

        Raises:
            UserError: `folder` has no summary.json, or one of another version.
        """
        summary = read_summary(Path(folder))  # first: a folder without a run has no damage
        warn_if_damaged(Path(folder), [SUMMARY, *TABLES, *DISTANCE, "console.txt"])
        return cls(Path(folder), summary)

    @classmethod
    def of_sweep(cls, frame: "pd.DataFrame") -> "Iterator[Run]":
        """The finished runs of a frame that `sweep`, `compare` or `load` returned, in its order; of
        some of its rows, if the frame is a part.

        Raises:
            UserError: the frame does not say where its runs are, or a run is gone.
        """
        if "run" not in frame or "folder" not in frame.attrs:
            raise UserError("the frame has no column run, or attrs without folder; load it again")
        runs = Path(frame.attrs["folder"]) / "runs"
        for name in frame["run"][frame["status"] == "finished"]:
            yield cls.of(runs / name)

    def __getitem__(self, key: str) -> Any:
        return self.summary[key]

    @property
    def config(self) -> dict[str, Scalar]:
        """The complete config: dotted key -> value."""
        return self.summary["config"]

    @property
    def results(self) -> dict[str, float]:
        """What the guest reported: name -> value."""
        return (self.summary["guest"] or {}).get("results", {})

    @property
    def console(self) -> str:
        """What the guest printed. Raises UserError if the file cannot be read."""
        path = self.folder / "console.txt"
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}; run it again") from error

    @cached_property
    def bus(self) -> "pd.DataFrame":
        """bus.csv: a row for each interval of observe.interval_us, in order of time.

        start_us, end_us, busy_us, mean_wait_us in us; utilisation and share_... from 0 to 1. If the
        interconnect has several resources, a row for each interval and resource that something
        uses or waits for.
        """
        return self._table("bus.csv")

    @cached_property
    def locks(self) -> "pd.DataFrame":
        """locks.csv: a row for each lock and processor; wait_us, hold_us and others in us. Without
        rows if the guest took no lock."""
        return self._table("locks.csv")

    @cached_property
    def misses(self) -> "pd.DataFrame":
        """misses.csv: a row for each processor, activity and supplier of lines; time_us in us. This
        and the following only if the machine has several nodes; else they raise UserError."""
        return self._table("misses.csv")

    @cached_property
    def pages(self) -> "pd.DataFrame":
        """pages.csv: a row for each page of which lines were missed, with its misses by node."""
        return self._table("pages.csv")

    @cached_property
    def links(self) -> "pd.DataFrame":
        """links.csv: a row for each interval of observe.interval_us and link that was in use."""
        return self._table("links.csv")

    @cached_property
    def processors(self) -> "pd.DataFrame":
        """A row for each processor, a column for each activity: the time spent in it, in us. The
        sum of a row is simulated_us of the summary."""
        import pandas as pd

        rows = [one["activities_us"] for one in self.summary["processors"]]
        numbers = [one["processor"] for one in self.summary["processors"]]
        return pd.DataFrame(rows, index=pd.Index(numbers, name="processor"))

    def report(self) -> Path:
        """Writes report.html into the folder of the run; returns its path. Raises UserError."""
        from symlab.reports import write_report

        return write_report([self.folder], None)

    def numbers(self) -> list[tuple[str, str]]:
        """The main numbers, as pairs of a name and a text with its unit."""
        summary, config = self.summary, self.config
        guest, bus = summary["guest"] or {}, summary["bus"]
        kind = f"{config['cache.protocol']} caches, {config['cache.store_policy']}"
        processors = f"{len(summary['processors'])} processors"
        pairs = [
            ("guest", f"{guest.get('image')}, exit status {guest.get('exit_status')}"),
            ("machine", f"{config['machine.name']}, {processors}, {kind}"),
            ("time", f"{time_text(summary['simulated_us'])}, {summary['status']}"),
            ("processors", ", ".join(self._activities())),
            ("bus", f"{bus['utilisation']:.1%} busy, {bus['all_transactions']:,} transactions, "
                    f"mean wait {time_text(bus['mean_wait_us'])}"),
        ]  # fmt: skip
        if "misses" in summary:
            misses = summary["misses"]
            each = (
                f"{misses[kind]:,} {kind}, mean {time_text(misses[f'mean_{kind}_us'])}"
                for kind in ("near", "far")
            )
            pairs.append(("misses", "; ".join(each)))
        locks = sorted(summary["locks"], key=lambda lock: -lock["wait_us"])
        pairs += [
            (lock["name"], f"{lock['acquisitions']:,} acquisitions, "
             f"mean wait {time_text(lock['mean_wait_us'])}, longest "
             f"{time_text(lock['max_wait_us'])}, mean hold {time_text(lock['mean_hold_us'])}")
            for lock in locks[:SHOWN_LOCKS]
        ]  # fmt: skip
        if len(locks) > SHOWN_LOCKS:
            pairs.append(("", f"and {len(locks) - SHOWN_LOCKS} more locks"))
        return pairs + [(name, str(value)) for name, value in self.results.items()]

    def __repr__(self) -> str:
        pairs = self.numbers()
        width = max(len(name) for name, _ in pairs)
        return "\n".join(
            [f"Run in {self.folder}", *(f"  {name:<{width}}  {text}" for name, text in pairs)]
        )

    def _repr_html_(self) -> str:
        left = 'style="text-align: left"'
        rows = (
            f"<tr><th {left}>{escape(name)}</th><td {left}>{escape(text)}</td></tr>"
            for name, text in self.numbers()
        )
        caption = f"<caption>Run in {escape(str(self.folder))}</caption>"
        return f"<table>{caption}{''.join(rows)}</table>"

    def _activities(self) -> list[str]:
        """Share of the processors' time by activity, largest first."""
        of_each = [one["activities_us"] for one in self.summary["processors"]]
        sums = {name: sum(one[name] for one in of_each) for name in of_each[0]}
        whole = sum(sums.values()) or 1.0
        order = sorted(sums.items(), key=lambda item: -item[1])
        return [f"{name} {us / whole:.1%}" for name, us in order if us / whole >= 0.0005]

    def _table(self, name: str) -> "pd.DataFrame":
        from symlab.results.columns import of_run
        from symlab.results.csv_file import read_csv

        return read_csv(self.folder / name, of_run)


def time_text(time_us: float) -> str:
    """A time as people read it: `57.8 ms`, `2.79 us`."""
    unit, factor = next(
        (pair for pair in (("s", 1e6), ("ms", 1e3)) if time_us >= pair[1]), ("us", 1.0)
    )
    return f"{time_us / factor:.3g} {unit}"
