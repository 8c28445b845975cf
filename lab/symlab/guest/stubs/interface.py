# SPDX-License-Identifier: MIT
"""Reads the description of an interface, and refuses what the stubs could not do."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from symlab.errors import UserError
from symlab.places import GUEST

BYTES = "bytes"  # in an array: uint8
GRAMMAR = r"""
    start: "interface" NAME "{" (struct | procedure)* "}" ";"?
    struct: "struct" NAME "{" (parameter ";")* "}" ";"?
    procedure: NAME "(" parameters ")" ["returns" "(" parameters ")"] ";"
    parameters: [parameter ("," parameter)*]
    parameter: NAME NAME ["[" NUMBER "]"]

    NAME: /[A-Za-z_][A-Za-z_0-9]*/
    NUMBER: /[0-9]+/
    %ignore /\s+/
    %ignore /\/\/[^\n]*/
    %ignore /\/\*(.|\n)*?\*\//
"""
# How lark names the words of the grammar.
WORDS = {
    "NAME": "a name", "NUMBER": "a number", "INTERFACE": "interface", "STRUCT": "struct",
    "RETURNS": "returns", "LPAR": "(", "RPAR": ")", "LBRACE": "{", "RBRACE": "}", "LSQB": "[",
    "RSQB": "]", "COMMA": ",", "SEMICOLON": ";", "$END": "the end of the file",
}  # fmt: skip
# Names that mean something in the generated C, and names that it uses itself.
C_WORDS = {
    "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char", "const", "continue",
    "default", "do", "double", "else", "enum", "extern", "false", "float", "for", "goto", "if",
    "inline", "int", "long", "main", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "true", "typedef", "typeof", "union", "unsigned", "void",
    "volatile", "while",
}  # fmt: skip
OWN = re.compile(r"urpc(_.*)?|_.*")
Node = Any  # a Tree of lark, whose types leave open which children are trees and which are tokens


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


def read_interface(file: Path) -> Interface:
    """Reads and checks a description. Raises UserError with file, line and column."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UserError(f"stubs: cannot read {file}: {reason}") from None
    return _Reader(file, text).interface()


def limit(name: str) -> int:
    """A limit that guest/include/urpc.h defines."""
    header = (GUEST / "include/urpc.h").read_text(encoding="utf-8")
    found = re.search(rf"^#define {name} (\d+)", header, re.MULTILINE)
    assert found is not None, name
    return int(found[1])


class _Reader:
    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.text = text
        self.structs: dict[str, Struct] = {}

    def interface(self) -> Interface:
        name, *items = self._tree().children
        self._check_name(name)
        made = Interface(str(name), self.structs)
        named: dict[str, Token] = {}
        for item in items:
            self._check_once(item.children[0], named)
            if item.data == "struct":
                self.structs[str(item.children[0])] = self._struct(made.name, item)
            else:
                made.procedures.append(self._procedure(item))
        most = limit("URPC_PROCEDURES_MOST")
        if not made.procedures:
            raise self._wrong(name, "an interface without procedures; add one, such as reset();")
        if len(made.procedures) > most:
            raise self._wrong(
                name, f"{len(made.procedures)} procedures, and a server has {most} at most; "
                "leave some out"
            )  # fmt: skip
        return made

    def _tree(self) -> Node:
        try:
            return Lark(GRAMMAR, parser="lalr", maybe_placeholders=True).parse(self.text)
        except UnexpectedToken as error:
            end = error.token.type == "$END"
            found = "the file ends" if end else f'found "{error.token}"'
            expected = " or ".join(sorted(WORDS[word] for word in error.accepts or error.expected))
            line, column = self._end() if end else (error.line, error.column)
            raise self._at(line, column, f"{found}; expected {expected}") from None
        except UnexpectedCharacters as error:
            found = f"found {error.char!r}, which has no meaning here; take it out"
            raise self._at(error.line, error.column, found) from None
        except UnexpectedEOF:
            raise self._at(*self._end(), "the file ends in the middle") from None

    def _struct(self, interface: str, tree: Node) -> Struct:
        name, *parameters = tree.children
        self._check_name(name)
        named: dict[str, Token] = {}
        fields = []
        for tree in parameters:
            word, own, number = tree.children
            self._check_once(own, named)
            found = self._type(word, array=number is not None)
            if number is not None or not isinstance(found, Scalar):
                raise self._wrong(
                    word, "a member of a struct is one value of a simple type; "
                    "make it a parameter of its own"
                )  # fmt: skip
            fields.append((str(own), found))
        if not fields:
            raise self._wrong(name, f"struct {name} has no members; add one")
        return Struct(f"struct {interface}_{name}", tuple(fields))

    def _procedure(self, tree: Node) -> Procedure:
        name, arguments, results = tree.children
        self._check_name(name)
        named: dict[str, Token] = {}
        sides = []
        for what, side in (("arguments", arguments), ("results", results)):
            trees = [] if side is None else [child for child in side.children if child is not None]
            parameters = tuple(self._parameter(child, named) for child in trees)
            words, most = words_of(parameters), limit("URPC_WORDS")
            if words > most:
                raise self._wrong(
                    name, f"{name}: its {what} take up to {words} words, and a message has {most} "
                    "(a word is 4 bytes, and an array has one more for its count); shorten an "
                    "array, or make two procedures"
                )  # fmt: skip
            sides.append(parameters)
        return Procedure(str(name), *sides)

    def _parameter(self, tree: Node, named: dict[str, Token]) -> Parameter:
        word, name, number = tree.children
        found = self._type(word, array=number is not None)
        self._check_once(name, named)
        if number is None:
            return Parameter(str(name), found)
        self._check_once(Token.new_borrow_pos(name.type, f"{name}_count", name), named)
        if not 1 <= int(number) <= 1 << 16:
            raise self._wrong(number, f"an array of {number} elements; take 1 or more")
        return Parameter(str(name), found, int(number))

    def _type(self, word: Token, array: bool) -> Scalar | Struct:
        if word == BYTES:
            if not array:
                raise self._wrong(word, "bytes is an array; write bytes NAME[MOST], or uint8 NAME")
            return SCALARS["uint8"]
        types: dict[str, Scalar | Struct] = {**SCALARS, **self.structs}
        if word in types:
            return types[word]
        near = difflib.get_close_matches(word, [*types, BYTES], 1)
        listed = ", ".join([*SCALARS, BYTES, *self.structs])
        hint = f"did you mean {near[0]}?" if near else f"there are {listed}"
        raise self._wrong(word, f"there is no type {word}; {hint}")

    def _check_name(self, name: Token) -> None:
        if name in C_WORDS or name in SCALARS or name == BYTES or name.endswith("_t"):
            raise self._wrong(name, f"{name} has a meaning of its own; take another name")
        if OWN.fullmatch(name):
            raise self._wrong(
                name, f"{name}: the stubs use names that begin with urpc or _; take another name"
            )

    def _check_once(self, name: Token, named: dict[str, Token]) -> None:
        self._check_name(name)
        if (first := named.setdefault(str(name), name)) is not name:
            raise self._wrong(
                name, f"{name} is named twice, first in line {first.line}; take another name"
            )

    def _wrong(self, token: Token, what: str) -> UserError:
        return self._at(token.line, token.column, what)

    def _at(self, line: int | None, column: int | None, what: str) -> UserError:
        return UserError(f"stubs: {self.file}:{line}:{column}: {what}")

    def _end(self) -> tuple[int, int]:
        lines = self.text.rstrip().split("\n")
        return len(lines), len(lines[-1]) + 1
