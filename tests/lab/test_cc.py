# SPDX-License-Identifier: MIT
"""`symlab cc` with the real gcc. If SYMSIM_BINARY is set, the programs run in the simulator."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from symlab import run
from symlab.errors import OutputError, RunFailed, UserError
from symlab.guest.compiling import GUEST, Request, build, parse_arguments, read_flags

BINARY = os.environ.get("SYMSIM_BINARY", "")
QUICKSTART = GUEST.parent / "configs" / "quickstart.toml"

needs_simulator = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

HELLO = r"""
#include <stdio.h>
#include <stdlib.h>
#ifndef TIMES
#define TIMES 3
#endif
int main(int argc, char** argv) {
    volatile char large[40000];
    large[0] = large[39999] = argc;
    char* text = malloc(20);
    for (int i = 0; i < TIMES; i++) sprintf(text, "hello %d", i);
    puts(text);
    return argv[argc] == NULL && large[39999] == 1 ? 0 : 1;
}
"""

# What Dhrystone, CoreMark and STREAM use of the library, in the style of the first.
BENCHMARK = r"""
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
extern char *malloc();
extern int times();
extern long time();
struct tms used;
double second() {
    struct timeval now;
    struct timezone zone;
    gettimeofday(&now, &zone);
    return now.tv_sec + now.tv_usec * 1.e-6;
}
main() {
    int n, i;
    double begin = second(), sum = 0.0, least = FLT_MAX;
    struct timespec before, after;
    char *text = malloc(31);
    strcpy(text, "SOME STRING");
    clock_gettime(CLOCK_REALTIME, &before);
    printf("How many runs? ");
    if (scanf("%d", &n) != 1) return 1;
    for (i = 1; i <= n; i++) sum += sqrt((double)i) / i;
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (second() - begin < least) least = second() - begin;
    times(&used);
    if (used.tms_utime != clock() / 10000) return 2;
    if (least <= 0 || fabs(least) > 1 || after.tv_nsec <= before.tv_nsec) return 3;
    if (strcmp(text, "SOME STRING") || time((time_t *)0) != 0) return 4;
    printf("%s: %d runs, 0x%04x %6.1f %e\n", text, n, n, sum, sum);
    return 0;
}
"""

LOCKED = """
#include "lock.h"
#include "symsim.h"
static struct lock lock = LOCK_INIT;
static volatile unsigned count;
static void add(unsigned processor, void* unused) {
    (void)processor, (void)unused;
    struct lock_slot slot;
    for (int i = 0; i < 10; i++) {
        lock_acquire(&lock, &slot);
        count = count + 1;
        lock_release(&lock, &slot);
    }
}
int main(void) {
    run_on_all(add, NULL);
    printf("%s %u", LOCK_NAME, count);
    return 0;
}
"""

THREADED = """
#include "lock.h"
#include "symsim.h"
#include "threads.h"
static struct thread_mutex mutex = THREAD_MUTEX_INIT;
static unsigned count;
static void add(void* number) {
    thread_mutex_lock(&mutex);
    count += (unsigned)number;
    thread_mutex_unlock(&mutex);
}
static void first(void* unused) {
    (void)unused;
    static struct thread_task tasks[20];  // some locks are large
    for (unsigned i = 0; i < 20; i++) thread_fork(&tasks[i], add, (void*)i);
    for (unsigned i = 0; i < 20; i++) thread_join(&tasks[i]);
}
int main(void) {
    threads_run(first, NULL);
    printf("%s %u", LOCK_NAME, count);
    return 0;
}
"""

# Local free lists, with a second lock acquired around that of the ready queue.
TWO_LOCKS = """
#define central_put central_put_itself
#include "threads/central_queue.h"
#undef central_put
static struct lock outer_lock = LOCK_INIT;
ALWAYS_INLINE void central_put(struct thread* thread) {
    package_lock(&outer_lock);
    central_put_itself(thread);
    package_unlock(&outer_lock);
}
#include "threads/strategies/local-freelist.h"
"""

# Actions that are forbidden for a thread.
FAULTS = """
#include "threads.h"
static __attribute__((noinline)) void use_all_of_the_stack(void) {
    volatile char room[THREAD_STACK_BYTES];
    for (unsigned i = 0; i < sizeof room; i++) room[i] = 0;
}
static void first(void* unused) {
    (void)unused;
    FAULT;
}
int main(void) {
    threads_run(first, NULL);
    return 0;
}
"""

# An ordinary program of POSIX threads, which uses names that headers of the package have, too, and
# more stack than a thread of the package has.
POSIX = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
struct lock { int unused; };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;
static void* thread_function(void* number) {
    usleep(100);
    pthread_mutex_lock(&mutex);
    count += (unsigned)number;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(int argc, char** argv) {
    pthread_t threads[20];
    struct timeval start, end;
    char large[40000];
    memset(large, argv[argc] == NULL, sizeof large);
    gettimeofday(&start, NULL);
    for (unsigned i = 0; i < 20; i++)
        pthread_create(&threads[i], NULL, thread_function, (void*)i);
    for (unsigned i = 0; i < 20; i++) pthread_join(threads[i], NULL);
    gettimeofday(&end, NULL);
    long us = (end.tv_sec - start.tv_sec) * 1000000 + end.tv_usec - start.tv_usec;
    printf("%u %d %d %ld", count, large[20000], us >= 100, sysconf(_SC_NPROCESSORS_ONLN));
    return 0;
}
"""

OWN_LOCK = """
#include "word.h"
#define LOCK_NAME "own"
static SPIN_FUNCTION void lock_wait(struct lock* lock) {
    while (exchange_byte(&lock->word, 1) != 0) {
    }
}
"""


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that the tests share, so that the library is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hello.c").write_text(HELLO)
    (tmp_path / "locked.c").write_text(LOCKED)
    (tmp_path / "own.h").write_text(OWN_LOCK)
    (tmp_path / "threaded.c").write_text(THREADED)
    (tmp_path / "two-locks.h").write_text(TWO_LOCKS)
    (tmp_path / "faults.c").write_text(FAULTS)
    (tmp_path / "posix.c").write_text(POSIX)
    return tmp_path


def cc(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "symlab", "cc", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def flags_in(image: Path, folder: Path) -> str:
    dumped = folder / "flags"
    command = ["objcopy", f"--dump-section=.symsim.flags={dumped}"]
    command += [str(image), str(folder / "copy.elf")]
    subprocess.run(command, check=True)
    return dumped.read_bytes().rstrip(b"\0").decode()


def console_of(image: str, **overrides: object) -> str:
    out = Path("run")
    settings = {"guest.image": image, "machine.processors": 4, "guest.args.increments": 1}
    run(
        QUICKSTART, settings=settings | overrides, out=out, simulator=BINARY, strict=False
    )  # few ask for increments
    return (out / "console.txt").read_text()


def test_arguments_are_sorted_into_files_compiler_and_linker_options(folder):
    words = "-O2 hello.c -I dir -DA=1 -Wno-foo -lm -Wl,-Map=x -o my.elf --lock xchgb --stack-kb 16"
    assert parse_arguments(words.split()) == Request(
        (Path("hello.c"),),
        Path("my.elf"),
        ("-O2", "-I", "dir", "-DA=1", "-Wno-foo"),
        ("-Wl,-Map=x",),
        "xchgb",
        16,
    )


@pytest.mark.parametrize(
    ("words", "lock", "strategy"),
    [
        ("", "read", None),
        ("--strategy idle-queue", "backoff", "idle-queue"),
        ("--strategy idle-queue --lock ticket", "ticket", "idle-queue"),
        ("-pthread", "backoff", "local-readyq"),
        ("-pthread --strategy idle-queue --lock ticket", "ticket", "idle-queue"),
    ],
)
def test_a_thread_program_gets_the_backoff_lock_by_default(folder, words, lock, strategy):
    request = parse_arguments(f"hello.c -o my.elf {words}".split())
    assert (request.lock, request.strategy) == (lock, strategy)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("hello.c", "-o PROGRAM.elf"),
        ("-o my.elf", "no files"),
        ("gone.c -o my.elf", "gone.c: no such file"),
        ("own.h -o my.elf", "own.h: not a .c"),
        ("hello.c -o my.elf --stack-kb 5", "power of two"),
        ("hello.c -o my.elf --stack-kb x", "--stack-kb"),
        ("hello.c -o my.elf --kernel=none", "--kernel none: there is central, local"),
        ("hello.c -o my.elf --kernel -pthread", "has no threads"),
        ("hello.c -o my.elf --kernel --stack-kb 16", "the stack of a process has 16 KB"),
        ("hello.c -c -o my.elf", "-c has no place"),
        ("hello.c -o my.elf -I", "-I needs a value"),
    ],
)
def test_wrong_arguments_are_named(folder, words, says):
    with pytest.raises(UserError, match=re.escape(says)):
        parse_arguments(words.split())


def test_an_error_of_gcc_is_passed_on_and_ends_with_exit_code_2(folder):
    Path("bad.c").write_text("int main(void) { return missing; }\n")
    done = cc("bad.c", "-o", "bad.elf")
    assert done.returncode == 2
    assert "missing" in done.stderr and "gcc could not compile bad.c" in done.stderr
    assert not Path("bad.elf").exists()


def test_an_undefined_symbol_is_reported(folder, capfd):
    Path("bad.c").write_text("int absent(void);\nint main(void) { return absent(); }\n")
    with pytest.raises(UserError, match="gcc could not link"):
        build(Request((Path("bad.c"),), Path("bad.elf")))
    assert "absent" in capfd.readouterr().err


def test_an_instruction_that_a_386_lacks_is_refused_by_name(folder, capfd):
    Path("bad.c").write_text('int main(void) { __asm__("cpuid"); return 0; }\n')
    with pytest.raises(UserError, match="386"):
        build(Request((Path("bad.c"),), Path("bad.elf")))
    assert "bad.elf.unchecked: main" in capfd.readouterr().err
    assert not Path("bad.elf").exists()


# Names that ordinary programs use, and that the library, the locks or the thread package have too.
COMMON = [
    "acquire",
    "arguments",
    "arrive",
    "backoff",
    "barrier",
    "bits",
    "board",
    "cache",
    "cell",
    "clock_us",
    "close",
    "connect",
    "console",
    "count",
    "create",
    "current",
    "data",
    "delay",
    "done",
    "entry",
    "exchange_byte",
    "fence",
    "flag",
    "format",
    "free_list",
    "get",
    "give_turn_back",
    "heap",
    "idle",
    "index2",
    "interrupt",
    "kernel",
    "lock",
    "line",
    "list",
    "locked",
    "memory",
    "message",
    "mutex",
    "next",
    "node",
    "open",
    "page",
    "panic",
    "pause",
    "processor",
    "processors",
    "put",
    "queue",
    "ready",
    "release",
    "report",
    "reset",
    "ring",
    "run",
    "run_on_all",
    "schedule",
    "self",
    "send",
    "signal",
    "slot",
    "spin",
    "start",
    "state",
    "step",
    "stop",
    "strategy",
    "switch_to",
    "table",
    "task",
    "take_turn",
    "test",
    "thread",
    "ticket",
    "time_us",
    "try",
    "turn",
    "turns",
    "unlock",
    "wait",
    "wait_for",
    "wake",
    "word",
    "work",
    "yield",
]


@pytest.mark.parametrize("words", ["", "-pthread", "--strategy idle-queue"])
def test_an_ordinary_program_may_use_common_names(folder, words):
    headers = [
        "ctype.h", "errno.h", "inttypes.h", "limits.h", "malloc.h", "math.h", "pthread.h",
        "sched.h", "setjmp.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",
        "sys/time.h", "sys/times.h", "sys/types.h", "time.h", "unistd.h",
    ]  # fmt: skip
    source = [f"#include <{header}>" for header in headers]
    for kind in range(2):  # as types in one function, as global functions or variables elsewhere
        names = COMMON[kind::2]
        source += [f"int {name}(int n) {{ return n + 1; }}" for name in names]
    source.append("int main(void) { int sum = 0;")
    source += [f"sum += {name}({number});" for number, name in enumerate(COMMON)]
    expected = sum(range(1, len(COMMON) + 1))
    source.append(f'printf("%d\\n", sum); return sum != {expected}; }}')
    Path("common.c").write_text("\n".join(source) + "\n")
    Path("types.c").write_text(
        "".join(f"#include <{header}>\n" for header in headers)
        + "".join(f"typedef struct {name} {{ int n; }} {name};\n" for name in COMMON)
    )
    done = cc("common.c", "types.c", "-Werror", "-fno-builtin", "-o", "common.elf", *words.split())
    assert done.returncode == 0, done.stderr
    if BINARY:
        assert console_of("common.elf") == f"{expected}\n"


def test_symsim_h_leaves_names_to_the_program_that_are_no_functions_of_it(folder):
    Path("own.c").write_text(
        '#include "symsim.h"\n'
        "typedef struct { int n; } work;\n"
        "struct lock { work of; };\n"
        "static int delay, put, turns, exchange, pause, line, state, message, argument;\n"
        "int main(void) { struct lock lock = {{delay + put + turns + exchange + pause}};\n"
        "  return lock.of.n + line + state + message + argument; }\n"
    )
    done = cc("own.c", "-Wall", "-Werror", "-o", "own.elf")
    assert done.returncode == 0, done.stderr


def test_missing_atomics_come_with_what_a_386_has(folder):
    Path("atomic.c").write_text(
        "#include <stdatomic.h>\natomic_int n; _Atomic long long wide; int m;\n"
        "int main(void) { wide++; __sync_lock_release(&m);\n"
        "  return atomic_fetch_add(&n, 1) + __sync_bool_compare_and_swap(&m, 0, 1); }\n"
    )
    done = cc("atomic.c", "-o", "atomic.elf")
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    assert "__atomic_fetch_add_4, __sync_bool_compare_and_swap_4: a 386 has xchg" in said
    assert "__atomic_fetch_add_8: neither a 386 nor a 486" in said


def test_a_program_for_the_486_may_use_its_atomics(folder):
    Path("atomic.c").write_text(
        "#include <stdatomic.h>\n#include <stdio.h>\natomic_int n = 3; int m;\n"
        "int main(void) { int old = atomic_fetch_add(&n, 4);\n"
        "  int swapped = __sync_bool_compare_and_swap(&m, 0, 9);\n"
        '  printf("%d %d %d %d", old, n, swapped, m); return 0; }\n'
    )
    done = cc("atomic.c", "-march=i486", "-o", "atomic.elf")
    assert done.returncode == 0, done.stderr
    if BINARY:
        assert console_of("atomic.elf", **{"processor.isa": "i486"}) == "3 7 1 9"


def test_a_program_for_the_686_may_use_all_that_gcc_makes_for_one(folder):
    Path("wide.c").write_text(
        "#include <stdatomic.h>\n#include <stdio.h>\n"
        "_Atomic long long n = 0xffffffffLL; volatile double d = 1; volatile int few = 40;\n"
        "int main(void) { long long begin = __builtin_ia32_rdtsc(); n++;\n"
        "  int own = few, zeros = __builtin_ctz(own), larger = own > zeros ? own : zeros;\n"
        "  int later = __builtin_ia32_rdtsc() > begin;\n"
        '  printf("%llx %d %d %d %d", n, zeros, larger, d > 2, later); return 0; }\n'
    )
    done = cc("wide.c", "-O2", "-march=i686", "-mtune=generic", "-o", "wide.elf")
    assert done.returncode == 0, done.stderr
    listing = subprocess.run(["objdump", "-d", "wide.elf"], capture_output=True, text=True).stdout
    assert all(f"\t{name}" in listing for name in ("lock cmpxchg8b", "rdtsc", "tzcnt", "fcomi"))
    assert "\tcmov" in listing
    if BINARY:
        assert console_of("wide.elf", **{"processor.isa": "i686"}) == "100000000 3 40 0 1"


def test_other_missing_functions_are_named_with_the_page_of_those_that_exist(folder):
    Path("bad.c").write_text(
        "int fork(void), pthread_self(void);\nint main(void) { return fork() + pthread_self(); }\n"
    )
    done = cc("bad.c", "-o", "bad.elf")
    said = done.stderr.splitlines()[-1]
    assert "pthread_self: build with -pthread" in said
    assert "neither the program nor the library has fork; docs/reference/c-library.md" in said


@needs_simulator
@pytest.mark.parametrize("options", [["-O2"], ["-O0"]])
def test_a_trap_of_gcc_is_a_failure_with_its_source_line(folder, options):
    # gcc emits ud2, which is invalid on a 386 too, for __builtin_trap() and for paths that would
    # use a null pointer.
    Path("trap.c").write_text(
        "__attribute__((noinline)) static int half(int n) {\n"
        "    if (n & 1) __builtin_trap();\n"
        "    return n / 2;\n"
        "}\n"
        "int main(void) { volatile int n = 3; return half(n); }\n"
    )
    assert cc("trap.c", *options, "-o", "trap.elf").returncode == 0
    with pytest.raises(RunFailed, match=r"trap\.c:2"):
        console_of("trap.elf")


def test_a_missing_gcc_is_reported(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(UserError, match="no gcc"):
        build(Request((Path("hello.c"),), Path("hello.elf")))


def test_the_error_for_an_unknown_lock_lists_the_known_ones(folder):
    with pytest.raises(UserError, match=r"backoff, .*read, .*xchgb"):
        build(Request((Path("hello.c"),), Path("hello.elf"), lock="nonesuch"))
    with pytest.raises(UserError, match=r"gone\.h: no such file"):
        build(Request((Path("hello.c"),), Path("hello.elf"), lock="gone.h"))


def test_the_error_for_an_unknown_strategy_lists_the_known_ones(folder):
    strategies = GUEST / "threads" / "strategies"
    names = ", ".join(sorted(path.stem for path in strategies.iterdir()))
    assert "local-readyq, local-readyq-random" in names
    with pytest.raises(UserError, match=f"there are {names}, and any header of yours"):
        build(Request((Path("threaded.c"),), Path("t.elf"), strategy="nonesuch"))
    with pytest.raises(UserError, match=r"--strategy gone\.h: no such file"):
        build(Request((Path("threaded.c"),), Path("t.elf"), strategy="gone.h"))


def test_the_error_for_an_unknown_barrier_lists_the_known_ones(folder):
    said = r"--barrier x: there is no barrier x; there are .*combining, counter, .*mcs-"
    with pytest.raises(UserError, match=said):
        build(Request((Path("hello.c"),), Path("hello.elf"), barrier="x"))


def test_a_program_that_cannot_be_written_is_an_output_error(folder):
    with pytest.raises(OutputError, match="nowhere"):
        build(Request((Path("hello.c"),), Path("nowhere/hello.elf")))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["hello.c", "-o", "hello.c"], "this is an input, hello.c"),
        (["hello.c", "-o", "link.elf"], "this is an input, hello.c"),
        (["hello.c", "other.o", "-o", "other.o"], "this is an input, other.o"),
        (["hello.c", "--lock", "l.h", "-o", "l.h"], "this is an input, .*/l.h"),
        (["hello.c", "--barrier", "l.h", "-o", "l.h"], "this is an input, .*/l.h"),
        (["hello.c", "--strategy", "l.h", "-o", "l.h"], "this is an input, .*/l.h"),
        (["hello.c", "-include", "l.h", "-o", "l.h"], "this is an input, l.h"),
        (["hello.c", "-Wl,-T,script", "-o", "script"], "this is an input, script"),
        (["hello.c", "-o", "included.h"], "this file exists and is not a program"),
    ],
)
def test_neither_an_input_nor_a_file_that_is_no_program_is_replaced(folder, words, says):
    (folder / "link.elf").hardlink_to(folder / "hello.c")
    (folder / "other.o").write_bytes(b"\x7fELF and so on")
    for name in ("l.h", "script", "included.h"):
        (folder / name).write_text(f"mine: {name}\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(UserError, match=f"cc: -o {words[-1]}: {says}"):
        build(parse_arguments(words))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_program_an_empty_file_and_a_device_are_written_over(folder):
    first = build(Request((Path("hello.c"),), Path("a.elf"))).read_bytes()
    (folder / "empty").touch()
    for output in ("a.elf", "empty"):
        assert build(Request((Path("hello.c"),), Path(output))).read_bytes() == first


def test_the_same_program_from_two_folders_is_the_same_bytes(folder, monkeypatch):
    first = build(Request((Path("hello.c"),), Path("a.elf"))).read_bytes()
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "hello.c").write_text(HELLO)
    monkeypatch.chdir(folder / "elsewhere")
    second = build(Request((Path("hello.c"),), Path("b.elf"))).read_bytes()
    assert first == second
    assert str(folder).encode() not in first


def test_the_image_contains_the_compiler_flags(folder):
    image = build(Request((Path("hello.c"),), Path("my.elf"), ("-O2", '-DTEXT="a b"')))
    own = ["-DSTACK_SHIFT=16", "-O2", '-DTEXT="a b"']
    assert flags_in(image, folder) == " ".join(read_flags(GUEST, "all") + own)


@needs_simulator
def test_programs_of_the_tree_have_the_same_flags(tmp_path):
    image = Path(BINARY).resolve().parent / "guest" / "counter-read.elf"
    flags = read_flags(GUEST, "all") + read_flags(GUEST, "freestanding")
    assert flags_in(image, tmp_path) == " ".join(flags)


@needs_simulator
@pytest.mark.parametrize("options", [[], ["-std=gnu89", "-w"]], ids=["with-warnings", "gnu89"])
def test_an_old_benchmark_reads_its_number_of_runs_from_standard_input(folder, options):
    (folder / "old.c").write_text(BENCHMARK)
    build(parse_arguments(["old.c", "-o", "old.elf", "-O2", *options]))
    (folder / "runs.txt").write_text("200\n")
    given = {"guest.image": "old.elf", "guest.stdin": "runs.txt", "machine.processors": 1}
    run(QUICKSTART, settings=given, out=folder / "out", simulator=BINARY)
    printed = (folder / "out" / "console.txt").read_text()
    assert printed == "How many runs? SOME STRING: 200 runs, 0x00c8   26.9 2.685926e+01\n"
    with pytest.raises(RunFailed):
        run(QUICKSTART, settings={**given, "guest.stdin": ""}, out=folder / "out", simulator=BINARY)


@needs_simulator
def test_a_hosted_program_runs_under_the_quickstart(folder):
    done = cc("hello.c", "-o", "my.elf", "-O2", "-DTIMES=8")
    assert (done.returncode, done.stdout) == (0, "wrote my.elf\n"), done.stderr
    assert console_of("my.elf") == "hello 7\n"


@needs_simulator
@pytest.mark.parametrize(
    ("lock", "name"),
    [
        ("backoff", "backoff"),
        ("array-xadd", "array-xadd"),
        ("ttas", "read"),
        ("static-32", "static-32"),
        ("own.h", "own"),
    ],
)
def test_the_lock_is_given_by_name_or_by_the_users_header(folder, lock, name):
    assert cc("locked.c", "-o", "locked.elf", "--lock", lock).returncode == 0
    assert console_of("locked.elf", **{"processor.isa": "i486"}) == f"{name} 40"


@needs_simulator
@pytest.mark.parametrize("strategy", ["single-lock", "local-readyq", "two-locks.h"])
def test_a_thread_program_uses_a_strategy_of_the_tree_or_of_the_user(folder, strategy):
    assert cc("threaded.c", "-o", "t.elf", "-O2", "--strategy", strategy).returncode == 0
    assert console_of("t.elf") == "backoff 190"


OWN_BARRIER = """
#define BARRIER_NAME "own"
struct barrier { struct barrier_word missing; };
static void barrier_setup(struct barrier* barrier, unsigned count) {
    barrier->missing.word = count;
}
static SPIN_FUNCTION void barrier_wait(struct barrier* barrier, struct barrier_slot* slot) {
    (void)slot;
    if (!barrier_count_down(&barrier->missing.word)) barrier_spin(&barrier->missing.word, 0);
}
"""

MEETING = """
#include "barrier.h"
#include "symsim.h"
static struct barrier meeting;
static volatile unsigned came[20];
static bool early;
static void meet(unsigned cpu, void* unused) {
    (void)unused;
    struct barrier_slot slot = BARRIER_SLOT(cpu);
    came[cpu] = 1;
    barrier_wait(&meeting, &slot);
    for (unsigned i = 0; i < processors(); i++) if (came[i] != 1) early = true;
}
int main(void) {
    barrier_setup(&meeting, processors());
    run_on_all(meet, NULL);
    printf("%s %s", BARRIER_NAME, early ? "leaks" : "holds");
    return 0;
}
"""


@needs_simulator
@pytest.mark.parametrize(
    ("words", "name"),
    [("", "counter"), ("--barrier dissemination", "dissemination"), ("--barrier mine.h", "own")],
)
def test_a_program_uses_a_barrier_of_the_tree_or_of_the_user(folder, words, name):
    Path("mine.h").write_text(OWN_BARRIER)
    Path("meeting.c").write_text(MEETING)
    done = cc("meeting.c", "-o", "m.elf", *words.split())
    assert done.returncode == 0, done.stderr
    assert console_of("m.elf") == f"{name} holds"


PROCESSES = """
#include <stdio.h>
#include "lock.h"
#include "process.h"
static struct lock lock = LOCK_INIT;
static struct lock_slot slots[8];
static volatile unsigned sum;
void make_ready(void) { sum++; } /* also the name of a function of the kernel */
static void add(void* argument) {
    for (unsigned i = 0; i < 50; i++) {
        lock_acquire(&lock, &slots[process_self()]);
        sum += (unsigned)argument;
        lock_release(&lock, &slots[process_self()]);
    }
}
static void fault(void* unused) { *(volatile int*)0 = 1; }
int main(void) {
    int number[4];
    for (unsigned i = 0; i < 4; i++) number[i] = process_spawn(add, (void*)i, ANY_PROCESSOR);
    for (unsigned i = 0; i < 4; i++) process_wait(number[i]);
    int status = process_wait(process_spawn(fault, 0, 0));
    make_ready();
    printf("%u %d", sum, status);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("words", "kernel"),
    [("--kernel", "local"), ("--kernel central", "central"), ("--kernel=central", "central")],
)
def test_the_word_after_kernel_is_its_run_queues_if_there_are_such(folder, words, kernel):
    request = parse_arguments([*words.split(), "hello.c", "-o", "my.elf"])
    assert (request.kernel, request.stack_kb) == (kernel, 16)
    assert request.files == (Path("hello.c"),)


def test_a_lock_of_processes_needs_the_kernel(folder):
    with pytest.raises(UserError, match="smart-q needs a program of processes; add --kernel"):
        build(parse_arguments(["hello.c", "-o", "my.elf", "--lock", "smart-q"]))


@needs_simulator
@pytest.mark.parametrize(
    "words", ["--kernel", "--kernel central --lock smart-q", "--kernel -DKERNEL_CHECKS"]
)
def test_a_program_of_processes_runs_and_survives_a_fault(folder, words):
    Path("sum.c").write_text(PROCESSES)
    done = cc(*words.split(), "sum.c", "-o", "sum.elf")
    assert (done.returncode, done.stderr) == (0, "")
    has_checks = b"spinlock_acquire_checked" in Path("sum.elf").read_bytes()
    assert has_checks == ("KERNEL_CHECKS" in words)
    console = console_of("sum.elf")
    assert console.startswith("process 5 ended: page fault at eip 0x")
    assert console.endswith("address 0x0, a null pointer\n301 256")


@needs_simulator
@pytest.mark.parametrize("words", ["-pthread", "-lpthread --strategy single-lock --lock mcs"])
def test_an_ordinary_program_of_posix_threads_runs(folder, words):
    done = cc("posix.c", "-o", "p.elf", "-O2", "-Wall", *words.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert console_of("p.elf") == "190 1 1 4"


def test_posix_threads_refuse_a_lock_that_does_not_fit(folder, capfd):
    request = parse_arguments(["posix.c", "-o", "p.elf", "-pthread", "--lock", "clh"])
    with pytest.raises(UserError, match="gcc could not compile"):
        build(request)
    assert "POSIX threads need another lock" in capfd.readouterr().err


@needs_simulator
@pytest.mark.parametrize("lock", ["array", "clh", "mcs"])
def test_all_locks_of_the_package_begin_free_whatever_their_initial_words(folder, lock):
    chosen = ("--strategy", "local-readyq", "--lock", lock)
    assert cc("threaded.c", "-o", "t.elf", *chosen).returncode == 0
    assert console_of("t.elf") == f"{lock} 190"


@needs_simulator
def test_a_thread_program_equals_the_one_built_in_the_tree(folder):
    source = GUEST / "workloads" / "null_threads.c"
    done = cc(str(source), "-ffreestanding", "-o", "mine.elf", "--strategy", "single-lock")
    assert done.returncode == 0, done.stderr
    times = []
    for image in ("mine.elf", "null_threads-single-lock"):
        given = {"guest.args.threads": 50, "guest.args.lock": "backoff"}
        console_of(image, **given, **{"machine.processors": 1})
        times.append(json.loads(Path("run", "summary.json").read_text())["guest"]["results"])
    assert times[0] == times[1]


def panic_of(image: str) -> str:
    with pytest.raises(RunFailed):
        console_of(image, **{"machine.processors": 2})
    return Path("run", "console.txt").read_text()


@needs_simulator
def test_a_checked_build_finds_two_locks_held_at_once(folder):
    checked = ("-DTHREADS_CHECKED", "--strategy", "two-locks.h")
    assert cc("threaded.c", "-o", "t.elf", *checked).returncode == 0
    assert "not one lock of the package at a time" in panic_of("t.elf")


@needs_simulator
@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("use_all_of_the_stack()", "a thread needed more stack than it has"),
        ("thread_signal(thread_self())", "a signal to a thread that has not blocked"),
    ],
)
def test_a_checked_build_finds_forbidden_actions_of_a_thread(folder, fault, says):
    checked = (f"-DFAULT={fault}", "-DTHREADS_CHECKED", "--strategy", "local-freelist")
    assert cc("faults.c", "-o", "f.elf", *checked).returncode == 0
    assert says in panic_of("f.elf")


WORDS = r"""
#include <stdio.h>
int main(int count, char** words) {
    for (int i = 1; i <= count; i++) printf("[%s]", i < count ? words[i] : "end");
    return words[count] != NULL;
}
"""


@needs_simulator
@pytest.mark.parametrize("options", [[], ["-pthread"]])
def test_main_gets_the_words_of_guest_argv(tmp_path, options):
    (tmp_path / "words.c").write_text(WORDS)
    program = tmp_path / "words.elf"
    build(parse_arguments([str(tmp_path / "words.c"), "-o", str(program), *options]))
    settings = {"guest.argv": "8 'two words' ''"}
    done = run(program, processors=1, settings=settings, out=tmp_path / "out")
    assert done.console == "[8][two words][][end]"
