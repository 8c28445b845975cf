# SPDX-License-Identifier: MIT
"""`symlab check`: searches the schedules of a program for one in which it fails.

    program -> prepare.py: image, config -> batch.py: symsim --schedules -> trace.py: one run
    search.py or random.py: which schedules -> driver.py: in parallel, in order, resumable
    rules.py: violations -> shrink.py: the shortest schedule -> answer.py: config, trace, sentences

A schedule is a list of entries (schedule.py): processor 1 does nothing for 80 us before its 12th
access. The simulator is deterministic, so a schedule names one run.
"""
