# SPDX-License-Identifier: MIT
"""Takes settings of the host's terminal out of the environment, before typer and rich read them.

With them a pipe counts as a terminal, or lines are cut at another width. A shell starts what it
runs in the background with Ctrl-C ignored, and programs inherit that: here they do not.
"""

import os
import signal

OF_TERMINALS = (
    "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "FORCE_COLOR", "GITHUB_ACTIONS", "LINES", "NO_COLOR",
    "PY_COLORS", "TERMINAL_WIDTH", "TTY_COMPATIBLE", "TTY_INTERACTIVE",
)  # fmt: skip

for name in OF_TERMINALS:
    os.environ.pop(name, None)

signal.signal(signal.SIGINT, signal.default_int_handler)
