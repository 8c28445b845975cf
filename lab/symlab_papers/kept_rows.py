# SPDX-License-Identifier: MIT
"""CSVs of a paper's results in which each sweep, or each claim, has rows of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from symlab.files import write_atomically
from symlab.results.columns import texts
from symlab.results.csv_file import csv_bytes, read_csv


@dataclass(frozen=True)
class KeptRows:
    """A CSV with columns of `texts` and of `numbers`, sorted by the first one, which says whose row
    it is. `advice`: how a damaged file is made again."""

    file: str
    texts: Sequence[str]
    numbers: Sequence[str]
    advice: str

    @property
    def columns(self) -> list[str]:
        return [*self.texts, *self.numbers]

    def load(self, folder: Path) -> pd.DataFrame:
        """The table in `folder`, without rows if the file is missing. Raises UserError."""
        path = folder / self.file
        if not path.is_file():
            return pd.DataFrame(columns=self.columns)
        found = read_csv(path, texts(*self.texts), self.advice, self.columns)
        return found.fillna(dict.fromkeys(self.texts, ""))

    def replace(self, folder: Path, new: pd.DataFrame) -> Path:
        """Writes `new` in place of the rows of the same sweeps or claims. Returns the path. Raises
        LabError."""
        key = self.texts[0]
        before = self.load(folder)
        kept = before[~before[key].isin(new[key])]
        both = pd.concat([table for table in (kept, new) if len(table)])
        data = csv_bytes(both.sort_values(key, kind="stable"), texts(*self.texts))
        write_atomically(folder / self.file, data)
        return folder / self.file


SPREADS = KeptRows(
    "spread.csv", ("sweep", "quantity", "point"), ("mean", "spread", "part"),
    "measure it with `symlab paper PAPER spread`",
)  # fmt: skip
SENSITIVITY = KeptRows(
    "sensitivity.csv", ("claim", "parameter", "setting", "verdict"), ("value", "bound", "margin"),
    "make it with `symlab paper PAPER sensitivity`",
)  # fmt: skip
# Which commit made each table: with "-changed" behind it if the tree differed from it.
VERSIONS = KeptRows(
    "versions.csv", ("sweep", "commit"), (), "make it again with symlab paper",
)  # fmt: skip


def load_versions(folder: Path) -> dict[str, str]:
    """Sweep -> commit. Raises UserError."""
    found = VERSIONS.load(folder)
    return dict(zip(found["sweep"], found["commit"], strict=True))
