# SPDX-License-Identifier: MIT
"""What a description of an interface says: its procedures, their parameters and types."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scalar:
    """A type of C. `words`: that a value takes in a message. `as_word`: the value is converted to
    a word; else its bytes are copied."""

    c: str
    bytes: int
    as_word: bool

    @property
    def words(self) -> int:
        return (self.bytes + 3) // 4


BOOL = Scalar("bool", 1, True)
SCALARS = {
    **{f"int{bits}": Scalar(f"int{bits}_t", bits // 8, bits <= 32) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": Scalar(f"uint{bits}_t", bits // 8, bits <= 32) for bits in (8, 16, 32, 64)},
    "bool": BOOL,
    "float": Scalar("float", 4, False),
    "double": Scalar("double", 8, False),
}
BYTES = "bytes"  # in an array: uint8


@dataclass(frozen=True)
class Struct:
    c: str
    fields: tuple[tuple[str, Scalar], ...]

    @property
    def tag(self) -> str:
        return self.c.removeprefix("struct ")

    @property
    def words(self) -> int:
        return sum(scalar.words for _, scalar in self.fields)


@dataclass(frozen=True)
class Parameter:
    """An argument or a result. `most`: the largest number of elements of an array; None: it is
    one value."""

    name: str
    type: Scalar | Struct
    most: int | None = None

    @property
    def packed(self) -> bool:
        """Whether the elements of the array are copied as they are in memory."""
        return isinstance(self.type, Scalar) and self.type is not BOOL

    @property
    def words(self) -> int:
        """That it takes at most in a message: an array one more, for its count."""
        if self.most is None:
            return self.type.words
        if isinstance(self.type, Scalar) and self.packed:
            return 1 + (self.most * self.type.bytes + 3) // 4
        return 1 + self.most * self.type.words


@dataclass(frozen=True)
class Procedure:
    name: str
    arguments: tuple[Parameter, ...]
    results: tuple[Parameter, ...]

    @property
    def parameters(self) -> list[str]:
        """As they are declared in C, without the channel."""
        words = []
        for one in self.arguments:
            array = one.most is not None
            words.append(f"const {one.type.c}* {one.name}" if array else f"{one.type.c} {one.name}")
            words += [f"unsigned {one.name}_count"] if array else []
        for one in self.results:
            words.append(f"{one.type.c}* {one.name}")
            words += [] if one.most is None else [f"unsigned* {one.name}_count"]
        return words

    @property
    def passed(self) -> list[str]:
        """What the dispatcher passes for them."""
        words = []
        for one, mark in [*((a, "") for a in self.arguments), *((r, "&") for r in self.results)]:
            array = one.most is not None
            words += [one.name, f"{mark}{one.name}_count"] if array else [f"{mark}{one.name}"]
        return words


@dataclass
class Interface:
    name: str
    structs: dict[str, Struct] = field(default_factory=dict)
    procedures: list[Procedure] = field(default_factory=list)


def words_of(parameters: tuple[Parameter, ...]) -> int:
    return sum(parameter.words for parameter in parameters)
