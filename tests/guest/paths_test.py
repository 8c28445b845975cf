#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An image contains no path of its source or build folder, so its hash is the same in every folder.

paths_test.py IMAGE.elf SOURCE_FOLDER BUILD_FOLDER
"""

import os
import pathlib
import sys

image = pathlib.Path(sys.argv[1]).read_bytes()
source, build = sys.argv[2:4]
told = [source, build, os.path.relpath(build, source) + "/"]
found = [path for path in told if path != "build/" and path.encode() in image]
if found:
    sys.exit(f"{sys.argv[1]} tells where it was built: {found}")
print("no path of the build in the image")
