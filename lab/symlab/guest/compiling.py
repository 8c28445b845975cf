# SPDX-License-Identifier: MIT
"""`symlab cc` builds a program for the simulated machine from C files in any folder.

It does what guest/symsim_guest.cmake does for programs of this tree, but without a build folder:
library.py keeps the compiled library in the user's cache. Both read the compiler flags from
guest/flags.txt.
"""

import argparse
import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from symlab.errors import OutputError, UserError
from symlab.guest import catalogue, spaces
from symlab.guest.binutils import keep_apart, refuse_thread_locals
from symlab.guest.catalogue import KIND_OF_OPTION, Item, default
from symlab.guest.library import (
    SOURCES,
    GuestCompiler,
    GuestLibrary,
    guest_library,
    kernels,
    read_flags,
)
from symlab.guest.programs import keep_others
from symlab.places import GUEST, find

LINKED = {".o", ".a"}
# gcc options whose value may be the next argument.
WITH_VALUE = {"-I", "-D", "-U", "-L", "-include", "-imacros", "-isystem", "-idirafter", "-iquote"}
# With these options gcc would produce no program, or none that the simulated machine can run.
REFUSED = {"-c", "-S", "-E", "-M", "-MM", "-shared", "-pie", "-m64"}
# With one of these options gcc may use the instructions that the set adds.
MARCH = {f"-march={isa}": isa for isa in ("i486", "i586", "i686")}
# The options that choose what a file is made of. The thread package gets these alone: how it is
# compiled is not the user's choice, so its times do not depend on the flags of a program.
PREPROCESSOR = ("-D", "-U", "-I", "-include", "-imacros", "-isystem", "-idirafter", "-iquote")
KERNEL = "local"  # the run queues of a program of processes that names none
KERNEL_STACK_KB = 16  # the boot stacks of a kernel
# Libraries whose functions are in guest/lib, with which every program is linked anyway.
IN_LIBRARY = {"-lm", "-lc"}


@dataclass(frozen=True)
class Request:
    """A program to build.

    `options`: for the compilation of each of the `files`; the thread package gets those of the
    preprocessor.
    `link_options`: for the linker. `lock`, `strategy`, `barrier`: a name or the path of a header.
    `stack_kb`: stack of each processor in KB, a power of two.
    """

    files: tuple[Path, ...]
    output: Path
    options: tuple[str, ...] = ()
    link_options: tuple[str, ...] = ()
    lock: str = field(default_factory=lambda: default("lock"))
    stack_kb: int = 64
    strategy: str | None = None  # of the thread package; None: a program without threads
    posix: bool = False  # a program of pthread.h
    barrier: str = field(default_factory=lambda: default("barrier"))  # of a program of barrier.h
    kernel: str | None = None  # run queues of a program of processes
    # The files of each of several address spaces; then there are no `files`.
    spaces: Mapping[str, Sequence[Path]] = field(default_factory=dict)


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def parse_arguments(arguments: list[str]) -> Request:
    """Parses a command line in the style of gcc, with --lock, --strategy, --barrier, -pthread,
    --kernel, --space and --stack-kb. Raises UserError.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("-o", dest="output", type=Path)
    parser.add_argument("--lock")
    parser.add_argument("--strategy")
    parser.add_argument("--barrier", default=default("barrier"))
    parser.add_argument("-pthread", "-lpthread", dest="posix", action="store_true")
    parser.add_argument("--kernel")
    parser.add_argument("--space", action="append", default=[])
    parser.add_argument("--stack-kb", type=_whole)
    try:
        known, rest = parser.parse_known_args(_with_kernel(arguments))
    except argparse.ArgumentError as error:
        raise UserError(f"cc: {error}") from error
    files, options, link_options = [], [], []
    words = iter(rest)
    for word in words:
        if word in REFUSED:
            raise UserError(f"cc: {word} has no place here; cc makes a whole 32-bit program")
        if not word.startswith("-"):
            files.append(_file(word))
        elif word.startswith(("-l", "-L", "-Wl,", "-Xlinker")):
            link_options += [] if word in IN_LIBRARY else [word]
            link_options += _value(word, words)
        else:
            options += [word, *_value(word, words)]
    if known.space:
        _check_spaces(known, files)
    elif not files:
        raise UserError("cc: no files; name at least one .c file")
    if known.output is None:
        raise UserError("cc: where to? Give -o PROGRAM.elf")
    if known.kernel is not None:
        _check_kernel(known)
    if known.kernel is not None or known.space:
        known.stack_kb = KERNEL_STACK_KB
    elif known.stack_kb is None:
        known.stack_kb = 64
    if known.stack_kb not in (1 << n for n in range(2, 15)):
        raise UserError(f"cc: --stack-kb {known.stack_kb}: must be a power of two, 4 to 16384")
    threads = known.posix or known.space
    strategy = known.strategy or (default("strategy") if threads else None)
    lock = known.lock or default("threads-lock" if strategy else "lock")
    return Request(
        tuple(files), known.output, tuple(options), tuple(link_options), lock, known.stack_kb,
        strategy, known.posix, known.barrier, known.kernel, spaces.parse_spaces(known.space),
    )  # fmt: skip


def _with_kernel(arguments: list[str]) -> list[str]:
    """The arguments; --kernel without the name of run queues gets the default."""
    words = list(arguments)
    for at, word in enumerate(words):
        if word == "--kernel" and not set(words[at + 1 : at + 2]) & set(kernels(GUEST)):
            words[at] = f"--kernel={KERNEL}"
    return words


def _check_kernel(known: argparse.Namespace) -> None:
    """Raises UserError if --kernel has a name that does not exist, or an option beside it that
    does not go with it."""
    if known.kernel not in kernels(GUEST):
        raise UserError(f"cc: --kernel {known.kernel}: there is {', '.join(kernels(GUEST))}")
    if known.strategy or known.posix:
        raise UserError(
            "cc: --kernel: a program of processes has no threads; leave out --strategy and -pthread"
        )
    if known.stack_kb is not None:
        raise UserError("cc: --stack-kb: the stack of a process has 16 KB; leave it out")


def _check_spaces(known: argparse.Namespace, files: list[Path]) -> None:
    """Raises UserError if something beside --space does not go with it."""
    if files:
        raise UserError(
            f"cc: {files[0]}: of which space? Write --space NAME={files[0]}; a name may come again"
        )
    others = {"-pthread": known.posix, "--kernel": known.kernel, "--stack-kb": known.stack_kb}
    for option, given in others.items():
        if given is not None and given is not False:
            raise UserError(f"cc: {option} does not go with --space; leave it out")


def build(request: Request, guest: Path = GUEST) -> Path:
    """Compiles, links and checks the program; returns its path. gcc's messages go to stderr.

    Raises UserError if there is no compiler, if gcc reports an error, if the program contains an
    instruction that a 386 lacks, or if the output is an input or exists and is not a program.
    Raises OutputError if the program cannot be written.
    """
    if not (guest / "flags.txt").is_file():
        said = "is not a guest folder of symsim; install the lab from its tree"
        raise UserError(f"cc: {guest} {said}")
    _keep_others(request, guest)
    lock = _chosen("lock", request.lock, guest)
    if lock.kernel and not request.kernel:
        raise UserError(f"cc: --lock {request.lock} needs a program of processes; add --kernel")
    isa = max([lock.isa, *(MARCH[option] for option in request.options if option in MARCH)])
    compiler = GuestCompiler(guest)
    with tempfile.TemporaryDirectory(prefix="symlab-cc-") as name:
        folder = Path(name)
        unchecked = folder / f"{request.output.name}.unchecked"
        stack = _stack_option(request)
        user, checks = _has_files_of_a_user(request, guest), _kernel_checks(request)
        library = guest_library(compiler, stack, folder, request.kernel, isa, user, checks)
        script = guest / "boot/guest.ld"
        if request.spaces:
            table, script = spaces.write_link_files(guest, list(request.spaces), folder)
            objects = _compile_spaces(request, compiler, library, table, folder)
        else:
            objects = _compile_all(request, compiler, library, folder)
        objects = [str(library.start), *objects]
        flags = [*read_flags(guest, "link"), f"-Wl,-T,{script}"]
        flags += read_flags(guest, "posix") if request.posix else []
        flags += read_flags(guest, "kernel-link") if request.kernel else []
        inputs = [*objects, *request.link_options, *map(str, library.kernel)]
        inputs += [*map(str, library.kernel), str(library.archive)]  # they call each other
        compiler.link([*flags, *inputs, "-o", str(unchecked)], request.posix)
        check = [sys.executable, str(guest / "check_386.py"), "--isa", isa, unchecked.name]
        if subprocess.run(check, cwd=folder).returncode != 0:
            raise UserError(f"cc: no program was written: a {isa[1:]} cannot run it")
        try:
            shutil.copyfile(unchecked, request.output)
            request.output.chmod(0o755)
        except OSError as error:
            raise OutputError(f"cc: cannot write {request.output}: {error.strerror}") from error
    return request.output


def cc(
    *sources: str | Path, output: str | Path, lock: str | None = None, options: Iterable[str] = ()
) -> Path:
    """Compiles and links a C program for the simulated machine; returns its path.

    Args:
        sources: .c, .S, .s, .o or .a files. Those of symsim, such as guest/workloads/counter.c, are
            found from every working folder.
        output: file to write.
        lock: name or header of the lock, default read.
        options: further arguments of `symlab cc`, such as "-DNAME=1" or "--strategy".

    Raises:
        UserError: an argument is wrong, or gcc found a mistake.
        OutputError: the program cannot be written.
    """
    files = [str(find(source)) for source in sources]
    chosen = [] if lock is None else ["--lock", lock]
    return build(parse_arguments([*files, "-o", str(output), *chosen, *options]))


def _keep_others(request: Request, guest: Path) -> None:
    """Raises UserError if the output would replace a file that the build reads."""
    if not request.output.is_file():
        return
    headers = {kind: getattr(request, kind) for kind in KIND_OF_OPTION}
    chosen = [_chosen(kind, name, guest).file for kind, name in headers.items() if name]
    given = [*request.options, *request.link_options]  # such as -Wl,-T,FILE or --script=FILE
    words = [part for word in given for part in (word, *re.split("[,=]", word))]
    sources = [file for of_one in request.spaces.values() for file in of_one]
    keep_others(request.output, [*request.files, *sources, *chosen, *map(Path, words)])


def _file(word: str) -> Path:
    path = Path(word)
    if path.suffix not in SOURCES | LINKED:
        raise UserError(f"cc: {word}: not a .c, .S, .s, .o or .a file")
    if not path.is_file():
        raise UserError(f"cc: {word}: no such file")
    return path


def _value(word: str, words: Iterable[str]) -> list[str]:
    if word not in WITH_VALUE and word != "-Xlinker":
        return []
    with contextlib.suppress(StopIteration):
        return [next(iter(words))]
    raise UserError(f"cc: {word} needs a value")


def _has_files_of_a_user(request: Request, guest: Path) -> bool:
    """A program of the tree gets the tree's own library, with whatever lock: so that the lock is
    all that differs from the images of the tree."""
    of_spaces = [file for of_one in request.spaces.values() for file in of_one]
    files = [file.resolve() for file in (*request.files, *of_spaces)]
    return not all(guest.resolve() in file.parents for file in files)


def _stack_option(request: Request) -> str:
    return f"-DSTACK_SHIFT={request.stack_kb.bit_length() + 9}"


def _compile_all(
    request: Request, compiler: GuestCompiler, library: GuestLibrary, folder: Path
) -> list[str]:
    """Compiles the program and, if it has threads, the thread package.

    Returns the objects in the order in which they are linked; the first contains the flags.
    """
    guest = compiler.guest
    package: list[Path] = []
    if request.strategy is not None:
        package = sorted((guest / "threads").glob("*.[cS]"))
        package += [guest / file for file in read_flags(guest, "package")]
    if request.posix:
        package += sorted((guest / "threads/posix").glob("*.c"))
    sources = [file for file in request.files if file.suffix in SOURCES]
    linked = [str(file) for file in request.files if file.suffix in LINKED]
    own = _options(request, guest)
    flags, made, shared = _objects(request, compiler, own, sources, package, folder)
    program = [*made, *linked]
    refuse_thread_locals(zip([*map(str, sources), *linked], program, strict=True))
    others = [str(library.start), *map(str, library.kernel), str(library.archive), *shared]
    program = keep_apart(program, others, folder)
    return [flags, *program[: len(made)], *shared, *program[len(made) :]]


def _compile_spaces(
    request: Request, compiler: GuestCompiler, library: GuestLibrary, table: Path, folder: Path
) -> list[str]:
    """Compiles and joins the program of each space, and compiles their kernel; returns as
    _compile_all does."""
    guest = compiler.guest
    own = [spaces.DEFINE, *_options(request, guest)]
    files = [file for of_one in request.spaces.values() for file in of_one]
    package = spaces.package(guest)
    flags, made, shared = _objects(request, compiler, own, files, package, folder)
    refuse_thread_locals(zip(map(str, files), made, strict=True))
    programs = []
    for name, of_one in request.spaces.items():
        own, made = made[: len(of_one)], made[len(of_one) :]
        programs.append(spaces.join(name, own, [*shared, str(library.archive)], folder))
    kernel = spaces.compile_kernel(compiler, table, folder, _kernel_checks(request))
    return [flags, *kernel, *programs]


def _objects(
    request: Request, compiler: GuestCompiler, own: list[str], sources: Sequence[Path],
    package: Sequence[Path], folder: Path,
) -> tuple[str, list[str], list[str]]:  # fmt: skip
    """The object with the flags, those of the sources, and those of the package."""
    options = [*own, *request.options]
    freestanding = read_flags(compiler.guest, "freestanding")
    of_package = [*freestanding, *own, *_preprocessor(request.options)]
    jobs = [_flags_job(request, compiler.guest, folder), *((file, options) for file in sources)]
    jobs += [(file, of_package) for file in package]
    flags, *objects = (str(path) for path in compiler.compile_all(jobs, folder))
    return flags, objects[: len(sources)], objects[len(sources) :]


def _options(request: Request, guest: Path) -> list[str]:
    """The options for the program and its thread package, besides the user's."""
    lock = _chosen("lock", request.lock, guest)
    barrier = _chosen("barrier", request.barrier, guest)
    own = [f'-DSYMSIM_LOCK_FILE="{lock.file}"', *lock.options, _stack_option(request)]
    own += [*_isa_option(lock), f'-DSYMSIM_BARRIER_FILE="{barrier.file}"', *barrier.options]
    own += read_flags(guest, "user") if _has_files_of_a_user(request, guest) else []
    own += ["-DSYMSIM_PROCESSES"] if request.kernel else []
    own += ["-DSYMSIM_POSIX"] if request.posix else []
    if request.strategy is not None:
        strategy = _chosen("strategy", request.strategy, guest)
        own += ["-DSYMSIM_THREADS", f'-DSYMSIM_STRATEGY="{strategy.name}"']
        own += [f'-DSYMSIM_STRATEGY_FILE="{strategy.file}"', *strategy.options]
    return own


def _kernel_checks(request: Request) -> list[str]:
    """The options of the user's that also the kernel gets (guest/kernel/shared/spinlock.h)."""
    return [option for option in request.options if option.startswith("-DKERNEL_CHECKS")]


def _isa_option(lock: Item) -> list[str]:
    """With it gcc may use the instructions that the lock needs: __sync_ and __atomic_ functions
    of a 486 are then instructions."""
    return [f"-march={lock.isa}"] if lock.isa > "i386" else []


def _preprocessor(options: Sequence[str]) -> list[str]:
    """Those of gcc's options that choose what a file is made of, with their values."""
    chosen = []
    words = iter(options)
    for word in words:
        value = _value(word, words)
        if word.startswith(PREPROCESSOR):
            chosen += [word, *value]
    return chosen


def _flags_job(request: Request, guest: Path, folder: Path) -> tuple[Path, list[str]]:
    """Writes a section with the flags, which the simulator copies into each summary.json, and
    returns the source with the options to compile it."""
    stack = _stack_option(request)
    isa = _isa_option(_chosen("lock", request.lock, guest))
    words = " ".join([*read_flags(guest, "all"), stack, *isa, *request.options])
    words = words.replace("\\", "\\\\").replace('"', '\\"')
    flags = folder / "flags.S"
    flags.write_text(
        f'    .section .symsim.flags, "", @progbits\n    .asciz "{words}"\n'
        '    .section .note.GNU-stack, "", @progbits\n',
        encoding="utf-8",
    )
    return flags, [*read_flags(guest, "freestanding"), stack]


def _chosen(option: str, name: str, guest: Path) -> Item:
    """What --lock, --strategy or --barrier names: one of the tree, or a header of the user. Raises
    UserError if it does not exist."""
    header = Path(name)
    if header.suffix == ".h":
        if not header.is_file():
            raise UserError(f"cc: --{option} {name}: no such file")
        file = header.resolve()
        return Item(file.stem, file, "", isa=catalogue.isa(file))
    try:
        return catalogue.find(KIND_OF_OPTION[option], name, guest)
    except UserError as error:
        yours = f"and any header of yours: --{option} FILE.h"
        raise UserError(f"cc: --{option} {name}: {error}, {yours}") from None
