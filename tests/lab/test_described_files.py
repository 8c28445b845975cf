# SPDX-License-Identifier: MIT
"""The files that --describe lists are those that real runs write, with equal columns and keys."""

import csv
import json
import re
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pywellen import Waveform
from report_runs import guest_test
from symlab import RunFailed, run
from symlab.guest.compiling import build, parse_arguments
from symlab.runs.simulator import Simulator
from transaction_run import BINARY, ROOT

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

EVERYTHING = {
    "machine.processors": 2,
    "guest.args.threads": 40,
    "bus.locked_request": "hold-bus",  # else no request holds the bus: bus.held_us
    "guest.stdin": "LICENSE",  # which the guest does not read
    "preempt.instructions": 3,
    "observe.interval_us": 1000,
    "observe.vcd": True,
    "observe.transactions": True,
    "observe.perfetto": True,
    "observe.profile_us": 97,
}
# Real mode: out 0x80, al; cli; hlt. A boot sector ends in this way; it cannot report a failure.
BOOT_SECTOR = b"\xe6\x80\xfa\xf4" + bytes(506) + b"\x55\xaa"
CRASH = "volatile int zero;\nint main(void) { return 7 / zero; }\n"
DEADLOCK = """#include <pthread.h>
int main(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    return pthread_mutex_lock(&mutex);
}
"""

# Beside what the program of tests/guest/linux does: threads, futexes, probes, a crash.
FILE_AND_MISSING_CALL = """#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((constructor)) static void begin(void) {
    fclose(fopen("/made", "w"));
    syscall(SYS_inotify_init);
}
"""

WORDS = {"STATE": "states", "ACTIVITY": "activities", "KIND": "kinds"}
FREE = {"NAME": r"\w+", "KEY": r"[\w.]+"}  # parts a guest or a user chooses


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    return Simulator(BINARY).describe()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, description: dict[str, Any]) -> list[Path]:
    """Folders of eleven runs: threads with all traces, a ROM, a guest that crashes,
    one that ends with an error, one on a crossbar, one with faults of processes, one on two nodes,
    one with address spaces, one with processes, one whose thread waits for ever, and one of a
    Linux program."""
    folder = tmp_path_factory.mktemp("runs")
    config = ROOT / "configs" / "bench" / "null-threads-local.toml"
    parts = {k["name"]: True for k in description["keys"] if k["name"].endswith(".present")}
    assert "sync_bus.present" in parts
    settings = [f"{key}={json.dumps(value)}" for key, value in (EVERYTHING | parts).items()]
    command = [BINARY, str(config), *(word for s in settings for word in ("--set", s))]
    command += ["--quiet", "--out", str(folder / "threads")]
    subprocess.run(command, check=True, cwd=ROOT)

    (folder / "boot.bin").write_bytes(BOOT_SECTOR)
    quickstart = ROOT / "configs" / "quickstart.toml"
    rom = {"guest.image": "", "guest.rom": str(folder / "boot.bin")}
    run(quickstart, settings=rom, out=folder / "rom", simulator=BINARY)

    (folder / "crash.c").write_text(CRASH)
    build(parse_arguments([str(folder / "crash.c"), "-o", str(folder / "crash.elf")]))
    with pytest.raises(RunFailed):
        run(
            quickstart,
            settings={"guest.image": str(folder / "crash.elf")},
            out=folder / "crash",
            simulator=BINARY,
        )
    (folder / "deadlock.c").write_text(DEADLOCK)
    words = [str(folder / "deadlock.c"), "-o", str(folder / "deadlock.elf"), "-pthread"]
    build(parse_arguments(words))
    with pytest.raises(RunFailed):
        run(
            quickstart,
            settings={"guest.image": str(folder / "deadlock.elf")},
            out=folder / "deadlock",
            simulator=BINARY,
        )
    with pytest.raises(RunFailed):
        run(
            quickstart,
            settings={"guest.args.increments": 0},
            out=folder / "panic",
            simulator=BINARY,
        )
    crossbar = {"machine.interconnect": "crossbar", "machine.processors": 2, "observe.vcd": True}
    crossbar["schedule.holds"] = "1 access 3 hold 500"
    run(quickstart, settings=crossbar, out=folder / "crossbar", simulator=BINARY)
    processes = {"guest.image": guest_test("processes_by_hand"), "machine.processors": 2}
    run(quickstart, settings=processes, out=folder / "processes", simulator=BINARY)
    faults = {"guest.image": guest_test("processes_faults-local"), "machine.processors": 2}
    run(quickstart, settings=faults, out=folder / "faults", simulator=BINARY)
    nodes = {"machine.interconnect": "nodes", "nodes.count": 2, "nodes.node_processors": 1}
    nodes |= {"machine.processors": 2, "cache.protocol": "write-back"}
    run(quickstart, settings=nodes, out=folder / "nodes", simulator=BINARY)
    spaces = {"guest.image": "urpc_null", "guest.args.calls": 3, "machine.processors": 2}
    run(
        ROOT / "configs" / "machines" / "symmetry-a.toml",
        settings=spaces,
        out=folder / "spaces",
        simulator=BINARY,
    )
    linux_program(folder)
    names = (
        "threads",
        "rom",
        "crash",
        "panic",
        "crossbar",
        "faults",
        "nodes",
        "spaces",
        "processes",
        "deadlock",
        "linux",
    )
    return [folder / name for name in names]


def linux_program(folder: Path) -> None:
    (folder / "begin.c").write_text(FILE_AND_MISSING_CALL)
    sources = [ROOT / "tests" / "guest" / "linux" / "seen.c", folder / "begin.c"]
    flags = ["-m32", "-march=i686", "-static", "-pthread", f"-iquote{ROOT}/guest/include"]
    program = str(folder / "a.out")
    subprocess.run(["gcc", *flags, *map(str, sources), "-o", program], check=True)
    command = [BINARY, program, "--set", "observe.perfetto=true", "--quiet"]
    command += ["--out", str(folder / "linux"), "--", "crash"]
    assert subprocess.run(command, capture_output=True).returncode == 139  # SIGSEGV


def columns(description: dict[str, Any], file: str) -> list[str]:
    """The described names of one file, with every word substituted for STATE, ACTIVITY and KIND."""
    described = next(f for f in description["files"] if f["name"] == file)
    names = []
    for column in described["columns"]:
        tables = [t for word, t in WORDS.items() if word in column["name"]]
        for chosen in product(*([w["name"] for w in description[t]] for t in tables)):
            name = column["name"]
            for table, word in zip(tables, chosen, strict=True):
                name = name.replace(next(w for w, t in WORDS.items() if t == table), word)
            names.append(name)
    return names


def pattern(name: str) -> re.Pattern[str]:
    """A pattern for a described name of which a guest or a user chooses a part."""
    text = re.escape(name)
    for word, free in FREE.items():
        text = text.replace(word, free)
    return re.compile(text)


def paths(value: Any, name: str = "") -> Iterator[str]:
    """The path of every key of a document; [] stands for all elements of a list."""
    if name:
        yield name
    if isinstance(value, dict):
        for key, below in value.items():
            yield from paths(below, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for below in value:
            yield from paths(below, f"{name}[]")


def containers(value: Any, name: str = "") -> Iterator[str]:
    """The paths of objects and lists. They need no description, since their elements have one."""
    if isinstance(value, dict):
        yield name
        for key, below in value.items():
            yield from containers(below, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        yield name
        for below in value:
            yield from containers(below, f"{name}[]")


@pytest.mark.parametrize("file", ["summary.json", "host.json", "manifest.json"])
def test_exactly_the_described_keys_are_there(description, runs, file):
    documents = [json.loads((folder / file).read_text()) for folder in runs]
    there = {path for document in documents for path in paths(document)}
    described = [pattern(name) for name in columns(description, file)]
    leaves = {path for d in documents for path in set(paths(d)) - set(containers(d))}
    undescribed = {path for path in leaves if not any(p.fullmatch(path) for p in described)}
    assert not undescribed
    missing = [p.pattern for p in described if not any(p.fullmatch(path) for path in there)]
    assert not missing


def test_the_config_in_the_summary_has_the_keys_that_its_results_depend_on(description, runs):
    config = _config_in_summary(runs[0])
    looks = {f"figure.{key}" for key in ("title", "y", "log", "own")}
    only_if_set = {
        "guest.argv",
        "guest.code_anywhere",
        "guest.env",
        "guest.files",
        "guest.scheduler",
        "machine.interconnect",
    }
    keys = {key["name"] for key in description["keys"]} - {"run.engine"} - looks - only_if_set
    of_nodes = {key for key in keys if key.startswith("nodes.")}
    of_schedule = {key for key in keys if key.startswith("schedule.")}
    always = keys - of_nodes - of_schedule
    assert {name for name in config if not name.startswith("guest.args.")} == always
    scheduled = _config_in_summary(next(run for run in runs if run.name == "crossbar"))
    assert {name for name in scheduled if name.startswith("schedule.")} == of_schedule != set()
    on_nodes = _config_in_summary(next(run for run in runs if run.name == "nodes"))
    assert {name for name in on_nodes if name.startswith("nodes.")} == of_nodes != set()
    assert config["guest.args.threads"] == EVERYTHING["guest.args.threads"]


def _config_in_summary(run: Path) -> dict[str, Any]:
    return json.loads((run / "summary.json").read_text())["config"]


# Columns that not all runs have.
ONLY_WITH_PROCESSES = "waited_for_preempted_holder_us"
ONLY_OF_SEVERAL_RESOURCES = "resource"
ONLY_ON_NODES = "handoff"  # how they begin
ONLY_OF_LINUX = ("name", "function", "of_process", "system_calls", "page_faults")


@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("bus.csv", 0),
        ("bus.csv", 4),
        ("locks.csv", 0),
        ("locks.csv", 6),
        ("locks.csv", 8),
        ("misses.csv", 6),
        ("pages.csv", 6),
        ("links.csv", 6),
        ("processes.csv", 8),
        ("calls.csv", 7),
        ("spaces.csv", 7),
        ("processes.csv", 10),
        ("system_calls.csv", 10),
        ("futexes.csv", 10),
    ],
)
def test_a_csv_has_the_described_columns_and_complete_rows(description, runs, file, number):
    with (runs[number] / file).open() as lines:
        head, *rows = csv.reader(lines)
    described = columns(description, file)
    if number == 0:
        absent = (ONLY_WITH_PROCESSES, ONLY_OF_SEVERAL_RESOURCES)
        described = [column for column in described if column not in absent]
    if number != 6:
        described = [column for column in described if not column.startswith(ONLY_ON_NODES)]
    elif file == "locks.csv":
        described.remove(ONLY_WITH_PROCESSES)
    if number == 8:
        described = [column for column in described if column not in ONLY_OF_LINUX]
    if file == "pages.csv":
        described[-1:] = [described[-1].replace("NODE", str(node)) for node in range(2)]
    assert head == described
    assert rows and all(len(row) == len(head) for row in rows)


def test_the_signals_of_the_waveform_are_those_described(description, runs):
    wave = Waveform(str(runs[0] / "trace.vcd"))
    names = [var.full_name.removeprefix("bus.") for var in wave.all_vars()]
    assert sorted(names) == sorted(columns(description, "trace.vcd"))


def test_the_waveform_of_a_crossbar_has_these_signals_of_each_path(description, runs):
    wave = Waveform(str(runs[4] / "trace.vcd"))
    names = [var.full_name.removeprefix("bus.") for var in wave.all_vars()]
    signals = columns(description, "trace.vcd")
    assert sorted(names) == sorted(f"resource{r}.{signal}" for r in (0, 1) for signal in signals)


def test_a_run_leaves_the_files_described_when_they_are_asked_for(description, runs):
    files = [[path for path in one.rglob("*") if path.is_file()] for one in runs]
    names = [
        {str(path.relative_to(one)) for path in there}
        for one, there in zip(runs, files, strict=True)
    ]
    threads, plain, *_, nodes, spaces, processes, _, linux = names
    everything = threads | nodes | spaces | processes | linux
    for file in description["files"]:
        there = {name for name in everything if pattern(file["name"]).fullmatch(name)}
        assert there, file["name"]
        everything -= there
        if file["when"]:
            assert not there & plain, file["name"]
        else:
            assert there <= plain, file["name"]
    assert not everything, "these are not described"
    assert not {key.split(" ")[0] for f in description["files"] if (key := f["when"])} - {
        *(key["name"] for key in description["keys"]),
        *(option["name"] for option in description["options"]),
        *("processes", "calls", "address", "a"),  # of the guest, a Linux program
    }


def test_the_statuses_the_runs_ended_with_are_described(description, runs):
    statuses = {json.loads((folder / "summary.json").read_text())["status"] for folder in runs}
    assert statuses == {"finished", "guest-failure", "deadlock"}
    assert statuses < {status["name"] for status in description["statuses"]}


def test_everything_described_has_a_meaning(description):
    tables = ["options", "keys", "free_keys", "files", "probes", "exit_codes", "statuses"]
    things = [t for name in (*tables, *WORDS.values()) for t in description[name]]
    things += [column for file in description["files"] for column in file["columns"]]
    assert len(things) > 200
    for thing in things:
        assert len(thing["meaning"]) > 3, thing


def test_the_unit_matches_the_ending_of_the_name(description):
    units = {"_us": "us", "_s": "s", "_mb": "MB"}
    for file in description["files"]:
        if file["name"] == "trace.vcd":  # its units are types of signals
            continue
        for column in file["columns"]:
            last = next(part for part in reversed(column["name"].split(".")) if not part.isupper())
            for ending, unit in units.items():
                if last.endswith(ending):
                    assert column["unit"] == unit, column
