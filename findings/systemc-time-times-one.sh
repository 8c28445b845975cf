#!/bin/sh
# SPDX-License-Identifier: MIT
# SystemC 2.3.4 (Debian 12): `t * 1.0` is not t, and neither is sc_time(t.value() as double, SC_PS),
# once t is above 2^53 ticks (9007 s at the default of 1 ps): both go through a double, though
# sc_time holds 64 bits. Adding and `from_value` are exact. A model that scales times, by a clock's
# ratio say, drifts by a tick after some two and a half simulated hours, without a warning.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libsystemc=2.3.4-2 libsystemc-dev=2.3.4-2
for package in *.deb; do dpkg -x "$package" .; done
cat > times.cpp <<'END'
#include <iostream>
#include <systemc>
int sc_main(int, char**) {
    using sc_core::sc_time;
    const sc_time t = sc_time::from_value((1ull << 53) + 1);
    std::cout << "ticks " << t.value() << " " << (t * 1.0).value() << " "
              << (t + sc_core::SC_ZERO_TIME).value() << "\n";
    return 0;
}
END
library=$(dirname "$(find . -name 'libsystemc*.so' | head -n 1)")
include=$(dirname "$(find . -path '*include/systemc' | head -n 1)")
g++ -std=c++17 -I"$include" times.cpp -L"$library" -lsystemc -o times
seen=$(LD_LIBRARY_PATH="$library" ./times | grep '^ticks')
echo "t, t * 1.0, t + 0: $seen"
test "$seen" = "ticks 9007199254740993 9007199254740992 9007199254740993"
