#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing on Debian 12, and does nothing, quickly, if nothing is:
#
#     scripts/install.sh run     packages that the simulator, its guests and the lab need
#     scripts/install.sh build-tests  the same, and what building the tests needs
#     scripts/install.sh test    all that, and what running the tests needs
#     scripts/install.sh fuzz    the same as for run, and clang for the fuzzers
#     scripts/install.sh lint    the same as for run, and clang-format and clang-tidy
#     scripts/install.sh python-run, python-extras, python-test, python-site, python-wheel,
#         python-lint         the Python packages that running, all figures and clusters, testing,
#                             the site of docs/, a wheel and the checks of the Python code need,
#                             into .venv
#
# Debian's packages come by apt-get, as root or through sudo without a password.
set -eu
cd "$(dirname "$0")/.."

run_packages="g++ cmake ninja-build binutils libsystemc-dev libzydis-dev libtomlplusplus-dev
libfmt-dev libelf-dev libdw-dev libboost-program-options-dev libboost-dev libzstd-dev
libssl-dev nlohmann-json3-dev libprotozero-dev python3 python3-venv"
build_tests_packages="pkg-config libgtest-dev libbenchmark-dev libunicorn-dev"
# The 32-bit C library that whole programs are compared with.
case $(dpkg --print-architecture) in
    amd64) build_tests_packages="$build_tests_packages gcc-multilib" ;;
esac
test_packages="gdb chromium gtkwave"

install_packages() {
    missing=""
    for package in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
        case "$state" in ii*) ;; *) missing="$missing $package" ;; esac
    done
    [ -n "$missing" ] || return 0
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
}

# Installs the packages of a file of pins, unless it has been done since the file changed. The stamp
# in .venv is a copy of the file.
install_pins() {
    pins=lab/$1
    stamp=.venv/symsim-$1
    if cmp -s "$pins" "$stamp" 2>/dev/null; then return 0; fi
    echo "symsim: installing the Python packages of $pins into .venv"
    .venv/bin/pip install --quiet --disable-pip-version-check -r "$pins"
    cp "$pins" "$stamp"
}

install_python() {
    # Other pins mean a new environment: packages of the old one must not stay.
    if ! cmp -s lab/requirements.txt .venv/symsim-requirements.txt 2>/dev/null; then
        rm -rf .venv
        python3 -m venv .venv
        install_pins requirements.txt
    fi
    # Its packages and entry points are listed when it is installed.
    if ! cmp -s lab/pyproject.toml .venv/symsim-pyproject.toml 2>/dev/null; then
        .venv/bin/pip install --quiet --disable-pip-version-check --no-deps \
            --no-build-isolation -e lab
        cp lab/pyproject.toml .venv/symsim-pyproject.toml
    fi
    for pins in "$@"; do install_pins "$pins"; done
}

case "${1:-}" in
    run) install_packages $run_packages ;;
    build-tests) install_packages $run_packages $build_tests_packages ;;
    test) install_packages $run_packages $build_tests_packages $test_packages ;;
    fuzz) install_packages $run_packages clang libclang-rt-dev llvm ;;
    lint) install_packages $run_packages clang-format clang-tidy ;;
    python-run) install_python ;;
    python-extras) install_python requirements-extras.txt ;;
    python-test)
        install_python requirements-extras.txt requirements-test.txt requirements-site.txt \
            requirements-wheel.txt
        ;;
    python-wheel) install_python requirements-wheel.txt ;;
    python-site) install_python requirements-site.txt ;;
    python-lint)
        install_python requirements-extras.txt requirements-test.txt requirements-site.txt \
            requirements-lint.txt
        ;;
    *)
        sed -n '3,14s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
