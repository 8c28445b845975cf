#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the missing packages that building and testing symsim on Debian 12 need: Debian packages
# by apt-get (as root or through sudo), Python packages into .venv. If nothing is missing, it ends
# quickly without a change.
set -eu
cd "$(dirname "$0")/.."

packages="g++ clang libclang-rt-dev llvm cmake ninja-build binutils pkg-config libsystemc-dev
libzydis-dev libtomlplusplus-dev libfmt-dev libgtest-dev libbenchmark-dev libelf-dev libdw-dev
libboost-program-options-dev libboost-dev libcereal-dev libzstd-dev gdb libssl-dev
nlohmann-json3-dev libunicorn-dev groff-base python3 python3-venv chromium
libprotozero-dev gtkwave"
# The 32-bit C library, with which tests/guest/programs compares whole programs.
case $(dpkg --print-architecture) in
    amd64) packages="$packages gcc-multilib" ;;
esac

missing=""
for package in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case "$state" in ii*) ;; *) missing="$missing $package" ;; esac
done

if [ -n "$missing" ]; then
    install="apt-get install -y --no-install-recommends$missing"
    echo "symsim: installing$missing"
    if [ "$(id -u)" -eq 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo"
    else
        echo "symsim: these Debian packages are missing, and this is not root. Run:" >&2
        echo "    sudo apt-get update && sudo $install" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq
    $as_root $install -qq >/dev/null
fi

# If the pinned versions have changed, the environment is made again.
stamp=.venv/symsim-requirements
if ! cmp -s lab/requirements.txt "$stamp" 2>/dev/null; then
    echo "symsim: making .venv with the Python packages of lab/requirements.txt"
    rm -rf .venv
    python3 -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check -r lab/requirements.txt
    .venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
        -e lab
    cp lab/requirements.txt "$stamp"
fi
