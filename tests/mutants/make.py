# SPDX-License-Identifier: MIT
"""Programs with a known bug, on which `symlab check` is tested.

A mutant is a file of the tree with a few texts replaced. The *.toml files here list them, by kind:

    name         of the mutant
    base         the file that is changed
    replace      texts: `find` must be in the file exactly once, and becomes `put`. `file`: another
                 file than `base`. Without `replace` the file is wrong as it is
    program      what checks it: a workload of guest/workloads; default: `base`, a program
    lock, barrier, strategy    with which the program is built; default: `base`, if it is one
    options      for the compiler
    processors, arguments, settings, machine    of the run; default machine symmetry-a
    preemptions  that the bug needs, if more than 2
    violation    what a search should find: exclusion, deadlock, assertion, lost (a thread is lost:
                 a failed check at the end, or a deadlock), use-after-free, race
    wrong        what is wrong, and in which schedule it shows; whose bug it was, if published

    python3 tests/mutants/make.py list
    python3 tests/mutants/make.py tree NAME FOLDER     # the files, as a small tree of symsim
    python3 tests/mutants/make.py image NAME FOLDER    # also FOLDER/NAME.elf and FOLDER/NAME.toml
    python3 tests/mutants/make.py images FOLDER        # of all mutants; takes minutes
    ... --right                                        # without the bug

The right version is the unchanged file: a search must find nothing in it.
"""

import argparse
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KINDS = {"lock": "guest/locks", "barrier": "guest/barriers", "strategy": "guest/threads/strategies"}
VIOLATIONS = {"exclusion", "deadlock", "assertion", "lost", "use-after-free", "race"}
OWN_LOCKS = "tests/mutants/locks"
WORKLOADS = "guest/workloads"


class MutantError(Exception):
    """A mutant that cannot be made, with its name."""


@dataclass(frozen=True)
class Mutant:
    """An entry of a *.toml file; see the head of this file. `kind`: the file's name."""

    name: str
    base: str
    violation: str
    wrong: str
    processors: int
    kind: str
    replace: Sequence[Mapping[str, str]] = ()
    program: str = ""
    lock: str = ""
    barrier: str = ""
    strategy: str = ""
    machine: str = "symmetry-a"
    preemptions: int = 2
    options: Sequence[str] = ()
    arguments: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The program's C file, relative to the tree."""
        return f"{WORKLOADS}/{self.program}.c" if self.program else self.base

    @property
    def has_right_version(self) -> bool:
        return bool(self.replace)

    def chosen(self, kind: str) -> str:
        """The lock, barrier or strategy: a name, or for a lock of this folder its path in the tree.
        Empty: the default."""
        named = getattr(self, kind)
        if not named and self.base.startswith(KINDS[kind] + "/"):
            return Path(self.base).stem
        if not named and kind == "lock" and self.base.startswith(OWN_LOCKS):
            return self.base
        return named


def mutants(folder: Path = HERE) -> list[Mutant]:
    """All mutants, in the order of the files. Raises MutantError for an entry that is wrong."""
    found: dict[str, Mutant] = {}
    for file in sorted(folder.glob("*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]:
            try:
                mutant = Mutant(**entry, kind=file.stem)
            except TypeError as error:
                raise MutantError(f"{file.name}: {entry.get('name')}: {error}") from None
            if mutant.violation not in VIOLATIONS:
                raise MutantError(f"{file.name}: {mutant.name}: violation {mutant.violation}")
            if mutant.name in found:
                raise MutantError(f"{file.name}: {mutant.name} is there twice")
            found[mutant.name] = mutant
    return list(found.values())


def changed_files(mutant: Mutant, root: Path = ROOT) -> dict[str, str]:
    """The files that differ from the tree, by path. Raises MutantError if a text does not occur
    exactly once."""
    texts: dict[str, str] = {}
    for change in mutant.replace:
        name = change.get("file", mutant.base)
        if name not in texts:
            texts[name] = (root / name).read_text(encoding="utf-8")
        count = texts[name].count(change["find"])
        if count != 1:
            raise MutantError(
                f"{mutant.name}: this text is {count} times in {name}, not once; adapt the mutant "
                f"to the file:\n{change['find']}"
            )
        texts[name] = texts[name].replace(change["find"], change["put"])
    return texts


def write_tree(mutant: Mutant, folder: Path, right: bool = False, root: Path = ROOT) -> None:
    """Writes what the program is built from to `folder`: a copy of guest/ and of this folder's
    sources, with the bug unless `right`."""
    for part in ("guest", OWN_LOCKS, "tests/mutants/programs"):
        shutil.copytree(root / part, folder / part, dirs_exist_ok=True)
    for name, text in {} if right else changed_files(mutant, root).items():
        (folder / name).write_text(text, encoding="utf-8")


def build_image(mutant: Mutant, folder: Path, right: bool = False, root: Path = ROOT) -> Path:
    """Builds FOLDER/NAME.elf from a tree in FOLDER/NAME.src. Raises MutantError."""
    from symlab.errors import UserError
    from symlab.guest.compiling import build, parse_arguments

    tree = folder / f"{mutant.name}.src"
    write_tree(mutant, tree, right, root)
    image = folder / f"{mutant.name}.elf"
    words = [str(tree / mutant.source), "-o", str(image), "--stack-kb=16", *mutant.options]
    words += ["-march=i486"] if "i486" in mutant.settings.values() else []
    words += ["-ffreestanding", "-fno-builtin", f"-I{tree / 'guest'}"]
    for kind in KINDS:
        chosen = mutant.chosen(kind)
        if "/" in chosen:
            chosen = str(tree / chosen)
        words += [f"--{kind}={chosen}"] if chosen else []
    try:
        return build(parse_arguments(words), tree / "guest")
    except UserError as error:
        raise MutantError(f"{mutant.name}: {error}") from error


def config_text(
    mutant: Mutant, image: str, settings: Mapping[str, str | int] | None = None, root: Path = ROOT
) -> str:
    """The config with which the image is run, as TOML. `settings`: instead of the mutant's own."""
    lines = [f'base = "{root}/configs/machines/{mutant.machine}.toml"']
    lines += [f"machine.processors = {mutant.processors}", f'guest.image = "{image}"']
    lines += ['schedule.from = "region"', "schedule.region = 1"]  # TIMED_REGION of the programs
    lines += [f"guest.args.{name} = {value}" for name, value in mutant.arguments.items()]
    for key, value in (mutant.settings if settings is None else settings).items():
        lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}")
    return "\n".join(lines) + "\n"


def find(name: str) -> Mutant:
    """The mutant of that name. Raises MutantError if there is none."""
    for mutant in mutants():
        if mutant.name == name:
            return mutant
    raise MutantError(f"there is no mutant {name}; `make.py list` prints all")


def write_image(mutant: Mutant, folder: Path, right: bool) -> None:
    """Writes FOLDER/NAME.elf and NAME.toml. Raises MutantError."""
    image = build_image(mutant, folder, right)
    text = config_text(mutant, image.name)
    image.with_suffix(".toml").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["list", "tree", "image", "images"])
    parser.add_argument("names", nargs="*", metavar="NAME FOLDER")
    parser.add_argument("--right", action="store_true", help="without the bug")
    chosen = parser.parse_args()
    words = {"list": 0, "images": 1}.get(chosen.what, 2)
    if len(chosen.names) != words:
        parser.error(f"{chosen.what} takes {words} names")
    if chosen.what == "list":
        for mutant in mutants():
            print(f"{mutant.name:44} {mutant.violation:15} {mutant.processors} {mutant.source}")
        return
    folder = Path(chosen.names[-1])
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.what == "images":
        for mutant in mutants():
            if mutant.has_right_version or not chosen.right:
                write_image(mutant, folder, chosen.right)
    elif chosen.what == "image":
        write_image(find(chosen.names[0]), folder, chosen.right)
    else:
        write_tree(find(chosen.names[0]), folder, chosen.right)


if __name__ == "__main__":
    try:
        main()
    except MutantError as error:
        sys.exit(f"make.py: {error}")
