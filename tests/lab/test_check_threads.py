# SPDX-License-Identifier: MIT
"""`symlab check` of a program that knows nothing of symsim: one of POSIX threads."""

import re
import subprocess
from pathlib import Path

import pytest
from symlab.check.elf import Image
from test_check_real import check, summary
from transaction_run import BINARY

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")

BANK = """\
#include <pthread.h>
#include <stdio.h>
static int balance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* deposit(void* unused) {
    pthread_mutex_lock(&mutex);
    balance = balance + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, deposit, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\\n", balance);
    return balance == 2 ? 0 : 1;
}
"""
PART = '#include "probes.h"\n' + BANK.replace("{\n", "{\n    PROBE(PROBE_REGION_BEGIN, 1);\n", 1)


def accesses(said: str) -> int:
    found = re.search(r"the run without holds: ([\d,]+) accesses", said)
    assert found, said
    return int(found[1].replace(",", ""))


def test_a_program_without_a_marked_part_is_checked_from_its_start(tmp_path: Path) -> None:
    (tmp_path / "bank.c").write_text(BANK)
    done = check(tmp_path, "bank.c", "-k", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "it marks no part to check, so all of it is, with its start" in done.stdout
    assert summary(tmp_path)["complete"]
    (tmp_path / "bank.c").write_text(PART)
    part = check(tmp_path, "bank.c", "-k", "0")
    assert part.returncode == 0 and "marks no part" not in part.stdout
    assert accesses(part.stdout) < accesses(done.stdout) / 2
    image = Image(tmp_path / "out/guests/bank-local-readyq.elf")
    assert image.may_begin(1) and not image.may_begin(2)


def test_a_race_between_its_threads_is_found_and_replayed(tmp_path: Path) -> None:
    (tmp_path / "race.c").write_text(re.sub(r".*mutex_.*\n", "", BANK))
    done = check(tmp_path, "race.c", "-k", "1", "--no-stores")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "from balance" in done.stdout and "the program ended with status 1: 1" in done.stdout
    replay = [str(BINARY), "out/replay.toml", "--out", "r", "--quiet"]
    assert subprocess.run(replay, cwd=tmp_path).returncode == 1
    assert (tmp_path / "r/console.txt").read_text() == "1\n"
