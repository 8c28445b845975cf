# SPDX-License-Identifier: MIT
"""Writes the C stubs of an interface: headers over guest/include/urpc_stub.h.

Headers, since the program of a space is usually one C file. What comes from the other side is read
from a copy that only this space can change (guest/urpc), and is checked there.
"""

import textwrap
from collections.abc import Iterable

from symlab.guest.stubs.interface import (
    BOOL,
    Interface,
    Parameter,
    Procedure,
    Scalar,
    Struct,
    words_of,
)

MARK = "// Written by symlab stubs from "  # the first words of every file that may be replaced
CLIENT = """\
// Each returns 0, or URPC_FAILED: the server has failed the call or has ended, or an array is
// longer than the interface says. Then the results mean nothing. An array for a result has room for
// as many elements as the interface says."""
SERVER = """\
// Yours to write. Each returns 0, or URPC_FAILED to fail the call; so does a count of results
// beyond the interface. Each call has a thread of its own."""
INDENT = "    "
COLUMNS = 100


def files_of(interface: Interface, source: str) -> dict[str, str]:
    """Name -> text of the files. `source`: the name of the description, for their first line."""
    name = interface.name
    head = f"{MARK}{source}; changes are lost.\n#pragma once\n\n"
    return {
        f"{name}.h": head + _common(interface),
        f"{name}_client.h": head + _client(interface),
        f"{name}_server.h": head + _server(interface),
    }


def _common(interface: Interface) -> str:
    parts = ['#include <stdbool.h>\n#include <stdint.h>\n\n#include "urpc_stub.h"\n']
    for struct in interface.structs.values():
        parts.append(_struct(struct))
    return "\n".join(parts)


def _struct(struct: Struct) -> str:
    function = struct.c.removeprefix("struct ")
    members = "".join(f"{INDENT}{scalar.c} {name};\n" for name, scalar in struct.fields)
    fields = [(f"value->{name}", scalar) for name, scalar in struct.fields]
    put = _function(
        f"static inline void put_{function}",
        ["struct urpc_writer* urpc_out", f"const {struct.c}* value"],
        [_put_scalar(scalar, value, "urpc_out") for value, scalar in fields],
    )
    get = _function(
        f"static inline void get_{function}",
        ["struct urpc_reader* urpc_in", f"{struct.c}* value"],
        [_get_scalar(scalar, value, "urpc_in") for value, scalar in fields],
    )
    return f"{struct.c} {{\n{members}}};\n{put}{get}"


# ---- the client's side ----
def _client(interface: Interface) -> str:
    name = interface.name
    parts = [
        f'#include "{name}.h"\n',
        f"{CLIENT}\n",
    ]
    parts += [_stub(name, number, one) for number, one in enumerate(interface.procedures)]
    return "\n".join(parts)


def _stub(interface: str, number: int, procedure: Procedure) -> str:
    parameters = [
        "struct urpc_channel* urpc",
        *_in_parameters(procedure.arguments),
        *_out_parameters(procedure.results),
    ]
    lines = ["unsigned urpc_words[URPC_WORDS];"]
    lines += _longer(procedure.arguments)
    lines.append("struct urpc_writer urpc_out = {urpc_words};")
    for argument in procedure.arguments:
        lines += _put(argument, argument.name, f"{argument.name}_count")
    lines += [
        "const unsigned urpc_sent = (unsigned)(urpc_out.next - urpc_words);",
        f"const int urpc_got = urpc_call(urpc, {number}, urpc_words, urpc_sent, urpc_words, "
        f"{words_of(procedure.results)});",
        "if (urpc_got < 0) return URPC_FAILED;",
        "struct urpc_reader urpc_in = {urpc_words, (unsigned)urpc_got, false};",
    ]
    for result in procedure.results:
        value = result.name if result.most else f"*{result.name}"
        lines += _get(result, value, f"*{result.name}_count")
    lines.append("return urpc_get_end(&urpc_in) ? 0 : URPC_FAILED;")
    return _function(f"static inline int {interface}_{procedure.name}", parameters, lines)


# ---- the server's side ----
def _server(interface: Interface) -> str:
    name = interface.name
    prototypes = "".join(
        _call(f"int serve_{name}_{one.name}", _served_parameters(one), ";") + "\n"
        for one in interface.procedures
    )
    parts = [
        f'#include "{name}.h"\n',
        f"{SERVER}\n{prototypes}",
    ]
    parts += [_dispatch(name, one) for one in interface.procedures]
    table = "".join(f"{INDENT * 2}dispatch_{name}_{one.name},\n" for one in interface.procedures)
    parts.append(
        "// Serves all other spaces; for main().\n"
        f"static inline _Noreturn void serve_{name}(void) {{\n"
        f"{INDENT}static urpc_procedure* const procedures[] = {{\n{table}{INDENT}}};\n"
        f"{INDENT}urpc_serve(procedures, {len(interface.procedures)});\n}}\n"
    )
    return "\n".join(parts)


def _dispatch(interface: str, procedure: Procedure) -> str:
    lines = ["struct urpc_reader urpc_in = {urpc_argument, urpc_words, false};"]
    for argument in procedure.arguments:
        lines += _receive(argument)
    lines.append("if (!urpc_get_end(&urpc_in)) return URPC_FAILED;")
    for result in procedure.results:
        lines += _declare(result)
    passed = [word for one in procedure.arguments for word in _passed(one, "")]
    passed += [word for one in procedure.results for word in _passed(one, "&")]
    call = f"const int urpc_failed = serve_{interface}_{procedure.name}"
    lines += [_call(call, passed, ";", depth=1), "if (urpc_failed != 0) return URPC_FAILED;"]
    lines += _longer(procedure.results)
    lines.append("struct urpc_writer urpc_out = {urpc_result};")
    for result in procedure.results:
        lines += _put(result, result.name, f"{result.name}_count")
    lines.append("return (int)(urpc_out.next - urpc_result);")
    parameters = ["const unsigned* urpc_argument", "unsigned urpc_words", "unsigned* urpc_result"]
    return _function(f"static inline int dispatch_{interface}_{procedure.name}", parameters, lines)


def _served_parameters(procedure: Procedure) -> list[str]:
    every = [*_in_parameters(procedure.arguments), *_out_parameters(procedure.results)]
    return every or ["void"]


def _receive(argument: Parameter) -> list[str]:
    """Declares and reads an argument."""
    lines = _get(argument, argument.name, f"{argument.name}_count")
    if argument.most is not None:
        array = f"{argument.type.c} {argument.name}[{argument.most}];"
        return [array, f"unsigned {lines[0]}", *lines[1:]]
    if isinstance(argument.type, Scalar) and argument.type.as_word:
        return [f"{argument.type.c} {lines[0]}"]
    return [*_declare(argument), *lines]


def _declare(parameter: Parameter) -> list[str]:
    """Variables for a value, with nothing in them that the stack has had before."""
    if parameter.most is None:
        start = "{0}" if isinstance(parameter.type, Struct) else "0"
        return [f"{parameter.type.c} {parameter.name} = {start};"]
    return [
        f"{parameter.type.c} {parameter.name}[{parameter.most}] = {{0}};",
        f"unsigned {parameter.name}_count = 0;",
    ]


def _passed(parameter: Parameter, reference: str) -> list[str]:
    if parameter.most is None:
        return [f"{reference}{parameter.name}"]
    return [parameter.name, f"{reference}{parameter.name}_count"]


# ---- both ----
def _in_parameters(arguments: Iterable[Parameter]) -> list[str]:
    words: list[str] = []
    for one in arguments:
        if one.most is None:
            words.append(f"{one.type.c} {one.name}")
        else:
            words += [f"const {one.type.c}* {one.name}", f"unsigned {one.name}_count"]
    return words


def _out_parameters(results: Iterable[Parameter]) -> list[str]:
    words: list[str] = []
    for one in results:
        words.append(f"{one.type.c}* {one.name}")
        words += [] if one.most is None else [f"unsigned* {one.name}_count"]
    return words


def _longer(parameters: Iterable[Parameter]) -> list[str]:
    return [
        f"if ({one.name}_count > {one.most}) return URPC_FAILED;"
        for one in parameters
        if one.most is not None
    ]


def _put(parameter: Parameter, value: str, count: str) -> list[str]:
    if parameter.most is None:
        return [_put_one(parameter.type, value)]
    lines = [f"urpc_put(&urpc_out, {count});"]
    if parameter.packed:
        return [*lines, f"urpc_put_bytes(&urpc_out, {value}, {count} * sizeof {value}[0]);"]
    element = _put_one(parameter.type, f"{value}[urpc_i]")
    return [*lines, f"for (unsigned urpc_i = 0; urpc_i < {count}; urpc_i++)", INDENT + element]


def _get(parameter: Parameter, value: str, count: str) -> list[str]:
    if parameter.most is None:
        return [_get_one(parameter.type, value)]
    lines = [f"{count} = urpc_get_count(&urpc_in, {parameter.most});"]
    if parameter.packed:
        return [*lines, f"urpc_get_bytes(&urpc_in, {value}, {count} * sizeof {value}[0]);"]
    element = _get_one(parameter.type, f"{value}[urpc_i]")
    return [*lines, f"for (unsigned urpc_i = 0; urpc_i < {count}; urpc_i++)", INDENT + element]


def _put_one(type: Scalar | Struct, value: str) -> str:
    if isinstance(type, Struct):
        return f"put_{type.c.removeprefix('struct ')}(&urpc_out, {_address(value)});"
    return _put_scalar(type, value, "&urpc_out")


def _get_one(type: Scalar | Struct, value: str) -> str:
    if isinstance(type, Struct):
        return f"get_{type.c.removeprefix('struct ')}(&urpc_in, {_address(value)});"
    return _get_scalar(type, value, "&urpc_in")


def _address(value: str) -> str:
    return value[1:] if value.startswith("*") else f"&{value}"


def _put_scalar(scalar: Scalar, value: str, out: str) -> str:
    if scalar.as_word:
        return f"urpc_put({out}, (unsigned){value});"
    return f"urpc_put_bytes({out}, {_address(value)}, sizeof {value});"


def _get_scalar(scalar: Scalar, value: str, into: str) -> str:
    if scalar is BOOL:
        return f"{value} = urpc_get({into}) != 0;"
    if scalar.as_word:
        return f"{value} = ({scalar.c})urpc_get({into});"
    return f"urpc_get_bytes({into}, {_address(value)}, sizeof {value});"


def _call(name: str, words: list[str], end: str, depth: int = 0) -> str:
    """A function's name and its parameters or arguments, on as many lines as they need. `depth`:
    how often the first line will be indented."""
    line = f"{name}({', '.join(words)}){end}"
    if len(INDENT * depth + line) <= COLUMNS:
        return line
    indent = INDENT * (2 + depth)
    fill = textwrap.TextWrapper(COLUMNS, initial_indent=indent, subsequent_indent=indent)
    # A space within a parameter is not where a line ends.
    rest = fill.fill(", ".join(word.replace(" ", "\0") for word in words) + f"){end}")
    return f"{name}(\n" + rest.replace("\0", " ")


def _function(name: str, parameters: list[str], lines: list[str]) -> str:
    body = "".join(f"{INDENT}{line}\n" for line in lines)
    return f"{_call(name, parameters, ' {')}\n{body}}}\n"
