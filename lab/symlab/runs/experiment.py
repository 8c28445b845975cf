# SPDX-License-Identifier: MIT
"""A program with alternatives, on some numbers of processors: what `symlab compare` sweeps.

    experiment() -> prepare(): images and a config in the results folder

An alternative is a lock, a barrier or a strategy: of the tree by name, or a header of the user.
The config stays in the results folder, so `symlab sweep` and `./symsim` can run it too.
"""

import os
import shlex
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symlab.errors import UserError
from symlab.files import write_all
from symlab.guest import catalogue
from symlab.guest.catalogue import KIND_OF_OPTION, default
from symlab.guest.compiling import Request, build
from symlab.guest.uses import lacks, of_processes, text_with_headers, uses
from symlab.places import GUEST, find
from symlab.runs.alternatives import (
    Alternative,
    find_alternative,
    find_alternatives,
    nameless,
    own_names,
)
from symlab.runs.axes import axis, is_axis
from symlab.runs.grid import short_names
from symlab.runs.origin import refuse_other_origin
from symlab.runs.settings import Scalar, as_toml

PROCESSORS = (1, 2, 4, 8, 12, 16, 20)
MACHINE = "symmetry-a"

# Sizes with which a run takes about a second; the workloads' own defaults are the papers'.
SIZES: dict[str, dict[str, Scalar]] = {
    "acquire": {"turns": 20000},
    "barriers": {"episodes": 2000},
    "counter": {"increments": 20000},
    "null_threads": {"threads": 10000},
    "turns": {"turns": 20000},
}


@dataclass(frozen=True)
class Experiment:
    """One program, built with each of the alternatives, on some numbers of processors.

    `kind`: "lock", "barrier" or "strategy", which the alternatives are; None for a program that
    uses none of them. `fixed`: those of the other kinds. `settings`: config key -> value, or list
    of values as an axis. `options`: for gcc. `own`: names of the alternatives that the figure
    emphasises.
    """

    source: Path
    kind: str | None
    alternatives: list[Alternative]
    fixed: dict[str, Alternative]
    processors: Sequence[Any] = PROCESSORS
    machine: Path = Path()
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def axes(self) -> list[str]:
        """The columns of the table of runs that are swept, x first."""
        keys = ["machine.processors", *([f"guest.args.{self.kind}"] if self.kind else [])]
        more = (key for key, value in self.settings.items() if is_axis(key, value))
        every = [part.strip() for key in [*keys, *more] for part in key.split(",")]
        return list(short_names(dict.fromkeys(every)).values())

    @property
    def headers(self) -> dict[tuple[str, str], Path]:
        """Kind and name of each alternative, also those that are fixed -> its header."""
        chosen = [(self.kind or "", one) for one in self.alternatives]
        chosen += self.fixed.items()
        return {
            (kind, one.name): catalogue.header(KIND_OF_OPTION[kind], one.given)
            for kind, one in chosen
        }

    @property
    def files(self) -> dict[str, Path]:
        """The files by which the results are named, by role: `program`, `lock mine`."""
        headers = {f"{kind} {name}": file for (kind, name), file in self.headers.items()}
        return {"program": self.source, **headers}

    @property
    def name(self) -> str:
        """The name of the results: `counter-mine`."""
        first = [self.alternatives[0].name] if self.alternatives else []
        return "-".join([self.source.stem, *first])

    @property
    def image(self) -> str:
        """guest.image, seen from the folder of the results."""
        return f"guests/{self.source.stem}" + (f"-{{{self.kind}}}" if self.kind else "")

    @property
    def isa(self) -> str | None:
        """The instruction set that the programs need; None for that of the machine."""
        chosen = [*self.alternatives, *self.fixed.values()]
        return "i486" if any(one.isa == "i486" for one in chosen) else None

    def build(self, folder: Path) -> None:
        """Writes the images into `folder`. gcc's messages go to stderr. Raises UserError,
        OutputError."""
        built: list[Alternative | None] = [*self.alternatives]
        requests = [_request(self, one, folder) for one in built or [None]]
        try:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(build, requests))
        except UserError as error:
            raise UserError(f"{error}{nameless(self.headers)}") from None


def experiment(
    workload: str | Path,
    choices: Mapping[str, Sequence[str]],
    processors: Sequence[int | str] = PROCESSORS,
    machine: str | Path = MACHINE,
    settings: Mapping[str, Any] | None = None,
    options: tuple[str, ...] = (),
    against: Sequence[str] = (),
) -> Experiment:
    """The experiment that the arguments of `compare` name. Raises UserError.

    `options`: for gcc. `against`: further alternatives of the kind that is compared.
    """
    if str(workload).endswith(".toml"):
        raise UserError(
            f"{workload} is a config; use `symlab sweep {workload}`, or `symlab run` for one run"
        )
    source = _file("workloads", str(workload), ".c")
    used = uses(source)
    given = {kind: find_alternatives(kind, names) for kind, names in choices.items() if names}
    for option, names in given.items():
        if why := lacks(source, option):
            raise UserError(f"--{option} {names[0].given}: {source.stem} {why}; leave it out")
    kind = _kind(used, given)
    if against and not kind:
        raise UserError(f"--against: {workload} has no lock, barrier or strategy to compare")
    first = (choices.get(kind) or [default(kind)]) if kind else []
    alternatives = find_alternatives(kind, [*first, *against]) if kind else []
    given.pop(kind or "", None)
    for other, names in given.items():
        if len(names) > 1:
            raise UserError(
                f"{len(alternatives)} of {KIND_OF_OPTION[kind or 'lock']} and {len(names)} of "
                f"{KIND_OF_OPTION[other]}: compare one kind at a time; name one --{other}"
            )
    fixed = {other: names[0] for other, names in given.items()}
    if "strategy" in used:
        for other, name in (("strategy", default("strategy")), ("lock", default("threads-lock"))):
            if other != kind:
                fixed.setdefault(other, find_alternative(other, name))
    _refuse_kernel_locks(source, [*alternatives, *fixed.values()])
    numbers = processor_numbers(processors)
    path = machine_file(machine)
    more = dict(settings or {})
    own = own_names(alternatives, find_alternatives(kind, first) if kind and against else [])
    return Experiment(source, kind, alternatives, fixed, numbers, path, more, options, own)


def processor_numbers(given: Sequence[int | str]) -> list[int]:
    """The numbers of processors that numbers and ranges stand for. Raises UserError."""
    steps = axis("machine.processors", list(given), "--processors").steps
    for (number,) in steps:
        if isinstance(number, bool) or not isinstance(number, int):
            raise UserError(f"{number!r} processors: neither a number nor a range, as 1..20")
    return [int(number) for (number,) in steps]


def results_folder(chosen: Experiment, out: str | Path | None, prefix: str = "") -> Path:
    """`out`, or else the default folder. Raises UserError if that has the results of another
    program or header of the same name."""
    if out is not None:
        return Path(out)
    folder = Path("results") / f"{prefix}{chosen.name}"
    refuse_other_origin(folder, chosen.files)
    return folder


def prepare(chosen: Experiment, folder: Path) -> Path:
    """Writes the config and guests/*.elf into `folder`; returns the path of the config.

    gcc's messages go to stderr. Raises UserError if a program cannot be built or the config would
    replace that of the machine, else OutputError.
    """
    config = folder / f"{chosen.name}.toml"
    if config.exists() and config.samefile(chosen.machine):
        raise UserError(
            f"--machine {chosen.machine}: the config of this sweep would replace it; "
            "choose another folder with --out"
        )
    text = _config(
        chosen, f"symlab sweep {shlex.quote(str(config))} --out {shlex.quote(str(folder))}"
    )
    write_all(folder, {config.name: text.encode()})
    write_all(folder / "guests", {})
    chosen.build(folder / "guests")
    return config


def machine_file(machine: str | Path) -> Path:
    """The config of a machine: a name of `symlab list machines`, or a path. Raises UserError."""
    return _file("machines", str(machine), ".toml", "--machine ")


def _file(kind: str, given: str, ending: str, option: str = "") -> Path:
    """The file that `given` names: itself if it has this ending, else that of a catalogue's item.

    `option`: the one that names it, for messages.
    """
    path = find(given)
    if not path.suffix and path.name == given:
        return catalogue.find(kind, given).file
    if not path.is_file():
        raise UserError(f"{option}{given}: no such file")
    if path.suffix != ending:
        image = "; ./symsim runs an image" if path.suffix == ".elf" else ""
        raise UserError(f"{option}{given}: is not a {ending} file{image}")
    return path


def _refuse_kernel_locks(source: Path, chosen: list[Alternative]) -> None:
    """Raises UserError if a lock needs a program of processes and the workload is none."""
    for one in chosen:
        if one.kernel and not of_processes(source):
            raise UserError(
                f"--lock {one.given}: this lock needs a program of processes (process.h), and "
                f"{source.stem} is none; `symlab list locks` marks the locks that do"
            )


def _kind(used: list[str], given: Mapping[str, list[Alternative]]) -> str | None:
    """What is compared: that of which several are given, or else the only one given, or else what
    the program is mainly about."""
    several = [kind for kind, names in given.items() if len(names) > 1]
    if several or len(given) == 1:
        return (several or list(given))[0]
    return next(iter(used), None)


def _request(chosen: Experiment, one: Alternative | None, folder: Path) -> Request:
    posix = "pthread.h" in text_with_headers(chosen.source)
    ours = chosen.source.parent == GUEST / "workloads"  # as symsim_guest.cmake builds them
    options = (*(["-ffreestanding"] if ours else []), *chosen.options)
    choices: dict[str, Any] = {kind: fixed.given for kind, fixed in chosen.fixed.items()}
    if chosen.kind and one:
        choices[chosen.kind] = one.given
    name = f"{chosen.source.stem}-{one.name}" if one else chosen.source.stem
    image = folder / f"{name}.elf"
    return Request((chosen.source,), image, options, posix=posix, **choices)


def _config(chosen: Experiment, again: str) -> str:
    """The config as TOML: dotted keys, then [sweep]. `again`: the command that sweeps it."""
    kind = chosen.kind
    ours = chosen.source.parent == GUEST / "workloads"
    fixed: dict[str, Any] = {"machine.processors": chosen.processors[0]}
    fixed["guest.image"] = chosen.image
    sizes = SIZES.get(chosen.source.stem, {}) if ours else {}
    fixed |= {f"guest.args.{name}": size for name, size in sizes.items()}
    swept: dict[str, Any] = {"machine.processors": list(chosen.processors)}
    if kind:
        names = [one.name for one in chosen.alternatives]
        fixed[f"guest.args.{kind}"] = names[0]
        swept[f"guest.args.{kind}"] = names
    if chosen.isa is not None:
        fixed["processor.isa"] = chosen.isa
    fixed["figure.title"] = f"{chosen.source.stem} on {chosen.machine.stem}"
    if chosen.own:
        fixed["figure.own"] = ", ".join(chosen.own)
    for key, value in chosen.settings.items():
        if is_axis(key, value):
            steps = axis(key, value, "--set").steps
            swept[key] = [list(step) if "," in key else step[0] for step in steps]
        elif key.startswith("sweep."):
            swept[key.removeprefix("sweep.")] = value
        else:
            fixed[key] = value
    lines = [
        "# Written by `symlab compare`. To run it again, in the folder where that was started:",
        "#",
        f"#     {again}",
        "",
        f"base = {as_toml(str(chosen.machine.resolve()))}",
        *(f"{key} = {as_toml(value)}" for key, value in fixed.items()),
        "",
        "[sweep]",
        *(f"{as_toml(key)} = {as_toml(values)}" for key, values in swept.items()),
    ]
    return "\n".join(lines) + "\n"
