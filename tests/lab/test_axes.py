# SPDX-License-Identifier: MIT
"""Short forms in `[sweep]`: ranges, "all", and keys that change together."""

from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.guest import catalogue
from symlab.runs import grid
from symlab.runs.settings import parse_setting


def points_of(folder: Path, text: str, *settings: str) -> list[grid.Point]:
    path = folder / "mine.toml"
    path.write_text(text)
    return grid.points(grid.load(path), dict(map(parse_setting, settings)))


def values_of(folder: Path, text: str, *settings: str) -> list:
    """The values of the only axis."""
    return [*(v for p in points_of(folder, text, *settings) for v in p.coordinates.values())]


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ('"1..4"', [1, 2, 3, 4]),
        ('"1..20..6"', [1, 7, 13, 19]),
        ('"7..7"', [7]),
        ('"-2..0"', [-2, -1, 0]),
        ('[1, "4..12..4", 20]', [1, 4, 8, 12, 20]),
        ('["1..2", "8..9"]', [1, 2, 8, 9]),
    ],
)
def test_a_range_stands_for_its_numbers_alone_and_in_a_list(tmp_path, written, values):
    assert values_of(tmp_path, f'[sweep]\n"machine.processors" = {written}\n') == values


@pytest.mark.parametrize("setting", ["run.seed=3..5", "run.seed=[3..4, 5]", 'run.seed=["3..5"]'])
def test_a_range_on_the_command_line_is_an_axis(tmp_path, setting):
    points = points_of(tmp_path, '[sweep]\n"machine.processors" = [1]\n', setting)
    assert [point.coordinates["run.seed"] for point in points] == [3, 4, 5]


@pytest.mark.parametrize("kind", ["lock", "barrier", "strategy"])
def test_all_stands_for_all_of_the_catalogue(tmp_path, kind):
    found = values_of(tmp_path, f'[sweep]\n"guest.args.{kind}" = "all"\n')
    items = catalogue.items({"strategy": "strategies"}.get(kind, f"{kind}s"))
    assert found == [i.name for i in items if not i.special and i.isa == "i386"]
    assert len(found) > 5


def test_all_is_an_axis_on_the_command_line_and_a_part_of_a_list(tmp_path):
    one = '[sweep]\n"machine.processors" = [1]\n'
    points = points_of(tmp_path, one, "guest.args.lock=[mine, all]")
    assert [p.coordinates["guest.args.lock"] for p in points][:3] == ["mine", "array", "backoff"]
    points = points_of(tmp_path, one, "guest.args.barrier=all")
    assert len(points) > 1
    points = points_of(tmp_path, one, "guest.args.text=all")
    assert [point.settings["guest.args.text"] for point in points] == ["all"]


def test_locks_of_a_486_are_among_all_if_the_machine_is_one(tmp_path):
    all_locks = '[sweep]\n"guest.args.lock" = "all"\n'
    assert "mcs-cas" not in values_of(tmp_path, all_locks)
    for isa in ("i486", "i686"):
        assert "mcs-cas" in values_of(tmp_path, f'[processor]\nisa = "{isa}"\n' + all_locks)
    (tmp_path / "base.toml").write_text('[processor]\nisa = "i486"\n')
    assert "mcs-cas" in values_of(tmp_path, 'base = "base.toml"\n' + all_locks)


JOINT = """
[sweep]
"run.seed" = [7, 8]
[[sweep.joint]]
"machine.processors" = [1, "19..20"]
guest.args.lock = ["xchgb", "read", "xchgb"]
"""


def test_keys_of_a_joint_table_change_together(tmp_path):
    assert [point.label for point in points_of(tmp_path, JOINT)] == [
        f"seed={seed} {both}"
        for seed in (7, 8)
        for both in (
            "processors=1 lock=xchgb",
            "processors=19 lock=read",
            "processors=20 lock=xchgb",
        )
    ]


def test_each_joint_table_is_an_axis_of_its_own(tmp_path):
    more = '[[sweep.joint]]\n"cache.ways" = [1, 2]\n"cache.line_bytes" = [8, 16]\n'
    assert len(points_of(tmp_path, JOINT + more)) == 2 * 3 * 2


def test_a_joint_axis_is_overridden_by_the_names_of_all_its_keys(tmp_path):
    other = 'machine.processors,guest.args.lock=[[2, "clh"]]'
    assert len(points_of(tmp_path, JOINT, other)) == 2
    with pytest.raises(UserError, match=r"machine\.processors is swept twice"):
        points_of(tmp_path, JOINT, "machine.processors=4")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[sweep]\n"run.seed" = "5..1"\n', r'run.seed: "5..1" runs backwards; write "1..5"; a'),
        ('[sweep]\n"run.seed" = "9..1..2"\n', r'"9..1..2" runs backwards; write "1..9..2"; a'),
        ('[sweep]\n"run.seed" = "1..5..0"\n', r'"1..5..0" has the step 0; a range is "FIRST'),
        ('[sweep]\n"run.seed" = "1..5..-1"\n', "has the step -1; .*the step 1 or more"),
        ('[sweep]\n"run.seed" = "5..1..-1"\n', "has the step -1"),
        (
            '[sweep]\n"run.seed" = "1.."\n',
            r'mine.toml:2: run.seed: "1\.\." is not a range; a range is',
        ),
        ('[sweep]\n"run.seed" = "1...5"\n', "is not a range; a range is"),
        ('[sweep]\n"run.seed" = ["1 .. 5"]\n', "is not a range; .* in whole numbers"),
        ('[sweep]\n"run.limit_ms" = "0.5..2"\n', "is not a range; .* in whole numbers"),
        ('[sweep]\n"run.seed" = []\n', "is an empty list; give at least one value"),
        ('[sweep]\n"run.seed" = "1..10001"\n', "more than 10000 values"),
        ('[sweep]\n"run.seed" = ["1..3", 2]\n', "lists 2 more than once"),
        ("[sweep]\njoint = 3\n", "sweep.joint must be tables"),
        ("[sweep.joint]\na.b = [1]\nc.d = [2]\n", "sweep.joint must be tables"),
        ('[[sweep.joint]]\n"run.seed" = [1, 2]\n', "run.seed: give two keys or more"),
        ('[[sweep.joint]]\n"a.b" = [1, 2]\n"c.d" = [1]\n', "a.b 2, c.d 1 values; give each key"),
        ('[[sweep.joint]]\n"a.b" = [1, 1]\n"c.d" = [1, 1]\n', "a.b, c.d lists 1, 1 more than once"),
    ],
)
def test_mistakes_are_named_with_what_is_allowed(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        points_of(tmp_path, text)
