#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a fuzzer for SYMSIM_FUZZ_SECONDS (default 60) with seed SYMSIM_FUZZ_SEED (default 1),
# starting from the committed corpus. If SYMSIM_FUZZ_CORPUS names a folder, inputs that the fuzzer
# finds interesting are kept there for the next run. Otherwise every run starts from the same
# inputs.
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

# The fuzzers may write and read files a thousand times a second: put these in memory.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then
    export TMPDIR=/dev/shm
fi

echo "SYMSIM_FUZZ_SEED=$seed SYMSIM_FUZZ_SECONDS=$seconds"
# -timeout: 10 seconds on one input are a hang, since the longest inputs take milliseconds.
# -entropic=0: the bookkeeping of libFuzzer's entropic schedule takes longer than the inputs.
if ! "$fuzzer" -max_total_time="$seconds" -seed="$seed" -timeout=10 -rss_limit_mb=2048 \
    -max_len=4096 -dict="$here/$name.dict" -artifact_prefix="$found/$name-" \
    -entropic=0 -print_final_stats=1 -verbosity=0 "$kept" "$here/corpus/$name"; then
    echo "the input is in $found; see it again with $fuzzer INPUT"
    exit 1
fi
