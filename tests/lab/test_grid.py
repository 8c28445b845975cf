# SPDX-License-Identifier: MIT
"""The expansion of `[sweep]` tables and overrides into points."""

import time
from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.plot.look import Look
from symlab.runs import grid
from symlab.runs.settings import format_value, parse_setting

SWEEP = '[sweep]\n"machine.processors" = [2, 1]\n"guest.args.lock" = ["xchgb", "read"]\n'


def written(folder: Path, text: str, name: str = "a-1.2.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def coordinates(config: Path, overrides: dict | None = None) -> list[tuple]:
    return [tuple(p.coordinates.values()) for p in grid.points(grid.load(config), overrides)]


def test_the_grid_keeps_the_order_of_the_file_and_the_last_key_varies_fastest(tmp_path):
    assert coordinates(written(tmp_path, SWEEP)) == [
        (2, "xchgb"),
        (2, "read"),
        (1, "xchgb"),
        (1, "read"),
    ]


def test_dots_in_the_stem_of_a_config_are_kept(tmp_path):
    assert grid.load(written(tmp_path, SWEEP)).name == "a-1.2"


def test_a_base_gives_its_axes_and_own_keys_override_them(tmp_path):
    written(tmp_path, SWEEP + '[figure]\nname = "all-4.1"\n', "base.toml")
    own = written(tmp_path, 'base = "base.toml"\n[sweep]\n"machine.processors" = [7]\n')
    assert coordinates(own) == [(7, "xchgb"), (7, "read")]
    assert grid.load(own).figure == "all-4.1"


def test_a_file_that_inherits_from_itself_is_refused(tmp_path):
    with pytest.raises(UserError, match="inherits from itself"):
        grid.load(written(tmp_path, 'base = "a-1.2.toml"'))


def test_an_override_of_a_swept_key_replaces_its_values(tmp_path):
    config = written(tmp_path, SWEEP)
    assert coordinates(config, {"machine.processors": 5}) == [(5, "xchgb"), (5, "read")]
    assert len(coordinates(config, {"machine.processors": [1, 2, 3]})) == 6


def test_an_override_of_another_key_holds_for_all_points_or_adds_an_axis(tmp_path):
    sweep = grid.load(written(tmp_path, SWEEP))
    assert {p.settings["run.seed"] for p in grid.points(sweep, {"run.seed": 4})} == {4}
    assert "run.seed" not in grid.points(sweep, {"run.seed": 4})[0].coordinates
    seeds = [p.coordinates["run.seed"] for p in grid.points(sweep, {"run.seed": [4, 5]})]
    assert seeds == [4, 5] * 4


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("machine.processors=1..4", [1, 2, 3, 4]),
        ("machine.processors=[1,2]", [1, 2]),
        ("machine.processors=[1, 4..8..2]", [1, 4, 6, 8]),
        ("guest.args.lock=[read,mcs]", ["read", "mcs"]),
    ],
)
def test_an_override_sweeps_a_config_without_a_table(tmp_path, setting, values):
    config = written(tmp_path, "[machine]\nprocessors = 20\n")
    overrides = dict([parse_setting(setting), ("run.seed", 7)])
    points = grid.points(grid.load(config, overrides), overrides)
    assert [list(point.coordinates.values()) for point in points] == [[value] for value in values]
    assert {point.settings["run.seed"] for point in points} == {7}


def test_seeds_sweep_a_config_without_a_table_and_a_single_value_does_not(tmp_path):
    config = written(tmp_path, "[machine]\nprocessors = 20\n")
    seeds = {"sweep.repeats": 3}
    assert len(grid.points(grid.load(config, seeds), seeds)) == 3
    with pytest.raises(UserError, match=r"no \[sweep\] table; give an axis, as in --set"):
        grid.load(config, {"machine.processors": 4})


ZIPPED = """
[sweep]
"machine.processors, guest.args.lock" = [[1, "xchgb"], [20, "read"]]
"run.seed" = [7, 8]
"""


def test_keys_separated_by_commas_are_swept_together_and_crossed_with_others(tmp_path):
    sweep = grid.load(written(tmp_path, ZIPPED))
    assert [tuple(p.coordinates.values()) for p in grid.points(sweep)] == [
        (1, "xchgb", 7), (1, "xchgb", 8), (20, "read", 7), (20, "read", 8),
    ]  # fmt: skip
    assert grid.points(sweep)[2].label == "processors=20 lock=read seed=7"


def test_an_axis_of_several_keys_is_overridden_as_a_whole(tmp_path):
    sweep = grid.load(written(tmp_path, ZIPPED))
    other = {"machine.processors,guest.args.lock": [[2, "clh"]]}
    assert [p.label for p in grid.points(sweep, other | {"run.seed": 1})] == [
        "processors=2 lock=clh seed=1"
    ]
    added = grid.points(sweep, {"cache.ways, cache.line_bytes": [[1, 8], [2, 16]]})
    assert len(added) == 8
    for one in (4, [4, 8]):
        with pytest.raises(UserError, match=r"machine\.processors is swept twice"):
            grid.points(sweep, {"machine.processors": one})


def test_repeats_vary_fastest_and_their_seeds_are_consecutive(tmp_path):
    config = written(tmp_path, '[sweep]\nrepeats = 3\n"machine.processors" = [1, 20]\n')
    found = grid.points(grid.load(config))
    assert [(p.coordinates, p.repeat) for p in found[:4]] == [
        ({"machine.processors": 1}, 0),
        ({"machine.processors": 1}, 1),
        ({"machine.processors": 1}, 2),
        ({"machine.processors": 20}, 0),
    ]
    assert len(found) == 6
    assert found[5].seeded(7).settings == {"machine.processors": 20, "run.seed": 9}
    assert found[5].seeded(7).label == "processors=20 seed=9"


def test_repeats_are_inherited_overridden_and_absent(tmp_path):
    written(tmp_path, SWEEP + "repeats = 3\n", "base.toml")
    own = grid.load(written(tmp_path, 'base = "base.toml"\n'))
    assert len(grid.points(own)) == 12
    assert len(grid.points(own, {"sweep.repeats": 1})) == 4
    assert len(grid.points(own, {"sweep.repeats": 2, "run.seed": 9})) == 8
    assert {p.repeat for p in grid.points(grid.load(written(tmp_path, SWEEP, "b.toml")))} == {None}
    with pytest.raises(UserError, match="the seeds are swept too"):
        grid.points(own, {"run.seed": [1, 2]})
    with pytest.raises(UserError, match=r"override: sweep\.repeats: 0 does not fit"):
        grid.points(own, {"sweep.repeats": 0})


def test_a_seed_makes_a_point_no_heavier():
    heavy = grid.Point({"machine.processors": 20, "run.seed": 1000}, {})
    assert heavy.weight == grid.Point({"machine.processors": 20, "run.seed": 1}, {}).weight == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[sweep]\nrepeats = 0\n", "sweep.repeats: 0 does not fit; .* from 1 to 10000"),
        ("[sweep]\nrepeats = 10001\n", "10001 does not fit"),
        ("[sweep]\nrepeats = true\n", "True does not fit"),
        ("[sweep]\nrepeats = 2.0\n", "2.0 does not fit"),
        ("[sweep]\nrepeats = [2]\n", "does not fit"),
        ('[sweep]\nrepeats = 2\n"run.seed" = [1, 2]\n', "seeds are swept too"),
        ('[sweep]\nrepeats = 2\n"run.seed, a.b" = [[1, 2]]\n', "seeds are swept too"),
        ("[machine]\nprocessors = 1\n", "no \\[sweep\\] table"),
        ("[sweep\n", "not valid TOML"),
        ('[sweep]\n"run.seed" = []\n', "empty list"),
        ('[sweep]\n"run.seed" = [1, 1]\n', "more than once"),
        ('[sweep]\n"run.seed" = [[1]]\n', "neither string"),
        ('[sweep]\n"run.seed, a.b" = [1, 2]\n', "list of 2 values"),
        ('[sweep]\n"run.seed, a.b" = [[1, 2, 3]]\n', "list of 2 values"),
        ('[sweep]\n"run.seed, a.b" = [[1, 2], [1, 2]]\n', "1, 2 more than once"),
        ('[sweep]\n"run.seed, a.b" = [[1, [2]]]\n', "neither string"),
        ('[sweep]\n"run.seed, a.b" = [[1, 2]]\n"a.b" = [3]\n', "a.b is swept twice"),
    ],
)
def test_mistakes_in_a_sweep_are_named(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        grid.load(written(tmp_path, text))


def test_a_missing_config_is_named(tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.toml: cannot be read"):
        grid.load(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k=4", 4),
        ("k=1.5", 1.5),
        ("k=true", True),
        ("k=read", "read"),
        ('k="4"', "4"),
        ("k=[1, 2]", [1, 2]),
        ("k=[xchgb,read]", ["xchgb", "read"]),
        ("k=a=b", "a=b"),
    ],
)
def test_settings_are_toml_or_plain_words(text, value):
    assert parse_setting(text) == ("k", value)


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(UserError, match="expected key=value"):
        parse_setting("machine.processors")


@pytest.mark.parametrize("value", [4, 1.5, True, "read", "4", "true", "1.5"])
def test_a_formatted_value_is_parsed_with_the_same_type(value):
    assert parse_setting(f"k={format_value(value)}") == ("k", value)


def test_columns_take_the_last_part_of_a_key_unless_two_share_it():
    assert grid.short_names(["machine.processors", "guest.args.lock"]) == {
        "machine.processors": "processors",
        "guest.args.lock": "lock",
    }
    assert grid.short_names(["a.size", "b.size"]) == {"a.size": "a_size", "b.size": "b_size"}


def test_a_grid_that_is_too_large_is_refused_before_its_points_are_made(tmp_path):
    path = tmp_path / "large.toml"

    path.write_text('[sweep]\nrepeats = 10000\n"machine.processors" = "1..10000"\n')
    begin_s = time.process_time()  # of this process: the host may be busy
    with pytest.raises(UserError) as caught:
        grid.points(grid.load(path))
    assert str(caught.value) == (
        f"{path}: the grid has 100,000,000 points: machine.processors (10,000) x sweep.repeats "
        "(10,000); at most 100,000 are made, unless `symlab sweep` gets --most-points 100000000"
    )
    assert time.process_time() - begin_s < 2
    assert len(grid.points(grid.load(path), {"sweep.repeats": 11}, most=110_000)) == 110_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sweep = 3", " sweep: 3 is not a table; write [sweep]"),
        ("sweep = [1]", " sweep: [1] is not a table"),
        ("figure = 3", " figure: 3 is not a table; write [figure]"),
        ("figure.name = 3\n[sweep]\na = 1", "1: figure.name: 3 does not fit; it must be a string"),
        ("processor = 3", " processor: 3 is not a table"),
        ("processor.isa = 3", " processor.isa: 3 does not fit; it must be a string"),
        ("base = 3", " base: must be the path of a TOML file"),
        ("sweep.quick = 3", " quick: 3 is not a table"),
        ('sweep.a = ["\\u0000"]', "1: a: '\\x00' has a NUL or a byte that is not UTF-8"),
    ],
)
def test_a_table_or_name_of_the_wrong_type_is_a_mistake_of_the_user(tmp_path, text, said):
    path = tmp_path / "wrong.toml"
    path.write_text(text + "\n")
    with pytest.raises(UserError) as caught:
        grid.load(path)
    assert str(caught.value).startswith(f"{path}:{said}")


@pytest.mark.parametrize(
    "name",
    ["status", "run", "cpu_s", "instructions", "simulated_us", "read_transactions", "spin_us"],
)
def test_a_key_with_the_name_of_a_column_gets_its_whole_name(name):
    assert grid.short_names([f"guest.args.{name}"]) == {f"guest.args.{name}": f"guest_args_{name}"}


def test_a_config_says_how_its_figure_looks(tmp_path):
    config = tmp_path / "mine.toml"
    config.write_text('base = "base.toml"\nfigure.title = "T"\nfigure.own = "a, b"\n')
    (tmp_path / "base.toml").write_text('[sweep]\n"run.seed" = [1, 2]\n[figure]\nlog = "x"\n')
    file = grid.load(config)
    assert file.look == Look("T", "", "x", ("a", "b"), str(config))
    changed = grid.with_look(file, {"figure.y": "simulated_us", "figure.title": ""})
    assert changed.look == Look("", "simulated_us", "x", ("a", "b"), "override")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('figure.log = "yes"', r'mine.toml:1: figure.log: "yes" does not fit; it must be "none"'),
        ("figure.title = 3", "mine.toml:1: figure.title: 3 does not fit; it must be a string"),
        ('figure.colour = "red"', "figure.colour: there is no such key; there are name, title"),
        ("figure = 3", r"mine.toml: figure: 3 is not a table; write \[figure\]"),
    ],
)
def test_mistakes_in_the_figure_of_a_config_are_named(tmp_path, table, says):
    config = tmp_path / "mine.toml"
    config.write_text(f'{table}\n[sweep]\n"run.seed" = [1, 2]\n')
    with pytest.raises(UserError, match=says):
        grid.load(config)
