# SPDX-License-Identifier: MIT
"""Locks and arguments called NA, nan, 1e5 and the like, from the command to the report."""

from pathlib import Path

import pandas as pd
import pytest
from symlab import Run, compare, load, run, sweep
from symlab.cli import app
from symlab.guest.compiling import Request, build
from symlab.report import write_report
from symlab.runs.housekeeping import collect, inventory
from symlab.runs.settings import parse_setting
from symlab.runs.sweeping import Order, plan_sweep
from test_csv_file import ODD
from transaction_run import BINARY, ROOT
from typer.testing import CliRunner

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

PROGRAM = """
#include <string.h>
#include "symsim.h"
#include "lock.h"
static struct lock NA = LOCK_INIT, null = LOCK_INIT, None = LOCK_INIT, nan = LOCK_INIT;
int main(void) {
    struct lock* all[] = {&NA, &null, &None, &nan};
    struct lock_slot slot;
    for (int i = 0; i < 4; i++) {
        lock_acquire(all[i], &slot);
        lock_release(all[i], &slot);
    }
    report("length", (unsigned)strlen(arg_string("kind", "none")));
    return 0;
}
"""
CONFIG = f"""
base = "{ROOT}/configs/machines/symmetry-a.toml"
machine.processors = 1
guest.image = "odd.elf"
guest.args.kind = ""
[sweep]
"guest.args.kind" = ["NA"]
"""
# What an argument can be: one line without a NUL.
TEXTS = [text for text in ODD if "\n" not in text and "\0" not in text]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.c").write_text(PROGRAM)
    (folder / "odd.toml").write_text(CONFIG)
    build(Request((folder / "odd.c",), folder / "odd.elf", ("-O1", "-fno-builtin")))
    return folder


@pytest.fixture(scope="module")
def swept(folder: Path) -> pd.DataFrame:
    return sweep(
        folder / "odd.toml",
        out=folder / "out",
        settings={"guest.args.kind": TEXTS},
        simulator=BINARY,
    )


def test_the_guest_gets_each_text_as_it_is_and_the_table_has_it(swept: pd.DataFrame) -> None:
    assert list(swept["kind"]) == TEXTS
    assert list(swept["status"]) == ["finished"] * len(TEXTS)
    assert list(swept["length"]) == [len(text.encode()) for text in TEXTS]


def test_the_table_is_loaded_with_each_text(swept: pd.DataFrame, folder: Path) -> None:
    pd.testing.assert_frame_equal(load(folder / "out"), swept)
    for text, name in zip(TEXTS, swept["run"], strict=True):
        assert Run.of(folder / "out" / "runs" / name).config["guest.args.kind"] == text


def test_the_runs_are_found_again_and_none_is_removed(swept: pd.DataFrame, folder: Path) -> None:
    order = Order(folder / "odd.toml", folder / "out", 2, {"guest.args.kind": TEXTS}, BINARY)
    assert [task.reason for task in plan_sweep(order)] == ["kept"] * len(TEXTS)
    found = inventory(folder / "out")
    assert len(found.needed) == len(TEXTS) and not found.missing
    assert {found.label(found.store.runs / name) for name in swept["run"]} == {
        f"kind={text}" for text in TEXTS
    }
    assert collect(folder / "out") == {}


def test_the_report_and_the_figure_have_each_text(swept: pd.DataFrame, folder: Path) -> None:
    page = write_report([folder / "out"], folder / "report.html").read_text(encoding="utf-8")
    for text in ("NA", "null", "None", "1e5", "007"):
        assert f">{text}<" in page, text
    for text in ("NA", "1e5", "007", "inf", "true"):
        command = ["plot", str(folder / "out"), "--where", f"kind={text}", "--by", "kind"]
        done = CliRunner().invoke(app, [*command, "--out", str(folder / "figure")])
        assert done.exit_code == 0, done.output


def test_the_locks_of_a_run_have_their_names(folder: Path) -> None:
    one = run(
        folder / "odd.elf", settings={"machine.processors": 1}, out=folder / "one", simulator=BINARY
    )
    assert sorted(one.locks["lock"]) == ["NA", "None", "nan", "null"]
    page = one.report().read_text(encoding="utf-8")
    for name in one.locks["lock"]:
        assert f">{name}<" in page


def test_a_lock_of_such_a_name_is_compared_with_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    text = (ROOT / "guest" / "locks" / "read.h").read_text(encoding="utf-8")
    names = ["NA", "1e5"]
    for name in names:
        Path(f"{name}.h").write_text(text.replace('LOCK_NAME "read"', f'LOCK_NAME "{name}"'))
    headers = [f"{name}.h" for name in names]
    settings = {"guest.args.increments": 20}
    frame = compare(
        "counter",
        lock=[*headers, "mcs"],
        processors=[1],
        settings=settings,
        out="locks",
        simulator=BINARY,
    )
    assert list(frame["lock"]) == [*names, "mcs"]
    assert list(frame["status"]) == ["finished"] * 3
    pd.testing.assert_frame_equal(load("locks"), frame)
    page = write_report(["locks"], None).read_text(encoding="utf-8")
    for name in names:
        assert f'"title":"{name}"' in page


@pytest.mark.parametrize("text", ["NA", "1e400", "007", "None", "9" * 20, "True", '"1e5"'])
def test_an_argument_of_the_command_line_is_the_text_that_the_simulator_takes_it_for(
    text: str, folder: Path
) -> None:
    key, value = parse_setting(f"guest.args.kind={text}")
    one = run(
        folder / "odd.elf",
        settings={"machine.processors": 1, key: value},
        out=folder / "two",
        simulator=BINARY,
    )
    assert one.config[key] == text.strip('"')
