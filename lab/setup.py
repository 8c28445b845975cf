# SPDX-License-Identifier: MIT
"""Adds what the lab needs of the tree to a wheel: guests, configs and the simulator.

    make wheel                                        for any Linux as new as Debian 12
    pip wheel --no-deps ./lab                         for this host: the tree's ./symsim, if built
    SYMSIM_BINARY=PATH pip wheel --no-deps ./lab      another simulator

The simulator comes with the image of the quickstart and the list of those that can be built
(symlab/guest/build.py). symlab/places.py says where all of them go. A wheel with a simulator is for
one platform, one without for any. In an editable installation nothing is copied: the lab uses the
tree itself.
"""

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_py import build_py

TREE = Path(__file__).resolve().parent.parent
IMAGE = "counter-read.elf"  # of configs/quickstart.toml
BINARY = Path(os.environ.get("SYMSIM_BINARY", TREE / "symsim"))


class Build(build):
    """Builds in a temporary folder: setuptools would pack what an older build left in its own."""

    def initialize_options(self):
        super().initialize_options()
        self.build_base = tempfile.mkdtemp(prefix="symlab-wheel-")
        atexit.register(shutil.rmtree, self.build_base, ignore_errors=True)


class BuildPy(build_py):
    """Copies the modules, and what is outside of the package into symlab/data."""

    def run(self):
        super().run()
        if not self.editable_mode:
            copy_data(Path(self.build_lib) / "symlab" / "data")


class BdistWheel(bdist_wheel):
    """A binary does not depend on the version of Python, only on the platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithBinary(Distribution):
    """setuptools and auditwheel ask a wheel for one platform to have such modules."""

    def has_ext_modules(self):
        return BINARY.is_file()


def copy_data(data):
    left_out = shutil.ignore_patterns("__pycache__", "results", "*.md", "*.j2")
    for folder in ("guest", "configs", "papers"):
        shutil.copytree(TREE / folder, data / folder, ignore=left_out)
    if not BINARY.is_file():
        print(f"warning: no simulator at {BINARY}: the wheel will have none")
        return
    built, folder = BINARY.resolve().parent, data / "bin"
    (folder / "guest").mkdir(parents=True)
    subprocess.run(["strip", "-o", folder / "symsim", BINARY], check=True)
    shutil.copy(built / "guest" / IMAGE, folder / "guest")
    rules = (built / "build.ninja").read_text(encoding="utf-8")
    guests = re.findall(r"^build guest/(\S+)\.elf", rules, re.MULTILINE)
    (folder / "guests.txt").write_text("\n".join(sorted(guests)) + "\n", encoding="utf-8")


setup(
    distclass=WithBinary,
    cmdclass={"build": Build, "build_py": BuildPy, "bdist_wheel": BdistWheel},
)
