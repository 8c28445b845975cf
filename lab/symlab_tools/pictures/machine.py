# SPDX-License-Identifier: MIT
"""Block diagram of the simulated machine, with the values of a Model A."""

import tomllib
from typing import Any

from symlab.places import ROOT

from symlab_tools.pictures.runs import MODEL_A
from symlab_tools.svg import Drawing

WIDTH, BOARD, BOARDS = 980.0, 268.0, (24.0, 332.0, 688.0)
SLIC_BUS, BOARD_TOP, BUS_TOP, BELOW = 78.0, 98.0, 380.0, 506.0
BUS_HEIGHT = 84.0


def read() -> dict[str, Any]:
    return tomllib.loads((ROOT / MODEL_A).read_text(encoding="utf-8"))


def draw(config: dict[str, Any]) -> str:
    picture = Drawing(
        WIDTH, 614, "The simulated machine",
        "Processors with cache, write buffer and interrupt controller on one System Bus with "
        "arbiter and address locks; memory and devices on the same bus; interrupts on a bus of "
        "their own.",
    )  # fmt: skip
    count = config["machine"]["processors"]
    about = f"Values: {config['machine']['name']}, {count} processors"
    picture.heading(about)
    picture.line([(24, SLIC_BUS), (WIDTH - 24, SLIC_BUS)], "purple", 4)
    us = config["slic"]["message_ns"] / 1000
    words = f"SLIC bus: interrupts between processors, {us:g} us a message"
    picture.text(24, SLIC_BUS - 12, words)
    picture.text(WIDTH - 24, SLIC_BUS - 12, "sim/devices/", "dim", 12, "end")
    for x, number in zip(BOARDS, ("0", "1", f"{count - 1}"), strict=True):
        _board(picture, config, x, number)
    between = (BOARDS[1] + BOARD + BOARDS[2]) / 2
    picture.text(between, BOARD_TOP + 62, "...", size=22, anchor="middle")
    picture.text(between, BOARD_TOP + 128, "sim/cpu/", "dim", 12, "middle")
    picture.text(between, BOARD_TOP + 213, "sim/cache/", "dim", 12, "middle")
    _bus(picture, config)
    _below(picture, config)
    return picture.svg()


def _part(
    picture: Drawing, x: float, y: float, width: float, height: float, lines: list[str],
    colour: str,
) -> None:  # fmt: skip
    """A box with a heading and smaller lines below it."""
    picture.box(x, y, width, height, f"{colour}-pale", colour, 5)
    middle = x + width / 2
    first = y + height / 2 + 5 - 8 * (len(lines) - 1)
    for number, words in enumerate(lines):
        size, colour = (14, "ink") if number == 0 else (12, "dim")
        picture.text(middle, first + 16 * number, words, colour, size, "middle", number == 0)


def _board(picture: Drawing, config: dict[str, Any], x: float, number: str) -> None:
    cache, y = config["cache"], BOARD_TOP
    picture.box(x, y, BOARD, 252, stroke="rule", round=8)
    picture.text(x + BOARD - 14, y + 22, f"processor {number}", "dim", 13, "end")
    # SLIC and clock, above the processor.
    _part(picture, x + 14, y + 32, 124, 44, ["SLIC", "timer, interrupts"], "purple")
    _part(picture, x + 154, y + 32, 100, 44, ["clock", "1 us, 32 bits"], "purple")
    picture.line([(x + 66, y + 32), (x + 66, SLIC_BUS + 2)], "purple", 2)
    for at in (x + 66, x + 202):
        picture.line([(at, y + 76), (at, y + 98)], "dim")
    mhz = f"{config['processor']['clock_mhz']:g} MHz, in order"
    _part(picture, x + 14, y + 98, 240, 52, ["80386 and 80387", mhz], "blue")
    # Cache and write buffer, below it.
    size = f"{cache['size_bytes'] // 1024} KB, {cache['ways']} ways"
    lines = ["cache", size, f"lines of {cache['line_bytes']} bytes"]
    _part(picture, x + 14, y + 178, 120, 62, lines, "green")
    depth = cache["write_buffer_depth"]
    stores = f"{depth} store" + ("s" if depth != 1 else "")
    _part(picture, x + 146, y + 178, 108, 62, ["write buffer", stores], "green")
    picture.line([(x + 78, y + 178), (x + 78, y + 152)], "ink", 1.4, arrow=True)
    picture.text(x + 86, y + 169, "loads, code", "dim", 12)
    picture.line([(x + 206, y + 150), (x + 206, y + 176)], "ink", 1.4, arrow=True)
    picture.text(x + 214, y + 169, "stores", "dim", 12)
    # To and from the bus.
    picture.line([(x + 48, BUS_TOP), (x + 48, y + 242)], "ink", 1.4, arrow=True)
    picture.text(x + 42, BUS_TOP - 10, "lines", "dim", 12, "end")
    picture.line([(x + 104, BUS_TOP), (x + 104, y + 242)], "red", 1.4, dashed=True, arrow=True)
    picture.text(x + 112, BUS_TOP - 10, "snoops", "red", 12)
    picture.line([(x + 206, y + 240), (x + 206, BUS_TOP - 2)], "ink", 1.4, arrow=True)
    picture.text(x + 214, BUS_TOP - 10, "stores", "dim", 12)


def _bus(picture: Drawing, config: dict[str, Any]) -> None:
    bus = config["bus"]
    picture.box(24, BUS_TOP, WIDTH - 48, BUS_HEIGHT, "pale", "dim", 6)
    picture.text(44, BUS_TOP + 32, "System Bus", size=16, bold=True)
    width = f"{8 * bus['width_bytes']} bits of data, {bus['clock_mhz']:g} MHz,"
    picture.text(44, BUS_TOP + 52, width)
    picture.text(44, BUS_TOP + 69, "split transactions")
    picture.text(190, BUS_TOP + 69, "sim/bus/", "dim", 12)
    arbiter = ["arbiter", f"replies first, then {bus['arbitration']}"]
    _part(picture, 332, BUS_TOP + 12, 218, 60, arbiter, "amber")
    lock = ["address locks", "a line: from locked read to unlock"]
    _part(picture, 688, BUS_TOP + 12, 252, 60, lock, "amber")


def _below(picture: Drawing, config: dict[str, Any]) -> None:
    memory = config["memory"]
    for x in (158, 600):
        picture.line([(x, BUS_TOP + BUS_HEIGHT), (x, BELOW - 2)], "ink", 1.4, arrow=True)
        picture.line([(x + 24, BELOW), (x + 24, BUS_TOP + BUS_HEIGHT + 2)], "ink", 1.4, arrow=True)
    lines = ["memory", f"{memory['size_mb']} MB, {memory['latency_cycles']} bus cycles to a reply"]
    _part(picture, 24, BELOW, 292, 64, lines, "blue")
    devices = ["devices", "console, power-off, results; yours as a TLM-2.0 target"]
    _part(picture, 430, BELOW, 364, 64, devices, "blue")
    picture.text(170, BELOW + 84, "sim/interconnect/", "dim", 12, "middle")
    where = "from address 0x80000000, never cached; sim/machine/systemc/"
    picture.text(612, BELOW + 84, where, "dim", 12, "middle")
