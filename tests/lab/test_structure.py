# SPDX-License-Identifier: MIT
"""The tree is what the docs say: no include cycle, the folders, and the tours through the code."""

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CYCLES = ROOT / "scripts" / "include_cycles.py"
ARCHITECTURE = (ROOT / "docs" / "how-it-works" / "architecture.md").read_text()
LIFE_OF_A_LOAD, LIFE_OF_AN_EXCHANGE = (
    ARCHITECTURE[ARCHITECTURE.index(begin) : ARCHITECTURE.index(end)]
    for begin, end in [
        ("## The life of one load", "## The life of one locked exchange"),
        ("## The life of one locked exchange", "## Speculation"),
    ]
)
MOST_FILES = 12  # that the tour of a load may name

sys.path.insert(0, str(CYCLES.parent))
import include_cycles  # noqa: E402


def run_cycles(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, CYCLES, root], capture_output=True, text=True)


def test_no_include_closes_a_cycle_of_files_or_folders() -> None:
    found = run_cycles(ROOT)
    assert found.returncode == 0, found.stdout


def plant(root: Path, includes: dict[str, str]) -> None:
    for file, header in includes.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(f'#pragma once\n#include "{header}"\n')


def test_a_cycle_of_files_is_found_and_named(tmp_path: Path) -> None:
    plant(tmp_path, {"sim/a/x.h": "sim/a/y.h", "sim/a/y.h": "sim/a/z.h", "sim/a/z.h": "sim/a/x.h"})
    found = run_cycles(tmp_path)
    assert found.returncode == 1
    path = "sim/a/x.h -> sim/a/y.h -> sim/a/z.h -> sim/a/x.h"
    assert f"cycle of files: {path}" in found.stdout
    assert "cycle of folders" not in found.stdout


def test_a_cycle_of_folders_is_found_where_files_have_none(tmp_path: Path) -> None:
    plant(tmp_path, {"sim/a/x.h": "sim/b/y.h", "sim/b/z.h": "sim/a/w.h"})
    found = run_cycles(tmp_path)
    assert found.returncode == 1
    assert "cycle of folders: sim/a -> sim/b -> sim/a" in found.stdout
    assert "sim/b/z.h includes sim/a/w.h" in found.stdout
    assert "cycle of files" not in found.stdout


def test_a_cycle_of_top_folders_is_found_where_rooms_have_none(tmp_path: Path) -> None:
    plant(tmp_path, {"sim/a/low/x.h": "sim/b/y.h", "sim/b/y.h": "sim/a/high/w.h"})
    found = run_cycles(tmp_path)
    assert found.returncode == 1
    assert "cycle of top folders: sim/a -> sim/b -> sim/a" in found.stdout
    assert "cycle of folders" not in found.stdout


def test_only_one_folder_knows_systemc() -> None:
    those = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "sim").rglob("*")
        if file.suffix in (".h", ".cpp") and re.search(r"#include <(systemc|tlm)", file.read_text())
    }
    assert those, "nobody includes it: the test looks for the wrong thing"
    elsewhere = {f for f in those if not f.startswith("sim/machine/systemc/")}
    assert elsewhere == {"sim/symsim.cpp"}


# Operators, and the one function that makes a config struct.
RIGHTLY_FRIENDS = re.compile(r"friend (constexpr )?\w+ (operator|\w+_config\()")


def types_of(text: str) -> list[str]:
    """The types that a file of clang-format's style defines, with their namespaces."""
    inside: list[str] = []
    types = []
    for line in text.splitlines():
        if opened := re.match(r"namespace (\w*::)*(\w*) ?\{$", line):
            inside.append(opened[2])
        elif line.startswith("}  // namespace"):
            inside.pop()
        elif "" not in inside and (  # a namespace without a name is the file's own
            named := re.match(
                r"(?:enum class|enum|struct|class) (?:alignas\(.*?\) )?(\w+)(?!\w|::)[^;]*$", line
            )
        ):
            types.append("::".join([*inside, named[1]]))
    return types


def test_two_types_of_one_name_are_found() -> None:
    assert types_of("namespace a {\nstruct X {\n};\nstruct Y;\nnamespace {\nclass Z {") == ["a::X"]


def test_no_two_files_define_a_type_of_one_name() -> None:
    """The linker takes either's functions for both, without a word, where a call is not inlined."""
    homes: dict[str, list[str]] = {}
    for file in sorted((ROOT / "sim").rglob("*.[hc]*")):
        for name in types_of(file.read_text()):
            homes.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert len(homes) > 300
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_no_class_opens_its_private_state_to_another() -> None:
    friends = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in (ROOT / "sim").rglob("*.h")
        for line in file.read_text().splitlines()
        if line.strip().startswith("friend ") and not RIGHTLY_FRIENDS.match(line.strip())
    ]
    assert not friends


def test_the_layers_of_the_processor_are_bases_of_one_another_as_its_head_says() -> None:
    head = (ROOT / "sim/cpu/core/processor.h").read_text().partition("#pragma once")[0]
    layers = re.findall(r"^//     (\w+) +(cpu/\w+) ", head, re.MULTILINE)
    assert len(layers) > 5
    for (upper, folder), (lower, _) in itertools.pairwise(layers):
        headers = "".join(f.read_text() for f in (ROOT / "sim" / folder).glob("*.h"))
        assert re.search(rf"class {upper}(?: final)? : public {lower} \{{", headers), upper
    assert re.search(
        rf"class {layers[-1][0]} \{{", (ROOT / "sim/cpu/state/exceptions.h").read_text()
    )


def test_the_layers_of_the_cache_controller_are_bases_of_one_another_as_its_head_says() -> None:
    head = (ROOT / "sim/cache/controller.h").read_text().partition("#pragma once")[0]
    listed = head[head.index("Built in layers") : head.index("Parts:")]
    layers = re.findall(r"^//   (\w+) +\w", listed, re.MULTILINE)
    assert layers == ["CacheController", "StorePath", "LoadPath", "CachePort"]
    headers = "".join(f.read_text() for f in (ROOT / "sim/cache").glob("*.h"))
    for upper, lower in itertools.pairwise([*layers, "Port"]):
        assert re.search(
            rf"class (?:alignas\(64\) )?{upper}(?: final)? : public {lower} \{{", headers
        ), upper


def folders() -> set[str]:
    """Those of sim/ that have sources, as paths from sim/."""
    sources = (f for f in (ROOT / "sim").rglob("*") if f.suffix in (".h", ".cpp"))
    return {str(f.parent.relative_to(ROOT / "sim")) for f in sources} - {"."}


def test_the_architecture_page_names_every_folder_of_the_tree() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("this tree is not a git repository")
    paths = [path for path in tracked.stdout.splitlines() if "/" in path]
    real = {path.partition("/")[0] for path in paths if not path.startswith(".")}
    tree = ARCHITECTURE[: ARCHITECTURE.index("## The folders of the simulator")]
    assert set(re.findall(r"^\| `(\w+)/` \|", tree, re.MULTILINE)) == real


def test_the_architecture_page_says_what_each_folder_includes() -> None:
    graph = include_cycles.edges(include_cycles.includes(ROOT), depth=99)
    real = {
        folder: sorted(to.removeprefix("sim/") for to in graph.get(f"sim/{folder}", {}))
        for folder in folders()
    }
    table = ARCHITECTURE[ARCHITECTURE.index("## The folders of the simulator") :]
    rows = re.findall(r"^\| `([\w/]+)/` \| .* \|(.*)\|$", table, re.MULTILINE)
    said = {
        name: [to.strip() for to in includes.split(",") if to.strip()] for name, includes in rows
    }
    assert said == real


FUNCTION = r"\w+::\w+|execute_fast|xchg_memory"
ENUMERATIONS = {"Access", "StopReason", "Op"}


def named_functions(tour: str) -> list[tuple[str, list[str]]]:
    """Each function that the tour names, with the file named right after it in parentheses; or, if
    there is none, with all files of the tour, since one of them must define it."""
    files = sorted(set(re.findall(r"`(sim/[\w/]+\.\w+)`", tour)))
    found = []
    for named in re.finditer(rf"`({FUNCTION})`(?:\s+\(`(sim/[\w/]+\.\w+)`\))?", tour):
        if named[1].split("::")[0] not in ENUMERATIONS:
            found.append((named[1], [named[2]] if named[2] else files))
    return found


def defines(file: str, function: str) -> bool:
    """Whether the file has the body of the function, in its class or outside."""
    text = (ROOT / file).read_text()
    owner, _, name = function.rpartition("::")
    if owner and re.search(rf"\b{owner}::{name}\([^;]*?\{{", text):
        return True
    in_class = rf"(?:class|struct) (?:alignas\(64\) )?{owner}\b[^;]*?\{{.*?"
    body = rf"\b{name}\([^;]*?\{{"
    return re.search((in_class if owner else "") + body, text, re.DOTALL) is not None


TOURS = {"load": LIFE_OF_A_LOAD, "exchange": LIFE_OF_AN_EXCHANGE}
NAMED = [(tour, *pair) for tour, text in TOURS.items() for pair in named_functions(text)]


def test_the_tours_name_functions() -> None:
    for tour in TOURS:
        assert len([1 for of, *_ in NAMED if of == tour]) > 15


@pytest.mark.parametrize(("tour", "function", "files"), NAMED)
def test_a_function_of_a_tour_is_where_the_tour_says(
    tour: str, function: str, files: list[str]
) -> None:
    assert any(defines(file, function) for file in files), f"life of the {tour}: {function}"


def test_a_function_is_not_found_where_it_is_only_called_or_declared() -> None:
    assert defines("sim/bus/bus.cpp", "Bus::grant")
    assert not defines("sim/bus/arbiter.cpp", "Bus::grant")
    assert not defines("sim/cache/controller.h", "CacheController::request_fill")
    assert not defines("sim/bus/bus.cpp", "Bus::no_such_function")


def test_the_tour_of_a_load_names_few_files_and_all_exist() -> None:
    files = set(re.findall(r"`(sim/[\w/]+\.\w+)`", LIFE_OF_A_LOAD))
    assert len(files) <= MOST_FILES, sorted(files)
    for tour in TOURS.values():
        for file in re.findall(r"`((?:sim|guest)/[\w/]+\.\w+)`", tour):
            assert (ROOT / file).is_file(), file


def test_nothing_cites_files_that_users_do_not_have() -> None:
    forbidden = re.compile(r"\b(?:hardware|design|speed-limits|style|prose)\.md\b")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    files = listed.stdout.split() if listed.returncode == 0 else []
    citing = []
    for name in files:
        path = ROOT / name
        if path == Path(__file__) or not path.is_file():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if forbidden.search(text):
            citing.append(name)
    assert not citing
