# SPDX-License-Identifier: MIT
"""Draws the pictures of results again: `python -m symlab_tools.pictures [NAME ...]`.

Those of traces are drawn from short runs of the simulator, in results/pictures/. Other pictures of
docs/pictures are drawn by hand.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from symlab.errors import UserError
from symlab.failing import guarded
from symlab.files import write_atomically
from symlab.places import ROOT

from symlab_tools.bench import speed_over_time
from symlab_tools.pictures import all_locks, exchange_timing, handoff

OUT = ROOT / "docs" / "pictures"
RUNS = ROOT / "results" / "pictures"
NAMES = ("exchange-timing", *handoff.FILES, "all-locks", "speed-over-time")


def drawn(name: str, runs: Path) -> str:
    """The SVG of a picture of NAMES. Simulates below `runs` if the picture shows a trace."""
    if name == "all-locks":
        return all_locks.draw(all_locks.series(all_locks.read()))
    if name == "speed-over-time":
        return speed_over_time.draw(speed_over_time.read())
    if name == "exchange-timing":
        return exchange_timing.draw(exchange_timing.simulate(runs / name))
    lock = handoff.FILES[name]
    return handoff.draw(lock, handoff.simulate(runs / name, lock))


def main(names: list[str]) -> None:
    """Draws the named pictures, or all, several at a time. Raises LabError."""
    chosen = names or list(NAMES)
    if unknown := [name for name in chosen if name not in NAMES]:
        raise UserError(f"no picture {', '.join(unknown)}; there are {', '.join(NAMES)}")
    with ProcessPoolExecutor() as pool:
        pictures = pool.map(drawn, chosen, [RUNS] * len(chosen))
        for name, picture in zip(chosen, pictures, strict=True):
            path = OUT / f"{name}.svg"
            write_atomically(path, picture.encode())
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(guarded(lambda: main(sys.argv[1:])))
