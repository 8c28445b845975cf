# SPDX-License-Identifier: MIT
"""The benchmark scenarios: configs of configs/bench, each with the bound it must meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from symlab.errors import UserError
from symlab.places import CONFIGS
from symlab.runs.settings import Scalar

FOLDER = CONFIGS / "bench"
SLOWDOWN = "slowdown"
NORMALISED = "normalised_slowdown"
NS_PER_INSTRUCTION = "ns_per_instruction"


@dataclass(frozen=True)
class Scenario:
    """One config, run to its end. `at_most`: bound of the measured `column`, or of its ratio to the
    column of the scenario `against`; None if there is no bound. `short`: settings of the short
    form, which tests run."""

    config: Path
    at_most: float | None = None
    column: str = NORMALISED
    against: str | None = None
    short: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.config.name.removesuffix(".toml")


def _scenario(
    name: str, at_most: float, column: str = NORMALISED, against: str | None = None, /,
    **short: Scalar,
) -> Scenario:  # fmt: skip
    settings = {f"guest.args.{argument}": value for argument, value in short.items()}
    return Scenario(FOLDER / f"{name}.toml", at_most, column, against, settings)


# Each bound on a normalised slowdown is half of what was measured before, here written out, where
# kernel_wake was 135 ns.
SCENARIOS = [
    _scenario("hits", 0.25 / 2, rounds=1),
    _scenario("large-code", 0.79 / 2, rounds=2),
    _scenario("null-threads-local", 0.49 / 2, threads=4000),
    _scenario("null-threads-single", 0.43 / 2, threads=1500),
    _scenario("spin-long", 0.042 / 2, increments=200),
    _scenario("spin-short-xchgb", 0.12 / 2, increments=1000),
    _scenario("spin-short-read", 0.23 / 2, increments=2000),
    _scenario("writes", 0.36 / 2, rounds=3),
    _scenario("mixed", 0.59 / 2, turns=40),
    _scenario("mixed-b", 0.89 / 2, turns=40),
    _scenario("paged", 1.25, SLOWDOWN, "hits", rounds=1),
    _scenario("one", 0.016 / 2, rounds=10),
    _scenario("sixty-four", 1.3, NS_PER_INSTRUCTION, "hits", rounds=1),
]


def chosen(names: list[str]) -> list[Scenario]:
    """The scenarios of `names`, each the name of a scenario or the path of a config. Scenarios that
    these are judged against come first. No names give all scenarios. A config that is not a
    scenario has no bound. Raises UserError for an unknown name."""
    if not names:
        return list(SCENARIOS)
    known = {scenario.name: scenario for scenario in SCENARIOS}
    found: dict[str, Scenario] = {}
    for name in names:
        path = Path(name)
        if name not in known and not path.is_file():
            raise UserError(f"bench {name}: neither a config nor one of {', '.join(known)}")
        same = (s for s in SCENARIOS if s.config.samefile(path))
        scenario = known.get(name) or next(same, None) or Scenario(path)
        if scenario.against:
            found.setdefault(scenario.against, known[scenario.against])
        found[scenario.name] = scenario
    return list(found.values())
