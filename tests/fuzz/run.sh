#!/bin/sh
# SPDX-License-Identifier: MIT
# Lets a fuzzer run for SYMSIM_FUZZ_SECONDS (60), from SYMSIM_FUZZ_SEED (1) and the committed
# corpus. With SYMSIM_FUZZ_CORPUS, a folder, what it finds worth keeping is kept there for the
# next time; otherwise every run starts alike.
#
#     run.sh NAME FUZZER
set -eu
name=$1
fuzzer=$2
here=$(cd "$(dirname "$0")" && pwd)
found=$(dirname "$fuzzer")/found
seconds=${SYMSIM_FUZZ_SECONDS:-60}
seed=${SYMSIM_FUZZ_SEED:-1}

if [ -n "${SYMSIM_FUZZ_CORPUS:-}" ]; then
    kept=$SYMSIM_FUZZ_CORPUS/$name
else
    kept=$(dirname "$fuzzer")/kept/$name
    rm -rf "$kept"
fi
mkdir -p "$kept" "$found"

# Files written and read a thousand times a second belong into memory.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm
fi

echo "SYMSIM_FUZZ_SEED=$seed SYMSIM_FUZZ_SECONDS=$seconds"
# A hang is 10 seconds on one input: the longest takes milliseconds. Keeping the books of its entropic
# schedule takes libFuzzer longer than the inputs take.
if ! "$fuzzer" -max_total_time="$seconds" -seed="$seed" -timeout=10 -rss_limit_mb=2048 \
    -max_len=4096 -dict="$here/$name.dict" -artifact_prefix="$found/$name-" \
    -entropic=0 -print_final_stats=1 -verbosity=0 "$kept" "$here/corpus/$name"; then
    echo "the input is in $found; see it again with $fuzzer INPUT"
    exit 1
fi
