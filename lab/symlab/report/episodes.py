# SPDX-License-Identifier: MIT
"""Every single wait for a lock and hold of a lock, from the marks of a run's log.

As in locks.csv, each processor is evaluated on its own. A second attempt without an acquisition in
between replaces the first. A release without an acquisition ends no hold.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

NEVER = np.iinfo(np.int64).max  # end of a wait that lasts beyond the end of the run


@dataclass(frozen=True)
class Episodes:
    """Three frames, each in order of its last time column.

    `waits`: lock (address), processor, attempt_ps, acquired_ps (NEVER if still waiting at the end
    of the run). `holds`: lock, processor, acquired_ps, released_ps. `releases`: lock, processor,
    time_ps, including releases that end no hold.
    """

    waits: pd.DataFrame
    holds: pd.DataFrame
    releases: pd.DataFrame

    @property
    def ended_waits(self) -> pd.DataFrame:
        return self.waits[self.waits["acquired_ps"] < NEVER]


def episodes(marks: pd.DataFrame) -> Episodes:
    """The episodes in the table marks of a transaction log (docs/reference/transactions.md)."""
    of_locks = marks["probe"].isin(["lock_attempt", "lock_acquired", "lock_release"])
    rows = marks.loc[of_locks, ["value", "processor", "time_ps", "probe"]]
    rows = rows.rename(columns={"value": "lock"})
    rows = rows.astype({"lock": np.int64, "processor": np.int64, "probe": str})
    rows = rows.sort_values(["lock", "processor", "time_ps"], kind="stable")
    waits = _pairs(rows, "lock_attempt", "lock_acquired", "attempt_ps", "acquired_ps")
    holds = _pairs(rows, "lock_acquired", "lock_release", "acquired_ps", "released_ps")
    releases = rows[rows["probe"] == "lock_release"].drop(columns="probe")
    return Episodes(
        waits,
        holds[holds["released_ps"] < NEVER].reset_index(drop=True),
        releases.sort_values(["time_ps", "lock"], kind="stable", ignore_index=True),
    )


def _pairs(rows: pd.DataFrame, first: str, last: str, begin: str, end: str) -> pd.DataFrame:
    """Pairs each probe `first` with the next probe of its processor and lock.

    That next probe must be a `last`, or be missing: the pair then ends at NEVER. Probes of other
    names are ignored. `begin`, `end`: names of the columns for the two times.
    """
    both = rows[rows["probe"].isin([first, last])]
    following = both.groupby(["lock", "processor"], sort=False)[["probe", "time_ps"]].shift(-1)
    begins = (both["probe"] == first) & (following["probe"].isna() | (following["probe"] == last))
    found = both.loc[begins, ["lock", "processor"]].copy()
    found[begin] = both.loc[begins, "time_ps"]
    found[end] = following.loc[begins, "time_ps"].astype("Int64").fillna(NEVER).astype(np.int64)
    return found.sort_values([end, begin], kind="stable", ignore_index=True)
