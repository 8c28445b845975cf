# SPDX-License-Identifier: MIT
"""Makes one run, of a config, an image or a program in C."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symlab.errors import UserError
from symlab.guest.catalogue import KIND_OF_OPTION
from symlab.guest.programs import is_elf, is_linux_program
from symlab.runs.axes import is_axis
from symlab.runs.beforehand import check_experiment, nothing_left
from symlab.runs.experiment import MACHINE, machine_file, prepare, results_folder
from symlab.runs.linux import ISA, experiment_of, is_linux
from symlab.runs.one_run import Run
from symlab.runs.origin import note_origin
from symlab.runs.simulator import Simulator, summary_of
from symlab.runs.unused import refuse_unused

PROCESSORS = "machine.processors"


def run(
    program: str | Path,
    *,
    lock: str = "",
    barrier: str = "",
    strategy: str = "",
    processors: int | None = None,
    machine: str | Path = "",
    settings: Mapping[str, Any] | None = None,
    options: Sequence[str] = (),
    out: str | Path | None = None,
    simulator: str | Path | None = None,
    strict: bool = True,
    linux: bool = False,
) -> Run:
    """Makes one run and returns it.

    Args:
        program: a config (.toml), an image (.elf), a Linux program, a file in C or C++, or a name
            of `symlab list workloads`. symsim's own files are found from every working folder.
        lock: name or header with which a program in C is built; `barrier` and `strategy` too.
        processors: number of processors, default that of the config or machine.
        machine: of a program: a name of `symlab list machines`, or a config, default symmetry-a.
        settings: config key -> value, such as `{"guest.args.increments": 1000}`.
        options: for gcc, such as `["-DSIZE=8"]`.
        out: folder of the run's files, default results/NAME.
        simulator: path of the binary.
        strict: whether an argument for which the program does not ask is an error. The files of
            the run are kept.
        linux: whether a C file is compiled as a Linux program.

    Raises:
        UserError: a config, setting, program or path is wrong, or an argument may be misspelt.
        OutputError: a file cannot be written.
        RunFailed: the run ended in another way than it should.
    """
    given = dict(settings or {})
    if axes := [key for key, value in given.items() if is_axis(key, value)]:
        more = "`symlab compare` and `symlab sweep` make several runs"
        raise UserError(f"--set {axes[0]}: one run has one value; {more}")
    if processors is not None:
        given[PROCESSORS] = processors
    named = {"lock": lock, "barrier": barrier, "strategy": strategy}
    kinds = {kind: name for kind, name in named.items() if name}
    path = Path(program)
    built_already = path.suffix in (".toml", ".elf") or is_elf(path)
    if not built_already:
        choices = {kind: [name] for kind, name in kinds.items()}
        linux = is_linux(program, linux)
        return _run_source(program, choices, machine, given, options, out, simulator, strict, linux)
    if built := [*kinds, *(["define"] if options else [])]:
        key = f"guest.args.{built[0]}" if built[0] in KIND_OF_OPTION else "guest.image"
        raise UserError(
            f"--{built[0]}: {program} is built already; --set {key}=NAME chooses another"
        )
    folder = Path(out) if out is not None else Path("results") / path.stem
    if path.suffix != ".toml":
        if not path.is_file():
            raise UserError(f"{path}: no such file; `symlab cc` compiles a program to an .elf file")
        isa = {"processor.isa": ISA} if is_linux_program(path) else {}
        given = {"guest.image": str(path), **isa, **given}
        path = machine_file(machine or MACHINE)
    elif machine:
        raise UserError(f"--machine: {program} is a config, which has its own machine")
    return _run(path, given, given, folder, simulator, strict)


def _run_source(
    program: str | Path,
    choices: Mapping[str, Sequence[str]],
    machine: str | Path,
    settings: dict[str, Any],
    options: Sequence[str],
    out: str | Path | None,
    simulator: str | Path | None,
    strict: bool,
    linux: bool,
) -> Run:
    file = machine_file(machine or MACHINE)
    number = settings.pop(PROCESSORS, None)
    if number is None:
        number = Simulator(simulator).resolve(file, {})[PROCESSORS]
    chosen = experiment_of(
        [program], choices, [number], file, settings, tuple(options), linux=linux
    )
    if len(chosen.alternatives) > 1:
        raise UserError(f"--{chosen.kind}: one run has one; `symlab compare` compares several")
    folder = results_folder(chosen, out, "run-")
    check_experiment(chosen, simulator)
    with nothing_left(folder):
        config = prepare(chosen, folder)
        if out is None:
            note_origin(folder, chosen.files)
        return _run(config, {}, settings, folder, simulator, strict)


def _run(
    config: Path,
    settings: Mapping[str, Any],
    given: Mapping[str, Any],
    folder: Path,
    simulator: str | Path | None,
    strict: bool,
) -> Run:
    """`given`: what the user has set, here or in the config."""
    summary = summary_of(config, settings, folder, simulator)
    if strict:
        refuse_unused((summary.get("guest") or {}).get("unused_arguments", []), given)
    return Run(folder, summary)
