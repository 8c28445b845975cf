# SPDX-License-Identifier: MIT
"""Fixtures: a fake simulator and a small config.

The fake imitates only the process (files, exit codes, being killed). Its numbers come from a
formula. `test_real_simulator.py` uses the real simulator.
"""

import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import clean_environment  # noqa: F401 - before typer
import pytest
from symlab.cli import main


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest file first, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: item.path.name != "test_quick.py")


CONFIG = """
[machine]
processors = 1
[guest]
image = "counter-{lock}"
[guest.args]
lock = "xchgb"
increments = 1000
[figure]
name = "all-4.1"
[sweep]
"machine.processors" = [1, 2, 3]
"guest.args.lock" = ["xchgb", "read"]
"""

# Python itself, past a version manager's script, without a search for packages: half the CPU time.
PYTHON = f"#!{Path(sys.executable).resolve()} -IS\n"
PROGRAM = """import hashlib, json, os, pathlib, sys, time, tomllib

here = pathlib.Path(__file__).parent
if sys.argv[1] == "--describe":
    print(json.dumps({"keys": []}))
    sys.exit(0)
config, args = sys.argv[1], sys.argv[2:]
data = tomllib.loads(pathlib.Path(config).read_text())
flat = {}
def walk(table, prefix):
    for key, value in table.items():
        if isinstance(value, dict):
            walk(value, prefix + key + ".")
        else:
            flat[prefix + key] = value
walk(data, "")
for i, arg in enumerate(args):
    if arg == "--set":
        key, value = args[i + 1].split("=", 1)
        if key not in flat:
            sys.exit(f"{config}: unknown key {key}")
        try:
            flat[key] = tomllib.loads("v = " + value)["v"]
        except tomllib.TOMLDecodeError:
            flat[key] = value
processors, lock = flat["machine.processors"], flat["guest.args.lock"]
if processors > 64:
    print("machine.processors: 1 to 64", file=sys.stderr)
    sys.exit(2)
if "--print-config" in args:
    for key in sorted(flat):
        print(key, "=", json.dumps(flat[key]))
    sys.exit(0)
name = f"{processors}-{lock}"
def log(event):
    with open(here / "log", "a") as file:
        file.write(f"{event} {name} {os.getpid()}\\n")
log("start")
out = pathlib.Path(args[args.index("--out") + 1])
(out / "bus.csv").write_text("half")
while (here / f"hold-{name}").exists():
    time.sleep(0.02)
codes = json.loads((here / "codes.json").read_text()) if (here / "codes.json").exists() else {}
code = codes.get(name, 0)
if code:
    print(f"failure of {name}", file=sys.stderr)
    sys.exit(code)
elapsed = 1000.5 * processors
summary = {
    "schema_version": 2, "status": "finished", "partial": False,
    "simulated_us": elapsed + 7, "instructions": 10 * processors,
    "processors": [
        {"processor": p, "instructions": 10,
         "states_us": {"executing": elapsed, "halted": 7.0},
         "activities_us": {"user": 3.0, "spin": elapsed + 4}}
        for p in range(processors)
    ],
    "bus": {"busy_us": 5.25, "utilisation": 0.5, "transactions": {"read": 4, "locked-read": 2}},
    "guest": {"sha256": None, "exit_status": 0, "results": {"elapsed_us": elapsed}},
}
if flat.get("guest.stdin"):
    data = pathlib.Path(flat["guest.stdin"]).read_bytes()
    summary["guest"]["stdin_sha256"] = hashlib.sha256(data).hexdigest()
if flat.get("guest.files"):
    (out / "files" / "tmp").mkdir(parents=True)
    (out / "files" / "tmp" / "made").write_text("by the guest")
(out / "config.toml").write_text(
    "".join(f"{key} = {json.dumps(value)}\\n" for key, value in sorted(flat.items()))
)
(out / "summary.json").write_text(json.dumps(summary))
(out / "host.json").write_text(json.dumps({"cpu_s": time.process_time(), "wall_s": 0.1}))
def entry(file):
    data = file.read_bytes()
    return {"name": str(file.relative_to(out)), "size_bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest()}
made = [file for file in sorted(out.rglob("*")) if file.is_file()]
files = [entry(file) for file in made if file.name != "host.json"]
manifest = {"schema_version": 2, "status": "finished", "files": files}
(out / "manifest.json").write_text(json.dumps(manifest))
log("finish")
"""


def write_manifest(run: Path) -> None:
    """Writes the manifest.json of a run's folder, as the simulator does at the end of a run."""
    listed = [
        {
            "name": file.name,
            "size_bytes": file.stat().st_size,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }
        for file in sorted(run.iterdir())
        if file.name not in ("host.json", "point.json", "manifest.json")
    ]
    document = {"schema_version": 2, "status": "finished", "files": listed}
    (run / "manifest.json").write_text(json.dumps(document))


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["symlab.cli", "symlab_papers.reproduce",
                              "symlab.runs.sweep_terminal", "matplotlib.backends.backend_agg",
                              "matplotlib.backends.backend_svg"])  # fmt: skip


def as_symlab(
    command: tuple[str, ...], folder: Path, output: Path, environment: dict[str, str]
) -> None:
    """Makes this process one of `symlab`, in `folder`, whose both streams are the file `output`."""
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["symlab", *command]
    main()


@dataclass
class Lab:
    """A working folder with the config, the fake simulator, and the log of its runs."""

    folder: Path
    config: Path
    simulator: Path
    out: Path

    def events(self, kind: str) -> list[str]:
        """Names `<processors>-<lock>` of the runs with this event (start or finish), in order."""
        log = self.folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line.split()[1] for line in lines if line.startswith(kind)]

    def pids(self) -> list[int]:
        return [int(line.split()[2]) for line in (self.folder / "log").read_text().splitlines()]

    def fail(self, **codes: int) -> None:
        """Sets the exit codes of runs: `_2_read=3` for the run 2-read. All other runs succeed."""
        named = {name.strip("_").replace("_", "-"): code for name, code in codes.items()}
        (self.folder / "codes.json").write_text(json.dumps(named))

    def hold(self, name: str) -> Path:
        """Makes a run wait until the returned file is removed."""
        path = self.folder / f"hold-{name}"
        path.touch()
        return path

    def arguments(self, *more: str) -> list[str]:
        """Those of a sweep."""
        places = ["--out", str(self.out), "--simulator", str(self.simulator)]
        return ["sweep", str(self.config), *places, *more]

    def command(self, *more: str) -> list[str]:
        return [sys.executable, "-m", "symlab", *self.arguments(*more)]

    def start(self, *more: str) -> subprocess.Popen[str]:
        return self._popen(self.command(*more))

    def _popen(self, command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "COLUMNS": "200"},
        )

    def call(self, *more: str) -> tuple[int, str]:
        return self.symlab(*self.arguments(*more))

    def symlab(self, *command: str) -> tuple[int, str]:
        """Runs a symlab command; returns exit code and output.

        The process is a fork of one that has imported symlab, which takes a second.
        """
        output = self.folder / "output.txt"
        environment = {**os.environ, "COLUMNS": "200"}
        process = FORKS.Process(target=as_symlab, args=(command, self.folder, output, environment))
        process.start()
        process.join(120)
        assert process.exitcode is not None, "the command takes too long"
        return process.exitcode, output.read_text()


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.delenv("SYMSIM_BINARY", raising=False)
    monkeypatch.chdir(tmp_path)
    config, simulator = tmp_path / "tiny.toml", tmp_path / "program"
    config.write_text(CONFIG)
    simulator.write_text(PYTHON + PROGRAM)
    simulator.chmod(0o755)
    return Lab(tmp_path, config, simulator, tmp_path / "out")


PATIENCE_S = 120  # host time for what takes a moment; the host may be busy


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "condition did not come true in time"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether the process is still running; a zombie is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def children_of(process: int) -> list[int]:
    """The processes that this process has started."""
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [int(pid) for pid in found.stdout.split()]
