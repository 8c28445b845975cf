# SPDX-License-Identifier: MIT
"""Names that several figures use: the strategies of ALL, and the guest's programs.

The paper's local-ready-queue strategy puts a new thread into a random queue.
"""

SINGLE, MULTIPLE, FREELIST = "single-lock", "multiple-locks", "local-freelist"
IDLE, LOCAL = "idle-queue", "local-readyq-random"
STRATEGIES = (SINGLE, MULTIPLE, FREELIST, IDLE, LOCAL)
CENTRAL = (SINGLE, MULTIPLE, FREELIST, IDLE)  # one ready queue for all
NULL, WORK = "null_threads", "work_threads"  # programs
