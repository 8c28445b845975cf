# SPDX-License-Identifier: MIT
"""Checks every lock, barrier and strategy of the tree by `symlab check`: make check-tree.

    .venv/bin/python scripts/check_tree.py FILE.csv [--processors N] [--preemptions K]
        [--only KIND] [--minutes M] [--work FOLDER] [--configs FOLDER]

Writes a row for each to FILE.csv: how many schedules were run, whether these are all within the
bounds (complete 1), the rule that is broken (violation, empty: none), and for locks the worst cases
with the schedules that show them (config key schedule.holds). Interrupted searches continue in
FOLDER [build/check]. Exit code 1 if a rule is broken.

--configs FOLDER writes a config for each kind of worst case: a sweep with a run for each lock.
"""

import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

from symlab.check.prepare import PROGRAMS
from symlab.guest import catalogue
from symlab.guest.catalogue import KIND_OF_OPTION

ROOT = Path(__file__).resolve().parent.parent
SYMLAB = ROOT / ".venv/bin/symlab"
WORST = {"handoff_ps": "longest_handoff_us", "wait_handoffs": "longest_wait_turns",
         "unfairness": "most_turns_of_one"}  # fmt: skip
COLUMNS = ["kind", "name", "processors", "preemptions", "schedules", "distinct_orders", "complete",
           "violation"]  # fmt: skip
for name in WORST.values():
    COLUMNS += [name, f"{name}_holds"]


def names(kind: str) -> list[str]:
    """Of all that the tree builds with the kind's program."""
    items = catalogue.items(KIND_OF_OPTION[kind])
    return sorted(item.name for item in items if kind == "strategy" or not item.special)


def check(kind: str, name: str, chosen: argparse.Namespace) -> dict[str, object]:
    folder = chosen.work / f"{kind}-{name}-{chosen.processors}-{chosen.preemptions}"
    command = [SYMLAB, "check", PROGRAMS[kind], f"--{kind}", name, "-p", str(chosen.processors),
               "-k", str(chosen.preemptions), "--out", folder]  # fmt: skip
    if chosen.minutes:
        command += ["--minutes", str(chosen.minutes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"check_tree: {name}: {done.stderr or done.stdout}")
    told = json.loads((folder / "check.json").read_text(encoding="utf-8"))
    row = {
        "kind": kind, "name": name, "processors": chosen.processors,
        "preemptions": chosen.preemptions, "schedules": told["schedules"],
        "distinct_orders": told["orders"], "complete": int(told["complete"]),
        "violation": told["violation"]["rule"] if told["violation"] else "",
    }  # fmt: skip
    for key, column in WORST.items() if kind == "lock" else ():
        worst = told["worst"].get(key, {"value": 0, "schedule": ""})
        row[column] = worst["value"] / 1e6 if key == "handoff_ps" else worst["value"]
        row[f"{column}_holds"] = worst["schedule"]
    return row


def worst_config(column: str, rows: list[dict[str, object]]) -> str:
    """A sweep over the locks, each under the schedule of its worst case."""
    title = column.replace("_", " ").removesuffix(" us")
    steps = ""
    for row in rows:
        isa = catalogue.find("locks", str(row["name"])).isa
        steps += f'    ["{row["name"]}", "{isa}", "{row[f"{column}_holds"]}"],\n'
    return f"""# SPDX-License-Identifier: MIT
# Each lock in the schedule that shows its {title}. Written by make check-tree.

[machine]
processors = {rows[0]["processors"]}
[processor]
isa = "i486"
[cache]
store_policy = "buffered"
write_buffer_depth = 4
[guest]
image = "check_lock-{{lock}}"
[guest.args]
lock = "{rows[0]["name"]}"
[schedule]
from = "region"
region = 1
holds = ""
[figure]
y = "simulated_us"
[sweep]
"guest.args.lock, processor.isa, schedule.holds" = [
{steps}]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("--preemptions", type=int, default=2)
    parser.add_argument("--only", choices=PROGRAMS)
    parser.add_argument("--minutes", type=float, help="host time for each [no end]")
    parser.add_argument("--configs", type=Path)
    parser.add_argument("--work", type=Path, default=ROOT / "build/check")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    broken = 0
    rows: list[dict[str, object]] = []
    with chosen.file.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        for kind in [chosen.only] if chosen.only else PROGRAMS:
            for name in names(kind):
                row = check(kind, name, chosen)
                broken += row["violation"] != ""
                table.writerow(row)
                file.flush()
                rows.append(row)
                print(*list(row.values())[:8], flush=True)
    if chosen.configs:
        for column in WORST.values():
            text = worst_config(column, [row for row in rows if row["kind"] == "lock"])
            name = column.replace("_", "-").removesuffix("-us")
            (chosen.configs / f"{name}.toml").write_text(text, encoding="utf-8")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
