# SPDX-License-Identifier: MIT
"""Numbers with their run-to-run spread, and what is computed from them."""

from dataclasses import dataclass
from typing import Union

Number = Union["Ranged", float]


@dataclass(frozen=True)
class Ranged:
    """A number that lies from value - spread to value + spread; NaN if no spread was measured. A
    result has the largest spread that its operands allow, to first order. A plain number has none.
    Ranged numbers are ordered by their values."""

    value: float
    spread: float

    def __add__(self, other: Number) -> "Ranged":
        return Ranged(self.value + float(other), self.spread + _spread(other))

    def __sub__(self, other: Number) -> "Ranged":
        return Ranged(self.value - float(other), self.spread + _spread(other))

    def __rsub__(self, other: float) -> "Ranged":
        return Ranged(other - self.value, self.spread)

    def __mul__(self, factor: float) -> "Ranged":
        return Ranged(self.value * factor, self.spread * abs(factor))

    def __rmul__(self, factor: float) -> "Ranged":
        return Ranged(factor * self.value, self.spread * abs(factor))

    def __truediv__(self, other: Number) -> "Ranged":
        ratio = self.value / float(other)
        spread = self.spread + _spread(other) * abs(ratio)
        return Ranged(ratio, spread / abs(float(other)))

    def __rtruediv__(self, other: float) -> "Ranged":
        return Ranged(other, 0.0) / self

    def __abs__(self) -> "Ranged":
        return Ranged(abs(self.value), self.spread)

    def __float__(self) -> float:
        return self.value

    def __lt__(self, other: Number) -> bool:
        return self.value < float(other)

    def __gt__(self, other: Number) -> bool:
        return self.value > float(other)

    def __format__(self, how: str) -> str:
        return format(self.value, how)


def _spread(number: Number) -> float:
    return number.spread if isinstance(number, Ranged) else 0.0


ONE = Ranged(1.0, 0.0)
