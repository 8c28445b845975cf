# SPDX-License-Identifier: MIT
"""Numbers of an 80387's registers, and rounding to them.

The rules are those of docs/how-it-works/80387.md, written a second time, independently of
sim/cpu/fpu/.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import mpmath
from mpmath.libmp import from_man_exp

BIAS = 0x3FFF
INTEGER_BIT = 1 << 63
ALL_ONES = (1 << 64) - 1
LEAST, GREATEST = 1, 0x7FFE  # exponents of normal numbers
WRAP = 24576  # added to the exponent of an unmasked underflow, taken from that of an overflow

INVALID, DENORMAL, OVERFLOW, UNDERFLOW, PRECISION = 1, 2, 8, 16, 32
C0, C1, C2, C3 = 0x100, 0x200, 0x400, 0x4000
NEAREST, DOWN, UP, CHOP = range(4)


class Float(NamedTuple):
    """A register: the sign, the biased exponent, the significand."""

    sign: int
    exponent: int
    significand: int

    def __str__(self):
        return f"{self.sign << 15 | self.exponent:04x}:{self.significand:016x}"

    def finite(self):
        return self.exponent <= GREATEST and (self.exponent == 0 or self.significand & INTEGER_BIT)

    def zero(self):
        return self.exponent == 0 and self.significand == 0

    def infinite(self):
        return self.exponent > GREATEST and self.significand == INTEGER_BIT

    def nan(self):
        return self.exponent > GREATEST and self.significand > INTEGER_BIT

    def denormal(self):
        return self.exponent == 0 and self.significand != 0

    def value(self):
        magnitude = self.significand * Fraction(2) ** (max(self.exponent, 1) - BIAS - 63)
        return -magnitude if self.sign else magnitude

    def canonical(self):
        """A pseudo-denormal becomes the normal number that it equals."""
        return self._replace(exponent=1) if self.exponent == 0 and self.significand >> 63 else self


ZERO = Float(0, 0, 0)
INDEFINITE = Float(1, 0x7FFF, 3 << 62)


@dataclass(frozen=True)
class Result:
    register: Float
    status: int = 0  # exceptions and condition codes


class Magnitude(NamedTuple):
    """man * 2^exp; if `more`, it is greater by less than 2^exp."""

    man: int
    exp: int
    more: bool

    def power(self):
        """The greatest n with 2^n <= the number."""
        return self.exp + self.man.bit_length() - 1


def cut(way, sign, number, unit):
    """The multiple of 2^unit; whether it is inexact; whether it was rounded up."""
    shift = unit - number.exp
    if shift <= 0:
        assert not number.more
        return number.man << -shift, False, False
    kept, rest = number.man >> shift, number.man & ((1 << shift) - 1)
    if rest == 0 and not number.more:
        return kept, False, False
    half = 1 << (shift - 1)
    near = rest > half or (rest == half and (number.more or kept & 1 == 1))
    up = {NEAREST: near, DOWN: sign == 1, UP: sign == 0, CHOP: False}[way]
    return kept + up, True, up


def precision(control):
    """The bits of a significand by precision control, which only arithmetic follows."""
    return {0: 24, 2: 53, 3: 64}[control >> 8 & 3]


def rounded(control, sign, number, bits=64):
    """A number other than 0 rounded to `bits` bits, with the exceptions and C1 that it causes."""
    way = control >> 10 & 3
    power = number.power()
    kept, inexact, up = cut(way, sign, number, power - bits + 1)
    if kept >> bits:
        kept, power = kept >> 1, power + 1
    exponent = power + BIAS
    told = (PRECISION if inexact else 0) | (C1 if up else 0)
    if exponent > GREATEST:
        if not control & OVERFLOW:
            return Result(Float(sign, exponent - WRAP, kept << 64 - bits), told | OVERFLOW)
        if way in (NEAREST, DOWN if sign else UP):
            return Result(Float(sign, 0x7FFF, INTEGER_BIT), OVERFLOW | PRECISION | C1)
        most = ALL_ONES >> 64 - bits << 64 - bits
        return Result(Float(sign, GREATEST, most), OVERFLOW | PRECISION)
    tiny = exponent < LEAST
    if tiny and not control & UNDERFLOW:
        return Result(Float(sign, exponent + WRAP, kept << 64 - bits), told | UNDERFLOW)
    if number.power() + BIAS < LEAST:
        kept, inexact, up = cut(way, sign, number, LEAST - BIAS - bits + 1)
        exponent = kept >> bits - 1
        told = (PRECISION if inexact else 0) | (C1 if up else 0)
    told |= UNDERFLOW if tiny and inexact else 0
    return Result(Float(sign, exponent, kept << 64 - bits), told)


def quotient(control, value, sign, bits=64):
    """The result if it is rational. `sign` is that of a zero."""
    if value == 0:
        return Result(Float(sign, 0, 0))
    shift = value.denominator.bit_length() + 128
    man, rest = divmod(abs(value.numerator) << shift, value.denominator)
    return rounded(control, int(value < 0), Magnitude(man, -shift, rest != 0), bits)


def to_mpf(value):
    power = value.denominator.bit_length() - 1
    return mpmath.mp.make_mpf(from_man_exp(value.numerator, -power))


def irrational(control, function):
    """The result if it never has finitely many bits: with as many as make the rounding certain."""
    bits, before = 256, None
    while bits < 1 << 19:
        with mpmath.workprec(bits):
            sign, man, exp, _ = function()._mpf_
        man, exp = man << (bits + 20), exp - (bits + 20)
        slack = 1 << (man.bit_length() - bits + 16)  # 2^16 units in the last place of mpmath
        low = rounded(control, sign, Magnitude(man - slack, exp, True))
        high = rounded(control, sign, Magnitude(man + slack, exp, True))
        if low == high == before:
            return low
        before, bits = low, 2 * bits
    raise ArithmeticError("this is not an irrational number")
