# SPDX-License-Identifier: MIT
"""Mistakes in the tables of a sweep: refused before the first run, with file, line, key and fix."""

from pathlib import Path

import pytest
from symlab.errors import UserError
from symlab.results.toml_text import key_lines
from symlab.runs.beforehand import fits
from symlab.runs.simulator import Simulator
from symlab.runs.sweeping import Order, plan_sweep
from transaction_run import BINARY

real = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def refusal(folder: Path, text: str, overrides: dict | None = None) -> str:
    """What `symlab sweep --dry-run` says to the config a.toml; "" if it accepts it."""
    config = folder / "a.toml"
    config.write_text(text)
    try:
        plan_sweep(Order(config, folder / "out", 1, overrides or {}, BINARY))
    except UserError as error:
        return str(error).replace(f"{folder}/", "")
    return ""


@real
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[sweep]\n"machine.procesors" = [1]\n',
            "a.toml:2: machine.procesors: there is no such key; did you mean machine.processors? "
            "symsim --list-keys prints all",
        ),
        (
            '[sweep]\n"machine.processors" = [1, 999]\n',
            "a.toml:2: machine.processors: 999 does not fit; it must be an integer from 1 to ",
        ),
        ('[sweep]\n"machine.processors" = "1..999"\n', "a.toml:2: machine.processors: "),
        ('[sweep]\n\n[sweep.bus]\nclock_mhz = [0.5]\n', "a.toml:4: bus.clock_mhz: 0.5 "),
        (
            '[sweep]\n"cache.ways" = [2, 3]\n',
            "a.toml:2: cache.ways: 3 does not fit; it must be a power of two from 1 to 8",
        ),
        (
            '[sweep]\n"cache.size_bytes" = [1]\n',
            "a.toml:2: cache.size_bytes: 1 does not fit; it must be a power of two from 64 to "
            "16777216 (bytes)",
        ),
        (
            '[sweep]\n"run.engine" = ["fast", "slow"]\n',
            'a.toml:2: run.engine: "slow" does not fit; it must be "fast" or "reference"',
        ),
        ('[sweep]\n"observe.vcd" = [1]\n', "a.toml:2: observe.vcd: 1 does not fit; it "),
        ('[sweep]\n"machine.name" = [1]\n', "a.toml:2: machine.name: 1 does not fit; "),
        (
            '[sweep]\n"guest.args.x" = [1, 1.5]\n',
            "a.toml:2: guest.args.x: must be a string, an integer, true or false",
        ),
        ('[sweep]\n"guest.args.x" = ["a", "b\\nc"]\n', "a.toml:2: guest.args.x: must be one line"),
        ('[sweep]\n"guest.args.x-y" = [1]\n', "a.toml:2: guest.args.x-y: the name of a gue"),
        ('[sweep]\n"guest.args.seed" = [1]\n', "a.toml:2: guest.args.seed: every guest gets"),
        (
            '[sweep]\n"run.seed, machine.processors" = [[1, 2], [1, 999]]\n',
            "a.toml:2: machine.processors: 999 does not fit",
        ),
        (
            '[sweep]\n"machine.processors, run.sed" = [[1, 2]]\n',
            "a.toml:2: run.sed: there is no such key; did you mean run.seed? ",
        ),
        (
            '[sweep]\n"machine.processors," = [[1, 2]]\n',
            'a.toml:2: "machine.processors,": a key is missing beside a comma; name the axis',
        ),
        ('[sweep]\n"machine.processors, run.seed" = [[1]]\n', "a.toml:2: machine.processors, "),
        ('[sweep]\n"machine.processors" = []\n', "a.toml:2: machine.processors is an empty "),
        (
            '[[sweep.joint]]\n"run.seed" = [1, 2]\n"run.limit_ms" = [1, 2]\n\n[[sweep.joint]]\n'
            '"machine.processors" = '
            '[999]\n"cache.ways" = [2]\n',
            "a.toml:6: machine.processors: 999 does not fit",
        ),
        (
            '[[sweep.joint]]\n"machine.procesors" = [1]\n"run.seed" = [1]\n',
            "a.toml:2: machine.procesors: there is no such key; did you mean machine.processors? ",
        ),
        ("[sweep]\njoint = 1\n", "a.toml:2: sweep.joint must be tables"),
        (
            '[sweep]\n"run.seed" = [1]\n[sweep.quick]\n"machine.procesors" = 1\n',
            "a.toml:4: machine.procesors: there is no such key; did you mean machine.processors? ",
        ),
        (
            '[sweep]\n"run.seed" = [1]\n[sweep.reduced]\n"machine.processors" = [1, 999]\n',
            "a.toml:4: machine.processors: 999 does not fit",
        ),
        (
            '[sweep]\n"run.seed" = [1]\n[sweep.delays]\n"machine.processors" = 999\n',
            "a.toml:4: machine.processors: 999 does not fit",
        ),
        ('[sweep]\n"run.seed" = [1]\n[sweep.large]\n"run.seed" = 1\n', "a.toml:4: large.run"),
        ("[sweep]\nrepeats = 0\n", "a.toml:2: sweep.repeats: 0 does not fit; "),
        ('[sweep]\n"run.seed" = [1]\nrepeat = 2\n', "a.toml:3: repeat: there is no such key"),
        (
            '[sweep]\n"run.seed" = [1, 2]\nrepeats = 2\n',
            "a.toml:3: sweep.repeats: the seeds are swept too, by the axis run.seed (a.toml:2); ",
        ),
        (
            '[figure]\ntittle = "a"\n[sweep]\n"run.seed" = [1]\n',
            "a.toml:2: figure.tittle: there is no such key; there are name, title, y, log, own",
        ),
        ('[figure]\ny = 1\n[sweep]\n"run.seed" = [1]\n', "a.toml:2: figure.y: 1 does not fit"),
        (
            '[figure]\n\nlog = "z"\n[sweep]\n"run.seed" = [1]\n',
            'a.toml:3: figure.log: "z" does not fit; it must be "none", "x", "y", "both"',
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    assert refusal(tmp_path, text).startswith(said)


@real
def test_a_mistake_of_a_base_is_reported_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('\n[sweep]\n"machine.processors" = [999]\n')
    assert refusal(tmp_path, 'base = "base.toml"\n').startswith("base.toml:3: machine.processors: ")
    own = 'base = "base.toml"\n[sweep]\n"machine.processors" = [1]\n'
    assert refusal(tmp_path, own + '"guest.image" = ["counter-read"]\n') == ""


@real
def test_what_fits_the_keys_is_accepted(tmp_path: Path) -> None:
    text = """
guest.image = "counter-{lock}"
[guest.args]
lock = "read"
[sweep]
"machine.processors" = [1, "2..4..2"]
"guest.args.lock" = "all"
"processor.clock_mhz, cache.ways" = [[16, 1], [12.5, 2]]
"observe.vcd" = [true]
[sweep.quick]
"machine.processors" = 1
"guest.args.a, run.seed" = [["x", 1], ["y", 2]]
"""
    assert refusal(tmp_path, text) == ""


@real
def test_fits_agrees_with_the_simulator_about_every_key(tmp_path: Path) -> None:
    """The largest and smallest values of each range and one beyond, and values of other types."""
    simulator = Simulator(BINARY)
    config = tmp_path / "a.toml"
    config.write_text("")
    keys = {key["name"]: key for key in simulator.describe()["keys"]}
    for name in ("cache.ways", "memory.size_mb", "run.limit_ms", "observe.vcd", "bus.arbitration"):
        for value in (0, 1, 2, 3, 8, 16, 1024, 1025, -1, 0.5, 9e6, 9.1e6, True, "oldest", "x"):
            try:
                simulator.resolve(config, {name: value})
                taken = True
            except UserError as error:
                taken = " does not fit; it must be " not in str(error)
            assert fits(value, keys[name]) == taken, (name, value)


@real
def test_the_words_of_what_fits_say_the_same_as_type_and_range() -> None:
    for key in Simulator(BINARY).describe()["keys"]:
        words = {"flag": "true or false", "text": "a string"}.get(key["type"])
        if key["range"]:
            article = "an" if key["type"] == "integer" else "a"
            low, high = (f"{bound:.15g}" for bound in key["range"])
            words = f"{article} {key['type']} from {low} to {high}"
        elif key["type"] == "choice":
            *others, last = (f'"{value}"' for value in key["values"])
            words = f"{', '.join(others)} or {last}"
        assert key["fits"] == words, key["name"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('a = 1\n[b] # c\n"d.e" = [1,\n 2]\nf = 1', {"a": 1, "b": 2, "b.d.e": 3, "b.f": 5}),
        ("a.'b' . \"\\u0063\" = '''\n[x]\n'''\n\nd = 1\n", {"a.b.c": 1, "d": 5}),
        ("[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n[ d ]\n", {"a.b": 1, "a.b.c": 2, "d": 5}),
        ('a = "# [b]" # [\n# c = 1\nd = {e = 1, f = [\n1]}\n', {"a": 1, "d": 3}),
    ],
)
def test_the_line_of_each_key(text: str, lines: dict[str, int]) -> None:
    assert key_lines(text) == lines
