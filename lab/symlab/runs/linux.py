# SPDX-License-Identifier: MIT
"""Linux programs in the place of a workload: one of them, or several that are compared.

Their images are the executables themselves, or what gcc makes of a file in C or C++.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symlab.errors import OutputError, UserError, reason
from symlab.guest.linux import CPLUSPLUS, compile_linux, options_of
from symlab.guest.programs import is_elf, is_linux_program
from symlab.places import find
from symlab.runs.alternatives import Alternative
from symlab.runs.experiment import (
    MACHINE,
    PROCESSORS,
    Experiment,
    experiment,
    machine_file,
    processor_numbers,
)
from symlab.runs.simulator import Simulator

ISA = "i686"  # for which compilers make programs


class LinuxExperiment(Experiment):
    """Linux programs. `alternatives`: each program, `given` is its path."""

    @property
    def headers(self) -> dict[tuple[str, str], Path]:
        return {}

    @property
    def files(self) -> dict[str, Path]:
        return {f"program {one.name}": Path(one.given) for one in self.alternatives}

    @property
    def name(self) -> str:
        return f"{self.alternatives[0].name}-linux"

    @property
    def image(self) -> str:
        return "guests/{program}"

    @property
    def isa(self) -> str:
        return ISA

    def build(self, folder: Path) -> None:
        for one in self.alternatives:
            source, image = Path(one.given), folder / one.name
            if not is_elf(source):
                words = [*options_of(source), *self.options, str(source), "-o", str(image)]
                compile_linux(words)
                continue
            try:
                shutil.copyfile(source, image)
            except OSError as error:
                raise OutputError(f"{image}: cannot be written: {reason(error)}") from error


def is_linux(program: str | Path, wanted: bool = False) -> bool:
    """Whether a program is one for Linux. `wanted`: a file in C is to be one."""
    path = find(program)
    return is_linux_program(path) or path.suffix in CPLUSPLUS or (wanted and path.suffix == ".c")


def experiment_of(
    programs: Sequence[str | Path],
    choices: Mapping[str, Sequence[str]],
    processors: Sequence[int | str] = PROCESSORS,
    machine: str | Path = MACHINE,
    settings: Mapping[str, Any] | None = None,
    options: tuple[str, ...] = (),
    against: Sequence[str] = (),
    linux: bool = False,
) -> Experiment:
    """The experiment of one program with locks, barriers or strategies, or of Linux programs.
    Raises UserError. The arguments are those of `experiment`; `linux`: see `is_linux`."""
    if not linux and not any(map(is_linux, programs)):
        if len(programs) > 1:
            raise UserError(f"{programs[1]}: several programs are compared if all are for Linux")
        return experiment(programs[0], choices, processors, machine, settings, options, against)
    for kind, names in [*choices.items(), ("against", against)]:
        if names:
            raise UserError(f"--{kind}: {programs[0]} is a Linux program, with locks of its own")
    chosen = [_alternative(program, linux) for program in programs]
    names = [one.name for one in chosen]
    for one in chosen:
        if names.count(one.name) > 1:
            raise UserError(f"{one.given}: two programs are called {one.name}; copy or link one")
    numbers = processor_numbers(processors)
    file, more = machine_file(machine), dict(settings or {})
    first = Path(chosen[0].given)
    return LinuxExperiment(first, "program", chosen, {}, numbers, file, more, options)


def check_programs(chosen: Experiment, simulator: str | Path | None) -> None:
    """Asks the simulator whether it runs the Linux programs that are compiled already. Raises
    UserError, which says what stops one."""
    if isinstance(chosen, LinuxExperiment):
        paths = (Path(one.given) for one in chosen.alternatives)
        binary = Simulator(simulator)
        for path in filter(is_elf, paths):
            binary.check(path, {})


def _alternative(program: str | Path, linux: bool) -> Alternative:
    path = find(program)
    if not path.is_file():
        raise UserError(f"{program}: no such file")
    if not is_elf(path) and not is_linux(path, linux):
        raise UserError(f"{program}: neither a Linux program nor a file in C or C++")
    name = path.name if is_elf(path) else path.stem
    return Alternative(name, str(path), ISA)
