#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that a change of the simulator's code changes no byte of its results and no cost.

    scripts/regression.py record      before the change: keep guests, configs, SHA-256 of results
    scripts/regression.py check       after it: run the same again and compare
    scripts/regression.py cost NAME   host instructions of every bench scenario, into cost-NAME.csv
    scripts/regression.py compare A B two of these tables, side by side

`record` takes the built simulator, guests and configs as they are; the folder (build/regression)
keeps copies of guests and configs, so that `check` runs the same even where their sources have
changed. Each case is a run of at most some simulated milliseconds; host.json, which is about the
host, is left out. `cost` counts with callgrind, over the second half of a run: what it takes to
start is not in it. The hosts' compilers count differently: compare tables of one host only.
"""

import argparse
import csv
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRACES = ("observe.vcd=true", "observe.transactions=true", "observe.perfetto=true")
SEEDS = 40  # number of random guests, and of random systems
LIMIT_MS = 60  # limit of runs of configs and test guests, in simulated ms
# Simulated ms before the measurement begins, and also its length.
COST_MS = {
    "hits": 60, "large-code": 45, "null-threads-local": 20, "null-threads-single": 50,
    "spin-long": 100, "spin-short-xchgb": 60, "spin-short-read": 60, "writes": 30, "mixed": 60,
    "mixed-b": 60, "paged": 60, "one": 200, "sixty-four": 25,
}  # fmt: skip
GDB_SCRIPT = """set pagination off
set confirm off
target remote :{port}
break run
continue
delete
stepi 40
continue
"""


@dataclass
class Case:
    """A run. `settings`: "key=value" for --set. `debugged`: GDB controls it with GDB_SCRIPT."""

    name: str
    config: Path
    settings: list[str] = field(default_factory=list)
    debugged: bool = False


def figure_points(path: Path, folder: Path) -> list[list[str]]:
    """Settings of the first and of the last point of the sweep in `path`."""
    merged: dict = {}
    file = path
    while True:
        text = tomllib.loads(file.read_text(encoding="utf-8"))
        merged = {**text.get("sweep", {}), **merged}
        if "base" not in text or not (file.parent / text["base"]).is_file():
            break
        file = file.parent / text["base"]
    for table in merged.pop("joint", []):
        merged |= table
    points = []
    for end in (0, -1):
        point = []
        for key, values in merged.items():
            if not isinstance(values, list) or not values:
                continue
            single = [value for value in values if value != "all"]  # a word of symlab's
            value = single[end]
            keys = key.replace(",", " ").split()
            for one, its in zip(keys, value if isinstance(value, list) else [value], strict=True):
                point.append(f"{one}={its}")
        points.append(point)
    return points


def cases(folder: Path) -> list[Case]:
    """All cases, made from the copies of configs, guests and random guests in `folder`."""
    found = []
    limit = f"run.limit_ms={LIMIT_MS}"
    configs = folder / "configs"
    quickstart = configs / "quickstart.toml"
    for path in sorted((configs / "bench").glob("*.toml")):
        found.append(Case(f"bench-{path.stem}", path, [limit]))
        short = f"run.limit_ms={3 if path.stem == 'sixty-four' else 6}"
        found.append(Case(f"bench-{path.stem}-traced", path, [short, *TRACES]))
    figures = {path: path.parent.name for path in (configs / "figures").glob("*/*.toml")}
    figures |= {path: path.parts[-3] for path in (folder / "papers").glob("*/figures/*.toml")}
    for path, of in sorted(figures.items()):
        first, last = figure_points(path, folder)
        found.append(Case(f"figure-{of}-{path.stem}-first", path, [limit, *first]))
        if last != first:
            found.append(Case(f"figure-{of}-{path.stem}-last", path, [limit, *last]))
    for path in sorted((configs / "machines").glob("*.toml")):
        for guest in ("counter-read", "counter-xchgb", "null_threads-local-freelist"):
            text = f'base = "{path}"\n[guest]\nimage = "{guest}"\n[machine]\nprocessors = 6\n'
            name = f"machine-{path.stem}-{guest}"
            made = folder / f"{name}.toml"
            made.write_text(text, encoding="utf-8")
            found.append(Case(name, made, ["run.limit_ms=8", *TRACES]))
    made = folder / "sync-bus.toml"  # its operations begin before the limit
    made.write_text(
        f'base = "{configs}/machines/sgi-4d480.toml"\n[machine]\nprocessors = 4\n'
        '[guest]\nimage = "test-process_waits-native-no-preempt.elf"\n',
        encoding="utf-8",
    )
    found.append(Case("sync-bus", made, [limit, *TRACES]))
    for image in sorted((folder / "images").glob("test-*")):
        kind = "rom" if image.suffix == ".bin" else "image"
        made = folder / f"{image.stem}.toml"
        text = f'[machine]\nprocessors = 4\n[guest]\n{kind} = "{image.name}"\n'
        made.write_text(text, encoding="utf-8")
        found.append(Case(image.stem, made, [limit, "observe.perfetto=true"]))
    for made in sorted((folder / "random").glob("*.toml")):
        found.append(Case(f"random-{made.stem}", made))
        if "-1" in made.stem:
            found.append(Case(f"random-{made.stem}-reference", made, ["run.engine=reference"]))
    windows = {
        "from": ["observe.window.from_us=2000", "observe.window.to_us=3000"],
        "last": ["observe.window.last_ms=1"],
        "around": ["observe.window.around=lock_acquired", "observe.window.around_us=300"],
    }
    for name, window in windows.items():
        found.append(Case(f"window-{name}", quickstart, ["run.limit_ms=5", *TRACES, *window]))
    found.append(Case("profile", quickstart, ["run.limit_ms=5", "observe.profile_us=10"]))
    for name in ("mixed", "mixed-b", "null-threads-local", "paged", "spin-long", "hits"):
        path = configs / "bench" / f"{name}.toml"
        found.append(Case(f"traced-{name}", path, ["run.limit_ms=8", *TRACES]))
    for name in ("counter-read", "counter-xchgb"):
        made = folder / f"debugged-{name}.toml"
        made.write_text(
            f'base = "{configs}/machines/symmetry-a.toml"\n[machine]\nprocessors = 3\n'
            f'[guest]\nimage = "{name}"\n[guest.args]\nincrements = 100\n',
            encoding="utf-8",
        )
        found.append(Case(f"debugged-{name}", made, list(TRACES), debugged=True))
    return found


def hashes(name: str, out: Path, exit_code: int) -> dict[str, str]:
    """ "case/file" -> SHA-256 for the files in `out` but host.json; "case/exit" -> exit code."""
    rows = {f"{name}/exit": str(exit_code)}
    for file in sorted(out.glob("*")):
        if file.name != "host.json":
            rows[f"{name}/{file.name}"] = hashlib.sha256(file.read_bytes()).hexdigest()
    return rows


def run_case(case: Case, simulator: Path, folder: Path, work: Path) -> dict[str, str]:
    out = work / case.name
    shutil.rmtree(out, ignore_errors=True)
    command = [str(simulator), str(case.config), "--quiet"]
    for setting in case.settings:
        command += ["--set", setting]
    command += ["--out", str(out)]
    if case.debugged:
        return hashes(case.name, out, debugged_run(case, command, folder))
    ended = subprocess.run(
        command, cwd=folder / "images", stdin=subprocess.DEVNULL, capture_output=True
    )
    rows = hashes(case.name, out, ended.returncode)
    if not [key for key in rows if not key.endswith("/exit")]:
        raise SystemExit(f"{case.name}: no results: {ended.stderr.decode()}")
    return rows


def debugged_run(case: Case, command: list[str], folder: Path) -> int:
    process = subprocess.Popen(
        [*command, "--gdb", "0"], cwd=folder / "images", stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    waiting = re.search(r"gdb (\S+) -ex 'target remote :(\d+)'", said)
    if not waiting:
        raise SystemExit(f"{case.name}: {said}")
    script = folder / f"{case.name}.gdb"
    script.write_text(GDB_SCRIPT.format(port=waiting[2]), encoding="utf-8")
    subprocess.run(
        ["gdb", "-nx", "-q", "-batch", "-x", script, folder / "images" / waiting[1]],
        capture_output=True, timeout=300, check=True,
    )  # fmt: skip
    return process.wait(timeout=60)


def run_all(simulator: Path, folder: Path) -> dict[str, str]:
    work = folder / "runs"
    rows: dict[str, str] = {}
    every = cases(folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for n, done in enumerate(pool.map(lambda c: run_case(c, simulator, folder, work), every)):
            rows |= done
            if sys.stderr.isatty():
                print(f"\r{n + 1} of {len(every)} cases", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return rows


def record(simulator: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    images = folder / "images"
    images.mkdir(parents=True)
    shutil.copytree(ROOT / "configs", folder / "configs")
    for figures in (ROOT / "papers").glob("*/figures"):
        shutil.copytree(figures, folder / figures.relative_to(ROOT))
    built = simulator.resolve().parent
    for image in (built / "guest").glob("*.elf"):
        shutil.copy(image, images)
    tests = built / "guest-tests"
    for image in itertools.chain(tests.glob("*.elf"), tests.glob("*.bin")):
        if "lock_" not in image.name and "-bare" not in image.name:
            shutil.copy(image, images / f"test-{image.name}")
    for kind in ("guest", "system"):
        for seed in range(1, SEEDS + 1):
            config = folder / "random" / f"{kind}-{seed}.toml"
            config.parent.mkdir(exist_ok=True)
            subprocess.run([built / "tests" / "write_random_run", kind, str(seed), config,
                            images / f"{kind}-{seed}.elf"], check=True)  # fmt: skip
    rows = run_all(simulator, folder)
    (folder / "sha256.json").write_text(json.dumps(rows, indent=0), encoding="utf-8")
    print(f"{len(rows)} files of {len(cases(folder))} cases recorded in {folder}")


def check(simulator: Path, folder: Path) -> int:
    if not (folder / "sha256.json").is_file():
        raise SystemExit(
            f"{folder}: nothing recorded; run `{sys.argv[0]} record` before the change"
        )
    recorded = json.loads((folder / "sha256.json").read_text(encoding="utf-8"))
    now = run_all(simulator, folder)
    differ = sorted(k for k in recorded.keys() | now.keys() if recorded.get(k) != now.get(k))
    for key in differ:
        how = "is new" if key not in recorded else "is missing" if key not in now else "differs"
        print(f"{key} {how}")
    print(f"{len(recorded)} files recorded, {len(differ)} differ")
    return 1 if differ else 0


def counted(simulator: Path, folder: Path, name: str, limit_ms: int) -> dict[str, int]:
    """Runs a scenario for `limit_ms` simulated ms under callgrind.

    Returns the numbers of host instructions, guest instructions and bus transactions.
    """
    out = folder / "runs" / f"cost-{name}-{limit_ms}"
    ended = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(simulator),
         str(folder / "configs" / "bench" / f"{name}.toml"), "--quiet", "--out", str(out),
         "--set", f"run.limit_ms={limit_ms}"],
        cwd=folder / "images", capture_output=True, text=True,
    )  # fmt: skip
    collected = re.search(r"Collected : (\d+)", ended.stderr)
    if not collected:
        raise SystemExit(f"{name}: {ended.stderr}")
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return {
        "host": int(collected[1]),
        "instructions": summary["instructions"],
        "transactions": summary["bus"]["all_transactions"],
    }


def cost(simulator: Path, folder: Path, name: str) -> None:
    def measure(scenario: str) -> dict[str, object]:
        half, whole = (counted(simulator, folder, scenario, n * COST_MS[scenario]) for n in (1, 2))
        row: dict[str, float] = {key: whole[key] - half[key] for key in half}
        row["host_per_instruction"] = round(row["host"] / row["instructions"], 2)
        row["host_per_transaction"] = round(row["host"] / row["transactions"], 1)
        return {"scenario": scenario, **row}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(measure, COST_MS))
    path = folder / f"cost-{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    print(path.read_text(encoding="utf-8"), end="")


def compare(folder: Path, before: str, after: str) -> int:
    """Prints the ratio of host instructions, after / before, for each scenario, and the mean.

    Returns 1 if a ratio is above 1.02 or the mean is above 1, else 0.
    """
    tables = []
    for name in (before, after):
        with (folder / f"cost-{name}.csv").open(encoding="utf-8") as file:
            tables.append({row["scenario"]: row for row in csv.DictReader(file)})
    ratios = {}
    for scenario, old in tables[0].items():
        new = tables[1][scenario]
        ratios[scenario] = int(new["host"]) / int(old["host"])
        print(f"{scenario:22}{old['host']:>14}{new['host']:>14}{ratios[scenario]:9.4f}")
    mean = sum(ratios.values()) / len(ratios)
    print(f"{'mean':22}{mean:37.4f}")
    return 1 if max(ratios.values()) > 1.02 or mean > 1 else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("do", choices=["record", "check", "cost", "compare"])
    parser.add_argument("names", nargs="*", help="of cost tables")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "regression")
    parser.add_argument("--symsim", type=Path, default=ROOT / "build" / "release" / "symsim")
    given = parser.parse_args()
    if len(given.names) != {"cost": 1, "compare": 2}.get(given.do, 0):
        parser.error(f"{given.do} takes {'one name' if given.do == 'cost' else 'other names'}")
    simulator, folder = given.symsim.resolve(), given.folder.resolve()
    if given.do == "record":
        record(simulator, folder)
    elif given.do == "check":
        return check(simulator, folder)
    elif given.do == "cost":
        cost(simulator, folder, given.names[0])
    else:
        return compare(folder, *given.names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
