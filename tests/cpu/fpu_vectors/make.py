#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes vectors.txt: operands and correct results of 80387 instructions.

    python3 tests/cpu/fpu_vectors/make.py > tests/cpu/fpu_vectors/vectors.txt

Needs mpmath (1.3.0 was used), and no x87. Transcendental functions are computed with ever more
bits until the rounding is certain; everything else is exact.
"""

import random
from fractions import Fraction
from math import isqrt

import mpmath
from rounding import (
    ALL_ONES,
    BIAS,
    C0,
    C1,
    C2,
    C3,
    DENORMAL,
    DOWN,
    GREATEST,
    INDEFINITE,
    INTEGER_BIT,
    INVALID,
    PRECISION,
    ZERO,
    Float,
    Magnitude,
    Result,
    cut,
    irrational,
    precision,
    quotient,
    rounded,
    to_mpf,
)

SEED = 387
VECTORS = 150  # of each instruction

# --- the instructions -----------------------------------------------------------------------------


def arithmetic(control, value, sign):
    return quotient(control, value, sign, precision(control))


def fadd(control, x, y):
    # The zero of two operands with opposite signs is negative if rounding is down.
    sign = x.sign if x.sign == y.sign else int(control >> 10 & 3 == DOWN)
    return arithmetic(control, x.value() + y.value(), sign)


def fsub(control, x, y):
    return fadd(control, x, y._replace(sign=1 - y.sign))


def fmul(control, x, y):
    return arithmetic(control, x.value() * y.value(), x.sign ^ y.sign)


def fdiv(control, x, y):
    return arithmetic(control, x.value() / y.value(), x.sign ^ y.sign)


def fsqrt(control, x, _):
    value = x.value() * (1 << 2 * ROOT_BITS)
    man = isqrt(value.numerator // value.denominator)
    more = man * man != value
    return rounded(control, 0, Magnitude(man, -ROOT_BITS, more), precision(control))


def frndint(control, x, _):
    value = abs(x.value())
    number = Magnitude(value.numerator, 1 - value.denominator.bit_length(), False)
    whole, inexact, up = cut(control >> 10 & 3, x.sign, number, 0)
    result = quotient(control, Fraction(-whole if x.sign else whole), x.sign).register
    return Result(result, (PRECISION if inexact else 0) | (C1 if up else 0))


ROOT_BITS = 17000  # more than the least denormal has
QUARTER = Fraction((0xC90FDAA22168C234 << 2) | 3, 1 << 65)  # pi / 2 of the chip: 66 bits


def reduced(x):
    """The quadrant of an angle, and the angle in it."""
    turns = round(x / QUARTER)
    return turns & 3, to_mpf(x - turns * QUARTER)


def fsin(control, x, _):
    quadrant, angle = reduced(x.value())
    sign = -1 if quadrant & 2 else 1
    of = mpmath.cos if quadrant & 1 else mpmath.sin
    return irrational(control, lambda: sign * of(angle))


def fcos(control, x, _):
    quadrant, angle = reduced(x.value())
    sign = -1 if quadrant in (1, 2) else 1
    of = mpmath.sin if quadrant & 1 else mpmath.cos
    return irrational(control, lambda: sign * of(angle))


def fptan(control, x, _):
    quadrant, angle = reduced(x.value())
    return irrational(control, lambda: -mpmath.cot(angle) if quadrant & 1 else mpmath.tan(angle))


def f2xm1(control, x, _):
    if abs(x.value()) == 1:
        return quotient(control, Fraction(-1, 2) if x.sign else Fraction(1), x.sign)
    argument = to_mpf(x.value())
    return irrational(control, lambda: mpmath.expm1(argument * mpmath.ln(2)))


def fyl2x(control, x, y):
    if x.significand & (x.significand - 1) == 0:
        power = x.value()
        power = power.numerator.bit_length() - power.denominator.bit_length()
        return quotient(control, y.value() * power, y.sign)
    of, times = to_mpf(x.value()), to_mpf(y.value())
    return irrational(control, lambda: times * (mpmath.ln(of) / mpmath.ln(2)))


def fyl2xp1(control, x, y):
    of, times = to_mpf(x.value()), to_mpf(y.value())
    return irrational(control, lambda: times * (mpmath.log1p(of) / mpmath.ln(2)))


def fpatan(control, x, y):
    up, along = to_mpf(y.value()), to_mpf(x.value())
    return irrational(control, lambda: mpmath.atan2(up, along))


def fscale(control, x, y):
    if y.zero():
        return Result(x.canonical())
    steps = min(abs(y.value()) // 1, 1 << 17)
    return quotient(control, x.value() * Fraction(2) ** (-steps if y.sign else steps), x.sign)


def remainder(control, x, y, near):
    if y.infinite():
        return Result(x.canonical())
    a, b = abs(x.value()), abs(y.value())
    apart = power_of(a) - power_of(b)
    sign, codes = -1 if x.sign else 1, 0
    if apart >= 64:  # reduces by 32 to 63 bits
        b *= Fraction(2) ** (apart - (32 + apart % 32))
        rest, codes = a % b, C2
    else:
        times = round(a / b) if near else a // b  # round() takes the even of two as near
        rest = a - times * b
        codes |= (C1 if times & 1 else 0) | (C3 if times & 2 else 0)
        codes |= C0 if times & 4 else 0
    result = quotient(control, sign * rest, x.sign)
    return Result(result.register, result.status | codes)


def power_of(value):
    power = value.numerator.bit_length() - value.denominator.bit_length()
    return power if value >= Fraction(2) ** power else power - 1


def fprem(control, x, y):
    return remainder(control, x, y, near=False)


def fprem1(control, x, y):
    return remainder(control, x, y, near=True)


ARITHMETIC = (fadd, fsub, fmul, fdiv, fsqrt, frndint)
OF_TWO = (fadd, fsub, fmul, fdiv, fyl2x, fyl2xp1, fpatan, fscale, fprem, fprem1)
ANGLES = (fsin, fcos, fptan)


def executed(instruction, control, x, y):
    """What an instruction leaves in the register of its result, and in the status word."""
    if not x.finite():
        quiet = Float(x.sign, x.exponent, x.significand | 1 << 62) if x.nan() else INDEFINITE
        status = 0 if quiet == x else INVALID
        return Result(x if status & ~control else quiet, status)
    if instruction in ANGLES and x.exponent >= BIAS + 63:
        return Result(x, C2)
    if instruction is fsqrt and x.sign:  # an invalid operation goes before a denormal operand
        return Result(INDEFINITE if control & INVALID else x, INVALID)
    status = DENORMAL if x.denormal() or y.denormal() else 0
    if status & ~control:  # the operands stay
        return Result(x, status)
    result = instruction(control, x, y)
    return Result(result.register, result.status | status)


# --- the operands ---------------------------------------------------------------------------------


class Chance:
    def __init__(self):
        self._bits = random.Random(SEED).getrandbits

    def below(self, n):
        return self._bits(40) % n

    def control(self):
        masks = 0x3F if self.below(2) else self.below(64) | INVALID
        precision = (0, 0x200, 0x300)[self.below(3)]
        return 0x40 | masks | precision | self.below(4) << 10

    def significand(self):
        few = self._bits(64) >> self.below(64) << self.below(64)
        kinds = (self._bits(64), few & ALL_ONES, ALL_ONES >> self.below(63))
        return INTEGER_BIT | kinds[self.below(3)]

    def normal(self, low, high):
        exponent = BIAS + low + self.below(high - low + 1)
        return Float(self.below(2), exponent, self.significand())

    def denormal(self):
        return Float(self.below(2), 0, self.significand() >> self.below(64))

    def smallest(self):
        """Near the least normal number, where results underflow."""
        return self.denormal() if self.below(2) else self.normal(1 - BIAS, 4 - BIAS)

    def near_quarter(self):
        """Within some units of a multiple of the true pi / 2."""
        with mpmath.workprec(256):
            value = (1 + self.below(1 << self.below(40))) * mpmath.pi / 2
            man, exp = mpmath.frexp(value)
            digits = int(mpmath.nint(mpmath.ldexp(man, 64))) + self.below(5) - 2
        return Float(self.below(2), BIAS + int(exp) - 1, digits & ALL_ONES | INTEGER_BIT)


NO_NUMBERS = (
    Float(0, 0x7FFF, 3 << 62 | 0x123),
    Float(1, 0x7FFF, INTEGER_BIT | 5),
    Float(0, 0x7FFF, 5),
    Float(1, BIAS, 1 << 62),
)


def operands(chance, instruction, turn):
    """ST(0) and ST(1) for one vector."""
    kind = turn % 5
    if turn < len(NO_NUMBERS) and instruction not in OF_TWO:
        return NO_NUMBERS[turn], ZERO
    if instruction in ARITHMETIC:
        x = (
            chance.normal(-40, 40),
            chance.smallest(),
            chance.normal(BIAS - 3, BIAS),
            chance.normal(-3, 66),
            chance.normal(-BIAS // 2 - 40, -BIAS // 2 + 40),
        )[kind]
        if instruction not in OF_TWO:
            return x, ZERO
        near = chance.normal(-2, 2)
        exponent = max(1, min(GREATEST, x.exponent + near.exponent - BIAS))
        return x, chance.smallest() if chance.below(8) == 0 else near._replace(exponent=exponent)
    if instruction in ANGLES:
        pick = (
            lambda: chance.normal(-70, 0),
            lambda: chance.normal(-3, 62),
            chance.smallest,
            chance.near_quarter,
            lambda: chance.normal(62, 70) if chance.below(4) == 0 else chance.normal(-40, 8),
        )
        return pick[kind](), ZERO
    if instruction is f2xm1:
        tiny = chance.smallest() if chance.below(2) else Float(chance.below(2), BIAS, INTEGER_BIT)
        return (tiny if kind == 0 else chance.normal(-1 - 17 * kind, -1)), ZERO
    middle, small = chance.normal(-40, 40), chance.smallest()
    if instruction is fyl2x:
        little = chance.significand() >> 40
        above, below = Float(0, BIAS, INTEGER_BIT | little), Float(0, BIAS - 1, ALL_ONES - little)
        near_1 = above if chance.below(2) else below
        x = (middle, near_1, small, middle, Float(0, BIAS + chance.below(90), INTEGER_BIT))[kind]
        return x._replace(sign=0), small if kind > 1 else chance.normal(-40, 40)
    if instruction is fyl2xp1:
        return (small if kind == 0 else chance.normal(-3 - 16 * kind, -3)), (
            small if kind > 2 else chance.normal(-40, 40)
        )
    if instruction is fpatan:
        wide = chance.normal(1 - BIAS, BIAS)
        return (middle, wide, small, middle, wide)[kind], (
            chance.normal(-40, 40),
            wide,
            chance.smallest(),
            small,
            chance.normal(-40, 40),
        )[kind]
    if instruction is fscale:
        steps = chance.normal(0, 13)
        factor = (ZERO, Float(1, 0, 0), chance.normal(-20, -1), chance.normal(0, 5), steps)[kind]
        return (small if kind < 4 else middle), factor
    infinite = Float(chance.below(2), 0x7FFF, INTEGER_BIT)
    near = middle._replace(exponent=middle.exponent + chance.below(5) - 2)
    far = chance.normal(-200, 200)
    return (
        (small, middle, middle, small, middle)[kind],
        (chance.smallest(), near, far, infinite, chance.normal(-40, 40))[kind],
    )


TRANSCENDENTAL = (f2xm1, fyl2x, fptan, fpatan, fyl2xp1, fsin, fcos)
INSTRUCTIONS = (*ARITHMETIC, fscale, fprem, fprem1, *TRANSCENDENTAL)


def main():
    print("# SPDX-License-Identifier: MIT")
    print("# Written by make.py, which says how; do not edit. The columns are the instruction, the")
    print("# control word, ST(0) and ST(1), the register of the result, and the status word's")
    print("# exceptions and condition codes.")
    chance = Chance()
    for instruction in INSTRUCTIONS:
        seen = set()
        turn = 0
        while len(seen) < VECTORS:
            x, y = operands(chance, instruction, turn)
            control = chance.control()
            turn += 1
            if (control, x, y) in seen or (x.zero() and instruction is not fscale):
                continue
            result = executed(instruction, control, x, y)
            seen.add((control, x, y))
            told = f"{result.register} {result.status:04x}"
            print(f"{instruction.__name__} {control:04x} {x} {y} {told}")


if __name__ == "__main__":
    main()
