# SPDX-License-Identifier: MIT
"""Errors of C programs that end the run with their place: null pointers, wild addresses, stacks
that have run over, the heap, traps of gcc, deadlocks. Both engines say the same, byte for byte."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from symlab.guest.compiling import GUEST, build, parse_arguments

BINARY = os.environ.get("SYMSIM_BINARY", "")
pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

QUICKSTART = GUEST.parent / "configs" / "quickstart.toml"
MEMORY = 16 << 20  # bytes, of the quickstart's machine
# Of a program without symsim's library.
FLAGS = ["-m32", "-static", "-no-pie", "-nostdlib", "-ffreestanding"]
FLAGS += ["-Wl,-Ttext=0x100000", "-Wl,--build-id=none"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Ended:
    """How a run ended. `failure`: of summary.json, or None."""

    def __init__(self, code: int, errors: str, out: Path) -> None:
        self.code, self.errors = code, errors
        self.console = (out / "console.txt").read_text(errors="replace")
        self.summary: dict[str, Any] = json.loads((out / "summary.json").read_text())
        self.failure = self.summary["failure"]

    def backtrace(self) -> str:
        return "\n".join(self.failure["backtrace"])


def run(image: str, *settings: str) -> Ended:
    """Runs a program on two processors with both engines, which must agree."""
    ended, files = [], []
    for engine in ("fast", "reference"):
        out = Path(f"out-{engine}")
        sets = ["machine.processors=2", "run.limit_ms=400", f"guest.image={image}", *settings]
        words = [word for one in [*sets, f"run.engine={engine}"] for word in ("--set", one)]
        command = [BINARY, str(QUICKSTART), *words, "--quiet", "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        ended.append(Ended(done.returncode, done.stderr, out))
        names = ("summary.json", "console.txt", "bus.csv")
        files.append([(out / name).read_bytes() for name in names])
    assert files[0] == files[1]
    assert (ended[0].code, ended[0].errors) == (ended[1].code, ended[1].errors)
    return ended[0]


def program(source: str, *options: str) -> str:
    Path("program.c").write_text(source)
    build(parse_arguments(["program.c", "-o", "program.elf", *options]))
    return "program.elf"


# gcc does not know where `where` points.
ACCESS = """
#include <string.h>
static void* volatile where = (void*)%s;
static __attribute__((noinline)) int use(void) { %s }
int main(void) { return use() & 1; }
"""
READ = "return *(int*)where;"
STORE = "*(int*)where = 1; return 0;"
ASM = '__asm__ volatile("%s" : : "r"(where) : "eax", "memory", "cc"); return 0;'
LOCKED = ASM % "lock incl (%0)"
EXCHANGE = ASM % "xchgl %%eax, (%0)"
STRING = "return strlen(where);"
FLOAT = "return *(double*)where > 0;"


@pytest.mark.parametrize("what", [READ, STORE, LOCKED, EXCHANGE, STRING, FLOAT])
@pytest.mark.parametrize("protocol", ["write-through", "illinois"])
def test_an_access_to_the_first_page_is_a_null_pointer(folder, what, protocol):
    found = run(program(ACCESS % ("0x10", what)), f'cache.protocol="{protocol}"')
    assert found.code == 3
    assert "access to 0x00000010, in the first page, where only null pointers lead" in found.errors
    assert "program.c:4" in found.failure["source"] + found.backtrace()
    assert "main+" in found.backtrace()


@pytest.mark.parametrize(
    ("address", "what", "said"),
    [
        # A null pointer with a negative index.
        ("-4", READ, "access to 0xfffffffc in device space, where no device takes it"),
        ("-4", STORE, "access to 0xfffffffc in device space, where no device takes it"),
        ("-4", LOCKED, "locked access to 0xfffffffc"),
        ("-8", FLOAT, "access to 0xfffffff8 in device space"),
        ("-2", READ, "access to 0xfffffffe in device space"),  # and wraps to 0
        ("-2", STORE, "access to 0xfffffffe in device space"),
        ("0xfff", READ, "access to 0x00000fff, in the first page"),  # and ends behind it
        ("0x20000000", READ, "access to 0x20000000, where there is neither memory nor a device"),
        ("0x20000000", STORE, "access to 0x20000000, where there is neither memory nor a device"),
        # Across the end of memory, and of device space's registers.
        (f"{MEMORY - 2}", READ, f"access to {MEMORY:#010x}, where there is neither memory"),
        (f"{MEMORY - 2}", STORE, f"access to {MEMORY:#010x}, where there is neither memory"),
        (f"{MEMORY - 2}", LOCKED, f"access to {MEMORY:#010x}, where there is neither memory"),
        ("0x7ffffffe", READ, "access to 0x7ffffffe, where there is neither memory nor a device"),
        ("0xd0002ffe", READ, "access to 0xd0002ffe in device space"),
        # The I/O ports, which are not in the address space of a 386's mov.
        ("0xfe000020", READ, "access to 0xfe000020 in device space, where no device takes it"),
        ("0xfe000020", STORE, "access to 0xfe000020 in device space, where no device takes it"),
        ("0xfe010000", READ, "access to 0xfe010000 in device space, where no device takes it"),
    ],
)
def test_a_wild_address_ends_the_run_where_it_is_used(folder, address, what, said):
    found = run(program(ACCESS % (address, what)))
    assert found.code == 3
    assert said in found.errors
    assert found.failure["source"] == "program.c:4"


def test_a_push_on_a_stack_that_begins_at_0_is_reported(folder):
    source = 'int main(void) { __asm__ volatile("xorl %esp, %esp; push %eax"); return 0; }\n'
    found = run(program(source))
    assert found.code == 3
    assert "access to 0xfffffffc" in found.errors
    assert "a push on a stack that begins at 0" in found.errors


@pytest.mark.parametrize(
    ("address", "anywhere", "said"),
    [
        ("0", "false", "execution at 0x00000000, where no code of the guest image is"),
        ("0", "true", "execution at 0x00000000, where no code of the guest image is"),
        ("-4", "false", "instruction fetch from 0xfffffffc, where there is no memory"),
        ("-4", "true", "instruction fetch from 0xfffffffc, where there is no memory"),
        ("0x20000000", "true", "instruction fetch from 0x20000000, where there is no memory"),
        ("0xd0000000", "true", "instruction fetch from 0xd0000000, where there is no memory"),
    ],
)
def test_a_call_where_no_code_is_ends_the_run(folder, address, anywhere, said):
    image = program(ACCESS % (address, "((void (*)(void))where)(); return 0;"))
    found = run(image, f"guest.code_anywhere={anywhere}")
    assert found.code == 3
    assert said in found.errors
    assert "main+" in found.backtrace()


def test_ports_that_nobody_has_read_as_ones(folder):
    source = r"""
#include <stdio.h>
int main(void) {
    unsigned byte = 0, dword = 0;
    __asm__ volatile("xorl %%eax, %%eax; inb $0x21, %%al" : "=a"(byte));
    __asm__ volatile("inl %%dx, %%eax" : "=a"(dword) : "d"(0xffff));
    __asm__ volatile("outb %%al, $0x21; outl %%eax, %%dx" : : "a"(1), "d"(0xfffe));
    printf("%x %x", byte, dword);
    return 0;
}
"""
    found = run(program(source))
    assert (found.code, found.console) == (0, "ff ffffffff")


def test_the_page_behind_the_first_one_is_memory(folder):
    source = ACCESS % ("0x1000", "*(int*)where = 7; return *(int*)where - 7;")
    assert run(program(source)).code == 0


def test_a_guest_without_the_library_may_use_the_first_page(folder):
    Path("own.s").write_text(
        ".globl _start\n_start: movl $5, 0x10\n movl 0x10, %eax\n subl $5, %eax\n"
        " movl %eax, 0xd0001000\n hlt\n"
    )
    subprocess.run(["gcc", *FLAGS, "own.s", "-o", "own.elf"], check=True)
    assert run("own.elf").code == 0


# ---- stacks ----

RECURSION = """
static __attribute__((noinline)) int deeper(int n) {
    volatile char room[200];
    room[n % 200] = (char)n;
    return deeper(n + 1) + room[n % 200];
}
"""
THREAD = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
%s
static void* work(void* argument) { %s }
int main(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, %s);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void* result;
        if (pthread_create(&thread, &attributes, work, NULL) != 0) return 1;
        pthread_join(thread, &result);
        if (result != NULL) return 2;
        // What an ended thread has given back can be used.
        char* block = malloc(300000);
        if (block == NULL) return 3;
        memset(block, 1, 300000);
        free(block);
    }
    return 0;
}
"""
OVERFLOW = "in the guard page below a stack: the stack has run over"


def test_the_stack_of_main_runs_over_into_a_guard_page(folder):
    found = run(program(RECURSION + "int main(void) { return deeper(0); }\n"))
    assert found.code == 3
    assert OVERFLOW in found.errors and "symlab cc --stack-kb" in found.errors
    assert found.failure["backtrace"][0].startswith(f"{found.failure['eip']} deeper")


def test_the_stack_of_another_processor_runs_over_into_a_guard_page(folder):
    source = RECURSION + (
        '#include "symsim.h"\n'
        "static void work(unsigned cpu, void* unused) { (void)unused; if (cpu == 1) deeper(0); }\n"
        "int main(void) { run_on_all(work, NULL); return 0; }\n"
    )
    found = run(program(source))
    assert found.code == 3
    assert OVERFLOW in found.errors
    assert found.failure["processor"] == 1


@pytest.mark.parametrize("bytes_", ["16384", "200000"])
def test_the_stack_of_a_thread_runs_over_into_a_guard_page(folder, bytes_):
    body = "return (void*)(long)deeper((int)(long)argument);"
    found = run(program(THREAD % (RECURSION, body, bytes_), "-pthread"))
    assert found.code == 3
    assert OVERFLOW in found.errors and "pthread_attr_setstacksize" in found.errors
    assert "deeper" in found.failure["symbol"]


@pytest.mark.parametrize(("bytes_", "room"), [("16384", 60000), ("200000", 190000)])
def test_a_thread_has_the_stack_that_it_is_promised(folder, bytes_, room):
    body = f"volatile char room[{room}]; memset((char*)room, 0, {room}); return argument;"
    found = run(program(THREAD % ("", body, bytes_), "-pthread"))
    assert found.code == 0, found.errors


# ---- the heap ----


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("free(a); free(a);", "this block has been freed before"),
        ("free(a); free(b); free(a);", "this block has been freed before"),
        ("a[20] = 1; free(a);", "the bytes behind the block have been overwritten"),
        ("memset(a, 1, 24); a = realloc(a, 50);", "the bytes behind the block have been"),
        ("a[-1] = 1; free(a);", "the bytes before the block have been overwritten"),
        ("free(a + 4);", "malloc has not returned this pointer"),
        ("static int mine[16]; free(mine + (16 - (unsigned)mine / 4 % 4));", "malloc has not"),
    ],
)
def test_an_error_with_a_block_of_the_heap_is_found_when_it_is_freed(folder, body, said):
    head = "#include <stdlib.h>\n#include <string.h>\n"
    main = f"int main(void) {{ char *a = malloc(20), *b = malloc(1); a[19] = b[0] = 1; {body} "
    image = program(f"{head}{main} return a == b; }}\n", "-w", "-fno-builtin")
    found = run(image)
    assert found.code == 3
    assert said in found.errors
    assert "main+" in found.backtrace()


def test_blocks_that_are_used_as_they_may_be_are_no_error(folder):
    source = """
#include <stdlib.h>
#include <string.h>
int main(void) {
    char* blocks[50];
    for (unsigned turn = 0; turn < 3; turn++) {
        for (unsigned i = 0; i < 50; i++) memset(blocks[i] = malloc(i), 1, i);
        for (unsigned i = 0; i < 50; i += 3)
            blocks[i] = memset(realloc(blocks[i], 2 * i), 2, 2 * i);
        for (unsigned i = 0; i < 50; i++) free(blocks[i]);
    }
    return 0;
}
"""
    assert run(program(source, "-fno-builtin")).code == 0


# ---- instructions, and images that cannot run ----


def test_an_image_with_thread_local_variables_is_refused_by_their_names(folder):
    Path("own.c").write_text(
        "__thread int one = 5;\nstatic __thread char many[9];\n"
        "void _start(void) { one = many[one]; for (;;) {} }\n"
    )
    subprocess.run(["gcc", *FLAGS, "own.c", "-o", "own.elf"], check=True)
    command = [BINARY, str(QUICKSTART), "--set", "guest.image=own.elf", "--out", "out"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "own.elf: has thread-local variables" in done.stderr
    assert "one" in done.stderr and "many" in done.stderr and "indexed by processor" in done.stderr


def test_the_trap_of_gcc_is_named(folder):
    found = run(program("int main(void) { __builtin_trap(); }\n"))
    assert found.code == 3
    assert "ud2 (bytes 0f 0b), gcc's trap for undefined behaviour (#UD" in found.errors
    assert found.failure["source"] == "program.c:1"


@pytest.mark.parametrize("text", ["xaddl %0, %1", "cmpxchgl %0, %1", "bswap %0"])
def test_an_instruction_of_the_486_says_which_processor_to_set(folder, text):
    code = f'__asm__ volatile("{text}" : "+r"(number), "+m"(word) : : "eax", "cc");'
    source = f"int main(void) {{ int number = 1, word = 2; {code} return 0; }}\n"
    image = program(source, "-march=i486")
    found = run(image)
    assert found.code == 3
    assert "does not exist on a 386" in found.errors
    assert "--set processor.isa=i486" in found.errors
    assert run(image, "processor.isa=i486").code == 0


# ---- deadlocks of threads ----

DEADLOCK = """
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t gate;
static void take(pthread_mutex_t* one, pthread_mutex_t* two) {
    pthread_mutex_lock(one);
    usleep(300);
    pthread_mutex_lock(two);
}
static void* first(void* unused) { take(&a, &b); return unused; }
static void* second(void* unused) { take(&b, &a); return unused; }
static void* sleeper(void* unused) {
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_cond_wait(&never, &own);
    return unused;
}
static void* early(void* unused) { pthread_barrier_wait(&gate); return unused; }
static void* good(void* unused) {
    pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mine);
    pthread_mutex_unlock(&mine);
    return unused;
}
int main(void) {
    void* (*const all[])(void*) = {first, second, sleeper, early, good};
    pthread_t threads[5];
    pthread_barrier_init(&gate, NULL, 2);
    for (int i = 0; i < 5; i++) pthread_create(&threads[i], NULL, all[i], NULL);
    pthread_join(threads[4], NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
"""


@pytest.mark.parametrize("processors", [1, 4])
def test_a_deadlock_says_which_thread_waits_for_what(folder, processors):
    image = program(DEADLOCK, "-pthread")
    found = run(image, f"machine.processors={processors}")
    assert found.code == 4, found.errors
    waits = {thread["function"]: thread["waits_for"] for thread in found.summary["waiting_threads"]}
    assert waits == {
        "main_thread": "the end of thread 1 (first)",
        "first": "the mutex b, held by thread 2 (second)",
        "second": "the mutex a, held by thread 1 (first)",
        "sleeper": "a signal of the condition never",
        "early": "others at the barrier gate",
    }
    numbers = [thread["number"] for thread in found.summary["waiting_threads"]]
    assert numbers == [0, 1, 2, 3, 4]
    assert "thread 1 (first) waits for the mutex b, held by thread 2 (second)" in found.errors


def test_a_mutex_that_its_owner_locks_again_is_held_by_itself(folder):
    source = """
#include <pthread.h>
int main(void) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    pthread_mutex_lock(&once);
    return 0;
}
"""
    found = run(program(source, "-pthread"))
    assert found.code == 4
    assert "thread 0 (main_thread) waits for the mutex once" in found.errors
    assert "held by itself" in found.errors
