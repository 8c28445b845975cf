# SPDX-License-Identifier: MIT
"""A run counts as finished if its files match its manifest; what does not match is run again."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from conftest import Lab, write_manifest
from report_runs import NEEDS_SIMULATOR, run_folder
from symlab import Run, UserError, sweep
from symlab.reports import write_report
from symlab.results.manifest import flaw
from symlab.results.summary import read_summary
from symlab.results.transactions import convert
from symlab.runs.fst import to_fst

__all__ = ["run_folder"]  # a fixture

ONE = {"machine.processors": 1, "guest.args.lock": "read"}


def swept(lab: Lab) -> pd.DataFrame:
    return sweep(lab.config, out=lab.out, jobs=1, simulator=lab.simulator, settings=ONE)


def only_run(lab: Lab) -> Path:
    (run,) = (lab.out / "runs").iterdir()
    return run


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-2])


def change(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))


def lengthen(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"x")


def age(manifest: Path) -> None:
    """Makes it the manifest of a run by an earlier simulator."""
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "schema_version": 1}))


DAMAGES = {
    "summary.json is cut off": ("summary.json", lambda file: file.write_text("{}")),
    "bus.csv is cut off": ("bus.csv", cut),
    "config.toml does not match its checksum in manifest.json": ("config.toml", change),
    "bus.csv is missing": ("bus.csv", Path.unlink),
    "bus.csv is longer than manifest.json says": ("bus.csv", lengthen),
    "manifest.json is damaged": ("manifest.json", cut),
    "manifest.json has schema version 1, and this symlab reads 2": ("manifest.json", age),
    "point.json is missing or damaged": ("point.json", cut),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_sweep_makes_a_damaged_run_again_and_says_which_file(what: str, lab: Lab, capsys) -> None:
    first = swept(lab)
    name, damage = DAMAGES[what]
    run = only_run(lab)
    damage(run / name)
    code, output = lab.symlab("status", str(lab.out))
    assert f"warning: {run}: {what}; the next sweep makes the run again" in output
    settings = [text for key, value in ONE.items() for text in ("--set", f"{key}={value}")]
    code, output = lab.call(*settings)
    assert code == 0
    assert f"1 damaged: {what} (processors=1 lock=read)" in output
    assert lab.events("start") == ["1-read", "1-read"]
    pd.testing.assert_frame_equal(swept(lab)[["simulated_us"]], first[["simulated_us"]])
    assert len(lab.events("start")) == 2


def test_a_damaged_run_of_a_neighbouring_sweep_is_not_reused(lab: Lab) -> None:
    swept(lab)
    cut(only_run(lab) / "bus.csv")
    sweep(lab.config, out=lab.out.with_name("b"), simulator=lab.simulator, settings=ONE)
    assert lab.events("start") == ["1-read", "1-read"]


def test_a_new_run_whose_files_do_not_match_is_not_kept(lab: Lab) -> None:
    program = lab.simulator.read_text()
    lab.simulator.write_text(program + '(out / "bus.csv").write_text("other")\n')
    frame = swept(lab)
    assert list(frame.status) == ["output-error"]


def test_host_json_may_change(lab: Lab) -> None:
    swept(lab)
    (only_run(lab) / "host.json").write_text("{}")
    swept(lab)
    assert lab.events("start") == ["1-read"]


@pytest.mark.parametrize("version", ["2", None, [2]])
def test_a_manifest_without_a_version_is_damaged(version: object, tmp_path: Path) -> None:
    write_manifest(tmp_path)
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"schema_version": version}))
    assert flaw(tmp_path) == "manifest.json is damaged"


def test_a_manifest_names_no_files_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text("{}")
    write_manifest(tmp_path)
    assert flaw(tmp_path) is None
    path = tmp_path / "manifest.json"
    for name in ("../summary.json", "files/../../summary.json", "./a", "/etc/passwd", "/", "", 3):
        document = json.loads(path.read_text())
        document["files"][0]["name"] = name
        path.write_text(json.dumps(document))
        assert flaw(tmp_path) == "manifest.json is damaged"


@pytest.fixture
def run(run_folder: Path, tmp_path: Path) -> Path:
    """A copy of a real run, without a manifest."""
    run = Path(shutil.copytree(run_folder, tmp_path / "run"))
    (run / "manifest.json").unlink(missing_ok=True)
    return run


@NEEDS_SIMULATOR
def test_who_reads_a_run_without_a_manifest_says_so(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flaw(run) == flaw(run, ["bus.csv"]) == "manifest.json is missing"
    for use in (Run.of, lambda folder: write_report([folder])):
        use(run)
        assert f"{run}: manifest.json is missing; its numbers may" in capsys.readouterr().err


@NEEDS_SIMULATOR
@pytest.mark.parametrize(
    ("use", "file"),
    [
        (lambda run: write_report([run]), "bus.csv"),
        (Run.of, "locks.csv"),
        (convert, "bus.log.zst"),
        (to_fst, "trace.vcd"),
    ],
    ids=["report", "Run.of", "transactions", "fst"],
)
def test_who_reads_a_file_that_does_not_match_says_so(
    use, file: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (run / file).exists():
        (run / file).write_bytes(b"log")
    write_manifest(run)
    lengthen(run / file)
    try:
        use(run)
    except UserError:
        pass  # what was read made no sense
    except Exception as error:
        assert type(error).__name__ == "OutputError"
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"symlab: warning: {run}: {file} is longer than manifest.json says; its numbers may be "
        "wrong: run it again"
    ]


@NEEDS_SIMULATOR
def test_the_page_of_a_damaged_run_says_so_itself(run: Path) -> None:
    write_manifest(run)
    text = (run / "console.txt").read_text()
    (run / "console.txt").write_text(text + "more")
    page = write_report([run]).read_text()
    assert "console.txt is longer than manifest.json says; the numbers of this page" in page


@NEEDS_SIMULATOR
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s.pop("bus"), "there is no bus"),
        (lambda s: s["bus"].update(busy_us="x"), 'bus.busy_us is "x", and must be a time in us'),
        (lambda s: s["bus"].update(busy_us=float("nan")), "bus.busy_us is NaN, and must be a time"),
        (lambda s: s.update(simulated_us=1e300), "simulated_us is 1e+300, and must be a time"),
        (lambda s: s.update(processors=[]), "processors is [], and must be a list that is not"),
        (lambda s: s["locks"][0].update(address="7x"), 'locks[0].address is "7x", and must be an'),
        (lambda s: s.update(schema_version=9), "schema version 9, and this symlab reads 2"),
    ],
)
def test_a_damaged_summary_is_an_error_that_names_the_key(change, said: str, run: Path) -> None:
    path = run / "summary.json"
    summary = json.loads(path.read_text())
    change(summary)
    path.write_text(json.dumps(summary))
    for use in (read_summary, Run.of, lambda folder: write_report([folder])):
        with pytest.raises(UserError, match=r"summary\.json: ") as caught:
            use(run)
        assert said in str(caught.value)


def test_a_run_under_the_name_of_another_is_made_again(lab: Lab) -> None:
    sweep(lab.config, out=lab.out, simulator=lab.simulator)
    one, other = sorted((lab.out / "runs").iterdir())[:2]
    shutil.rmtree(one)
    shutil.copytree(other, one)
    assert "1 damaged: point.json is of another run" in lab.call()[1]
