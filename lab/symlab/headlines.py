# SPDX-License-Identifier: MIT
"""The main conclusions of a paper, and the sizes of short sweeps that suffice to judge them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symlab.figure import Figure
from symlab.figures import (
    all_3_1,
    all_3_2,
    all_4_1,
    all_4_2,
    all_4_3,
    all_4_5,
    all_5_1,
    all_5_1_private,
    all_5_2,
    all_5_3,
    all_5_4,
    all_fairness,
)
from symlab.thread_rates import STRATEGIES

LOCK = "guest.args.lock"
BACKOFF = "backoff"
RIVALS = ("xchgb", "read")
LOCKS = {LOCK: [*RIVALS, BACKOFF]}
AMONG_RIVALS = {LOCK: list(RIVALS)}
# The images of guest/sensitivity.cmake: thread programs whose package uses other backoff delays.
OF_THE_PACKAGE = {"guest.image": "{program}-{strategy}-{lock}"}


@dataclass(frozen=True)
class Headline:
    """A figure with main conclusions.

    `part`: name of its sweep. `claims`: names of its claim functions. `size`: overrides that make
    the sweep short. `delays`: further overrides for a sweep over backoff locks with other delays;
    its value of LOCK lists the locks that backoff is compared with. None if the figure has no lock
    contention.
    """

    part: str
    figure: Figure
    claims: tuple[str, ...]
    size: Mapping[str, Any]
    delays: Mapping[str, Any] | None = None

    @property
    def rivals(self) -> Sequence[str]:
        return (self.delays or {}).get(LOCK, [])

    @property
    def ids(self) -> list[str]:
        return [claim.replace("all_", "ALL-") for claim in self.claims]

    @property
    def functions(self) -> Figure:
        """The figure with only these claims."""
        chosen = tuple(c for c in self.figure.claims if c.__name__ in self.claims)
        assert len(chosen) == len(self.claims), self.claims
        return Figure(self.figure.id, "", chosen, self.figure.series, self.figure.draw)


HEADLINES = {
    "ALL": (
        Headline(
            "figure-3.1",
            all_3_1.FIGURE,
            ("all_05", "all_06", "all_09", "all_10", "all_11", "all_12", "all_13"),
            {
                "guest.args.threads": [200, 400],
                "guest.args.strategy": list(STRATEGIES),
            },
        ),
        Headline(
            "figure-3.2",
            all_3_2.FIGURE,
            ("all_18", "all_20", "all_21", "all_22"),
            {**all_3_2.FIGURE.reduced, "guest.args.threads": 1000},
            OF_THE_PACKAGE,
        ),
        Headline(
            "figure-4.1",
            all_4_1.FIGURE,
            ("all_43", "all_44", "all_45", "all_46", "all_47", "all_48"),
            {"guest.args.increments": 1000},
            AMONG_RIVALS,
        ),
        Headline(
            "figure-4.2",
            all_4_2.FIGURE,
            ("all_49", "all_50", "all_51"),
            {"guest.args.increments": 200, "guest.args.work": [0, 2, 8, 32, 64]},
            AMONG_RIVALS,
        ),
        Headline(
            "figure-4.3",
            all_4_3.FIGURE,
            ("all_52", "all_53", "all_54"),
            {"guest.args.rounds": 10, **LOCKS},
            AMONG_RIVALS,
        ),
        Headline(
            "section-4.4-fairness",
            all_fairness.FIGURE,
            ("all_59",),
            {"guest.args.turns": 100, **LOCKS},
            AMONG_RIVALS,
        ),
        Headline(
            "section-4.5",
            all_4_5.FIGURE,
            ("all_61",),
            {
                "guest.args.threads": 2000,
                "guest.args.rounds": 2,
                "guest.image": [all_4_5.THREADS, all_4_5.OPERATIONS],
            },
        ),
        Headline(
            "figure-5.1",
            all_5_1.FIGURE,
            ("all_73", "all_74"),
            all_5_1.FIGURE.reduced,
            OF_THE_PACKAGE,
        ),
        Headline(
            "section-5.1-private",
            all_5_1_private.FIGURE,
            ("all_71",),
            # Up to 20 processors, since with write-back caches the bus traffic is small.
            {
                **all_5_1_private.FIGURE.reduced,
                "machine.processors": [1, 2, 3, 4, 5, 6, 8, 12, 16, 20],
            },
        ),
        Headline(
            "figure-5.2",
            all_5_2.FIGURE,
            ("all_75",),
            all_5_2.FIGURE.reduced,
            OF_THE_PACKAGE,
        ),
        Headline(
            "figure-5.3",
            all_5_3.FIGURE,
            ("all_76",),
            all_5_3.FIGURE.reduced,
            OF_THE_PACKAGE,
        ),
        Headline(
            "figure-5.4",
            all_5_4.FIGURE,
            ("all_77", "all_78"),
            all_5_4.FIGURE.reduced,
            OF_THE_PACKAGE,
        ),
    )
}

# Paper -> the failing claims that are not among its headlines, and the reasons.
LEFT_OUT = {
    "ALL": "Of the claims that fail at the paper's size seven are left out: ALL-27, ALL-28, ALL-31 "
    "and ALL-55, which turn on differences that short runs do not settle, and ALL-56, ALL-58 and "
    "ALL-66, whose sweeps go through the protocols themselves."
}
