# SPDX-License-Identifier: MIT
"""Calls the simulator binary: finds it, queries it, runs it and reads the files it wrote."""

import contextlib
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symlab import places
from symlab.errors import OutputError, RunFailed, UserError
from symlab.files import read_json, sha256_of
from symlab.guest.build import build_guests
from symlab.results.manifest import SUMMARY
from symlab.results.toml_text import read_toml
from symlab.runs.axes import flatten
from symlab.runs.processes import MESSAGE_CHARACTERS, Children, Ended, status_of
from symlab.runs.server import Answer, Server, Servers
from symlab.runs.settings import Scalar, format_value
from symlab.terminal import warn

WARNING = "symsim: warning: "


@dataclass(frozen=True)
class Guest:
    """The guest file of a run. `name`: its path as the simulator looks it up in a folder."""

    name: str
    path: Path


class Simulator:
    """A simulator binary. Raises UserError if there is none at `path`."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = places.simulator(path)
        self._file = _identity_of(self.path)
        self.sha256 = sha256_of(self.path)
        self._servers = Servers()

    @contextlib.contextmanager
    def serving(self, count: int, pass_fds: tuple[int, ...] = ()) -> Iterator[None]:
        """Context manager in which `count` servers make the calls, instead of a process for each.
        `pass_fds`: file descriptors that all runs inherit. This thread must outlive the calls."""
        with self._servers.started(self.path, count, pass_fds):
            yield

    @property
    def replaced(self) -> bool:
        """Whether the binary has changed since `sha256` was computed."""
        return _identity_of(self.path) != self._file

    def resolve(self, config: str | Path, settings: Mapping[str, Scalar]) -> dict[str, Any]:
        """The complete config of a run: dotted key -> value. Raises as `print_config` does."""
        try:
            return flatten(tomllib.loads(self.print_config(config, settings)))
        except tomllib.TOMLDecodeError as error:
            raise UserError(f"{self.path} --print-config printed no TOML: {error}") from error

    def print_config(self, config: str | Path, settings: Mapping[str, Scalar]) -> str:
        """The complete config of a run as TOML text, without a `base`. Raises UserError with the
        simulator's own message (file, line, nearest key), RunFailed if a signal killed the
        simulator."""
        arguments = [*_arguments(config, settings), "--print-config"]
        with self._server(arguments) as server:
            if server is None:
                return _output_of([str(self.path), *arguments])
            return _stdout_of(server.execute(arguments), [str(self.path), *arguments])

    def check(self, config: str | Path, settings: Mapping[str, Scalar]) -> None:
        """Looks at config and image without a run, and passes on warnings. Raises as
        `print_config` does."""
        command = [str(self.path), *_arguments(config, settings), "--check"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        _stdout_of(Answer(done.returncode, done.stdout, done.stderr), command)
        _pass_on_warnings(done.stderr)

    def describe(self) -> dict[str, Any]:
        """The output of --describe: options, keys, files with columns, probe points, exit codes.
        Raises UserError if the binary has no option --describe."""
        return json.loads(_output_of([str(self.path), "--describe"]))

    def run_into(
        self,
        config: str | Path,
        settings: Mapping[str, Scalar],
        folder: Path,
        children: Children,
        pass_fds: tuple[int, ...] = (),
    ) -> Ended:
        """Runs once with --quiet and writes into `folder`. A failed run raises nothing: its exit
        code is in the result."""
        arguments = [*_arguments(config, settings), "--out", str(folder), "--quiet"]
        before = _identity_of(folder / SUMMARY)
        with self._server(arguments) as server:
            if server is None:
                ended = children.execute([str(self.path), *arguments], pass_fds)
            else:
                with children.watching(server.process):
                    answer = server.execute(arguments)
                message = answer.stderr.strip()[-MESSAGE_CHARACTERS:]
                ended = Ended(answer.exit_code, message)
        written = _identity_of(folder / SUMMARY) != before
        of_guest = ended.exit_code > 0 and written and _exit_status(folder) == ended.exit_code
        return replace(ended, of_guest=of_guest)

    def build_guests(self, resolved: Iterable[Mapping[str, Any]]) -> None:
        """Builds the guests of this tree that the runs need and that are not up to date.
        `resolved`: the complete config of each run. Raises UserError if a build fails."""
        build_guests(self.path, {_image_name(config) for config in resolved})

    def guest(self, config: str | Path, resolved: Mapping[str, Any]) -> "Guest | None":
        """The ROM or image that the run will load; None if the file does not exist.

        Searches for guest.image as the simulator does: in the working folder, in the config's
        folder, then in `guest` beside the binary; in each without and with `.elf` appended.
        `resolved`: the complete config, as `resolve` returns it.
        """
        if rom := str(resolved.get("guest.rom", "")):
            return Guest(rom, Path(rom)) if Path(rom).is_file() else None
        name = _image_name(resolved)
        if not name:
            return None
        for folder in (Path(), Path(config).parent, self.path.parent / "guest"):
            for full in (name, f"{name}.elf"):
                if (folder / full).is_file():
                    return Guest(full, folder / full)
        return None

    def stdin(self, resolved: Mapping[str, Any]) -> Path | None:
        """The file that the guest reads as its standard input; None if there is none. `resolved`:
        the complete config, whose path is valid from the working folder."""
        name = str(resolved.get("guest.stdin", ""))
        return Path(name) if name and Path(name).is_file() else None

    def files(self, resolved: Mapping[str, Any]) -> dict[str, Path]:
        """The files of guest.files, by the path that the guest sees; those in folders too.

        `resolved`: the complete config, whose paths are valid from the working folder.
        """
        found: dict[str, Path] = {}
        for word in shlex.split(str(resolved.get("guest.files", ""))):
            inside, _, host = word.partition("=")
            below = sorted(path for path in Path(host).rglob("*") if path.is_file())
            found |= {f"{inside}/{path.relative_to(host)}": path for path in below}
            if Path(host).is_file():
                found[inside] = Path(host)
        return found

    @contextlib.contextmanager
    def _server(self, arguments: list[str]) -> Iterator[Server | None]:
        """Context manager that gives an idle server for the command line, None if there is none. A
        binary that was replaced gets none: its servers still execute the old one."""
        server = None if self.replaced else self._servers.take(arguments)
        try:
            yield server
        finally:
            if server is not None:
                self._servers.give_back(server)


def _arguments(config: str | Path, settings: Mapping[str, Scalar]) -> list[str]:
    arguments = [str(config)]
    for key, value in settings.items():
        arguments += ["--set", f"{key}={format_value(value)}"]
    return arguments


def _image_name(resolved: Mapping[str, Any]) -> str:
    """guest.image with the values of guest.args put for their names in braces."""
    name = str(resolved.get("guest.image", ""))
    for key, value in resolved.items():
        if key.startswith("guest.args."):
            name = name.replace("{" + key.removeprefix("guest.args.") + "}", str(value))
    return name


def _output_of(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return _stdout_of(Answer(done.returncode, done.stdout, done.stderr), command)


def _stdout_of(answer: Answer, command: list[str]) -> str:
    if answer.exit_code == 0:
        return answer.stdout
    status = status_of(answer.exit_code)
    message = said(answer.stderr) or f"{command[0]} was asked for {command[-1]}: {status}"
    if answer.exit_code < 0:  # nobody's mistake in a config
        raise RunFailed(message, RunFailed.exit_code, status, None)
    raise UserError(message)


def _pass_on_warnings(stderr: str) -> None:
    for line in stderr.splitlines():
        if line.startswith(WARNING):
            warn(line.removeprefix(WARNING))


def said(stderr: str) -> str:
    """What the simulator said on stderr, without its name and the option by which the lab hands it
    a setting: a user of the lab has written neither."""
    return re.sub(r"^symsim: (--set: )?", "", stderr.strip(), flags=re.MULTILINE)


def summary_of(
    config: str | Path,
    overrides: Mapping[str, Scalar],
    folder: str | Path,
    simulator: str | Path | None = None,
) -> dict[str, Any]:
    """Runs one config into `folder` and returns its summary.json as a dict. Raises UserError if the
    simulator, the config, a setting or a file that it names is wrong, OutputError if a file cannot
    be written, and RunFailed if the run fails otherwise."""
    config, folder = places.find(config), Path(folder)
    binary = Simulator(simulator)
    binary.build_guests([binary.resolve(config, overrides)])
    ended = binary.run_into(config, overrides, folder, Children())
    summary = read_json(folder / SUMMARY)
    if ended.exit_code == 0:
        if summary is None:
            raise OutputError(f"{folder / SUMMARY}: is missing or cut off; run it again")
        _pass_on_warnings(ended.message)
        return summary
    message = said(ended.message) or f"{config}: {ended.status}, see {folder}"
    for kind in (UserError, OutputError):
        if ended.exit_code == kind.exit_code and not ended.of_guest:
            raise kind(message)
    raise RunFailed(message, ended.exit_code, ended.status, summary)


def config_of(folder: Path) -> dict[str, Any]:
    """The config of the run in `folder`: dotted key -> value; empty if it cannot be read."""
    try:
        return flatten(read_toml(folder / "config.toml"))
    except UserError:
        return {}


def _exit_status(folder: Path) -> int | None:
    return ((read_json(folder / SUMMARY) or {}).get("guest") or {}).get("exit_status")


def _identity_of(path: Path) -> tuple[int, ...] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
