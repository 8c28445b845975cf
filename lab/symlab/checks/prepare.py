# SPDX-License-Identifier: MIT
"""From the arguments of `symlab check` to an image and a config in the results folder."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from symlab.checks.elf import Image
from symlab.checks.rules import RULES, Setting
from symlab.errors import UserError
from symlab.files import write_all, write_atomically
from symlab.guest import catalogue
from symlab.guest.catalogue import KIND_OF_OPTION, PREFIXES, declared, own_declaration
from symlab.places import GUEST, find
from symlab.runs.axes import is_axis
from symlab.runs.beforehand import check_experiment, nothing_left
from symlab.runs.experiment import experiment, prepare, results_folder
from symlab.runs.linux import is_linux
from symlab.runs.origin import note_origin, refuse_other_origin
from symlab.runs.settings import Scalar, as_toml
from symlab.runs.simulator import Simulator

# The program with which a header is checked.
PROGRAMS = {"lock": "check_lock", "barrier": "check_barrier", "strategy": "check_threads"}
# Guest code may rely on no more than guest/include/ordering.h, by whose rule 3 a load may overtake
# the stores before it. So a check lets it, on each machine, with a buffer of a few stores.
PROCESSORS = 2
WEAKEST = {"cache.store_policy": "buffered", "cache.write_buffer_depth": 4}
CONFIG = "check.toml"
SEARCHES = ("exhaustive", "random", "stress")
IGNORED = sorted(
    {*RULES, "deadlock", "waits-for-ever", "guest-failure", "exit-status"} - {"ending"}
)
REGION = 1  # the part of a program that is checked begins with its region_begin


@dataclass(frozen=True)
class Order:
    """What to check: the arguments of `symlab check`.

    `what`: FILE.h, a program, or a config. `choices`: lock, barrier or strategy -> name or header.
    `settings`: further config keys. `depth`, `seed`, `most`: of a random search, whose schedules
    are at most `most`. `stores`, `interrupts`: also hold stores in the write buffer, and interrupt
    at each instruction, in an exhaustive search. `minutes`: host time, None without end. `strict`:
    an argument for which the program does not ask is an error.
    """

    what: str
    choices: Mapping[str, str] = field(default_factory=dict)
    processors: int | None = None
    machine: str = "symmetry-a"
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    preemptions: int = 2
    search: str = "exhaustive"
    depth: int = 3
    most: int | None = None
    seed: int = 1
    stores: bool = True
    interrupts: bool = False
    handoffs: int | None = None
    ignored: frozenset[str] = frozenset()
    minutes: float | None = None
    jobs: int | None = None
    out: Path | None = None
    simulator: Path | None = None
    strict: bool = True


@dataclass(frozen=True)
class Prepared:
    """`folder`: of the results. `config`: in it. `names`: program and what it is built with.
    `whole`: the program marks no part to check, so it is checked from its start."""

    folder: Path
    config: Path
    image: Image
    setting: Setting
    names: str
    simulator: Simulator
    processors: int
    whole: bool = False

    def command(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The simulator that runs schedules. `settings`: config key -> value."""
        sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        return (str(self.simulator.path), str(self.config), *sets, "--schedules")

    def identity(self) -> dict[str, Any]:
        """What decides the result of a schedule."""
        config = self.simulator.resolve(self.config, {})
        config["guest.image"] = hashlib.sha256(self.image.path.read_bytes()).hexdigest()
        return {"simulator": self.simulator.sha256, "config": config}


def prepare_check(order: Order, begins: Callable[[str], None] = lambda words: None) -> Prepared:
    """Builds the image and writes the config. Raises UserError, OutputError. `begins` gets what
    is built, before that."""
    _refuse(order)
    simulator = Simulator(order.simulator)
    if order.what.endswith(".toml"):
        return _of_config(order, simulator)
    _refuse_linux(find(order.what), order.what)
    choices = {kind: [name] for kind, name in order.choices.items() if name}
    program = order.what
    if program.endswith(".h"):
        kind = kind_of(Path(program))
        choices[kind] = [program]
        program = PROGRAMS[kind]
    processors = order.processors or PROCESSORS
    try:
        chosen = experiment(program, choices, [processors], order.machine, {}, order.options)
        check_experiment(replace(chosen, settings=order.settings), simulator.path)
        folder = results_folder(chosen, order.out, "check-")
    except UserError as error:
        raise UserError(f"check: {error}") from None
    names = [one.name for one in (*chosen.alternatives, *chosen.fixed.values())]
    title = " with ".join([chosen.source.stem, *([", ".join(names)] if names else [])])
    begins(f"builds {title}")
    with nothing_left(folder):
        base = prepare(chosen, folder)
    if order.out is None:
        note_origin(folder, chosen.files)
    given = [one.given for one in chosen.alternatives] if chosen.kind == "lock" else []
    fifo = any(
        declared(file, "LOCK_FIFO") == "arrival" and declared(file, "LOCK_USURPER") != "1"
        for file in (catalogue.header("locks", name) for name in given)
    )
    return _prepared(order, simulator, folder, {"base": base.name}, title, fifo)


def _refuse_linux(program: Path, named: str) -> None:
    if is_linux(program):
        raise UserError(
            f"check: {named}: is a Linux program, whose kernel chooses what runs where; check "
            "chooses that itself, for programs that `symlab cc` builds without --linux"
        )


def _of_config(order: Order, simulator: Simulator) -> Prepared:
    """Of a program that a config names. Its image must be there."""
    path = find(order.what)
    if not path.is_file():
        raise UserError(f"check: {path}: no such file")
    if any(order.choices.values()) or order.options:
        raise UserError(f"check: {path}: a config names its image; --lock and the like build one")
    given = {"machine.processors": order.processors} if order.processors else {}
    resolved = simulator.resolve(path, {**given, **order.settings})
    simulator.build_guests([resolved])
    guest = simulator.guest(path, resolved)
    if guest is None:
        raise UserError(f"check: {path}: its guest.image is not there")
    _refuse_linux(guest.path, str(path))
    folder = order.out or Path("results") / f"check-{path.stem}"
    origin = {"program": path} if order.out is None else {}
    refuse_other_origin(folder, origin)
    keys: dict[str, Any] = {"base": str(path.resolve()), "guest.image": str(guest.path.resolve())}
    if order.processors:
        keys["machine.processors"] = order.processors
    write_all(folder, {})
    if origin:
        note_origin(folder, origin)
    return _prepared(order, simulator, folder, keys, path.stem, False)


def _prepared(
    order: Order,
    simulator: Simulator,
    folder: Path,
    keys: Mapping[str, Any],
    title: str,
    fifo: bool,
) -> Prepared:
    """Writes the config `folder`/check.toml. `keys`: with its base."""
    config = folder / CONFIG
    write_atomically(config, _config(keys, order.settings).encode())
    resolved = simulator.resolve(config, {})
    guest = simulator.guest(config, resolved)
    if guest is None:
        raise UserError(f"check: {config}: its guest.image is not there")
    image = Image(guest.path)
    given = {"schedule.from", "schedule.region"} & order.settings.keys()
    whole = not given and not image.may_begin(REGION)
    if whole:
        settings = {**order.settings, "schedule.from": "start"}
        write_atomically(config, _config(keys, settings).encode())
    setting = Setting(
        tuple(image.guarded), tuple(image.objects), fifo, order.handoffs, order.ignored
    )
    processors = int(resolved["machine.processors"])
    return Prepared(folder, config, image, setting, title, simulator, processors, whole)


def kind_of(header: Path) -> str:
    """ "lock", "barrier" or "strategy", by the name that the header defines. Raises UserError."""
    if not header.is_file():
        raise UserError(f"check: {header}: no such file")
    for kind, items in KIND_OF_OPTION.items():
        if own_declaration(header, f"{PREFIXES[items]}_NAME") is not None:
            return kind
    folder = header.resolve().parent
    for kind, place in (("lock", "locks"), ("strategy", "threads/strategies")):
        if folder == GUEST / place:
            return kind
    raise UserError(
        f'check: {header} says no name: add the line `#define LOCK_NAME "{header.stem}"`, or '
        "BARRIER_NAME or STRATEGY_NAME; to check another program with it, name that, and --lock "
        f"{header}, --barrier or --strategy"
    )


def _refuse(order: Order) -> None:
    """Raises UserError if a number is out of its range."""
    for name, value, least in [
        ("processors", order.processors, 1),
        ("preemptions", order.preemptions, 0),
        ("depth", order.depth, 1),
        ("handoffs", order.handoffs, 1),
    ]:
        if value is not None and value < least:
            raise UserError(f"check: --{name} {value}: at least {least}")
    if order.search not in SEARCHES:
        raise UserError(f"check: --search {order.search}: there are {', '.join(SEARCHES)}")
    if wrong := sorted(order.ignored - set(IGNORED)):
        raise UserError(f"check: --ignore {wrong[0]}: no such rule; there are {', '.join(IGNORED)}")
    for key, setting in order.settings.items():
        if is_axis(key, setting):
            raise UserError(f"check: --set {key}: one value; a check has no axes")


def _config(first: Mapping[str, Any], settings: Mapping[str, Scalar]) -> str:
    keys = {**first, **WEAKEST, "schedule.from": "region", "schedule.region": REGION, **settings}
    lines = [f"{key} = {as_toml(value)}" for key, value in keys.items()]
    return "\n".join(["# Written by `symlab check`.", *lines, ""])


def file_of(folder: Path, name: str, lines: Sequence[str]) -> Path:
    """Writes lines of text into the results folder. Raises OutputError."""
    write_atomically(folder / name, ("\n".join(lines) + "\n").encode())
    return folder / name
