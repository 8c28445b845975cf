# SPDX-License-Identifier: MIT
"""Adds what the lab needs of the tree to a wheel: guests, configs and the simulator.

    pip wheel --no-deps ./lab                         the tree's ./symsim, if it is built
    SYMSIM_BINARY=PATH pip wheel --no-deps ./lab      another simulator

The simulator comes with the guest images that are built beside it. symlab/places.py says where all
of them go. A wheel with a simulator is for one platform, one without for any. In an editable
installation nothing is copied: the lab uses the tree itself.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_py import build_py

TREE = Path(__file__).resolve().parent.parent
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

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not BINARY.is_file()

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


def copy_data(data):
    left_out = shutil.ignore_patterns("__pycache__", "results", "*.md", "*.j2")
    for folder in ("guest", "configs", "papers"):
        shutil.copytree(TREE / folder, data / folder, ignore=left_out)
    if not BINARY.is_file():
        print(f"warning: no simulator at {BINARY}: the wheel will have none")
        return
    images = data / "bin" / "guest"
    images.mkdir(parents=True)
    shutil.copy(BINARY, data / "bin" / "symsim")
    for image in (BINARY.resolve().parent / "guest").glob("*.elf"):
        shutil.copy(image, images)


setup(cmdclass={"build": Build, "build_py": BuildPy, "bdist_wheel": BdistWheel})
