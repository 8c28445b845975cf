# SPDX-License-Identifier: MIT
"""Numbers with their run-to-run spread, and what is computed from them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ranged:
    """A number that lies from value - spread to value + spread; NaN if no spread was measured.

    A result has the largest spread that its operands allow, to first order.
    """

    value: float
    spread: float

    def __add__(self, other: "Ranged") -> "Ranged":
        return Ranged(self.value + other.value, self.spread + other.spread)

    def __sub__(self, other: "Ranged") -> "Ranged":
        return Ranged(self.value - other.value, self.spread + other.spread)

    def __mul__(self, factor: float) -> "Ranged":
        return Ranged(self.value * factor, self.spread * abs(factor))

    def __truediv__(self, other: "Ranged") -> "Ranged":
        ratio = self.value / other.value
        spread = self.spread + other.spread * abs(ratio)
        return Ranged(ratio, spread / abs(other.value))


ONE = Ranged(1.0, 0.0)
