#!/bin/sh
# SPDX-License-Identifier: MIT
# SystemC 2.3.4 (Debian 12): a traced sc_time counts ticks of the kernel's resolution, whatever the
# file's time unit is. A reader of the VCD file takes the file's $timescale for the unit of a
# variable of type `time` and is wrong by a factor of 1000 here: 3 ns appear as 3000 under
# `$timescale 1 ns`. Nothing in the file says so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libsystemc=2.3.4-2 libsystemc-dev=2.3.4-2
for package in *.deb; do dpkg -x "$package" .; done
cat > traced.cpp <<'END'
#include <systemc>
struct Top : sc_core::sc_module {
    sc_core::sc_time wait_time;
    explicit Top(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(run); }
    SC_HAS_PROCESS(Top);
    void run() {
        wait(5, sc_core::SC_NS);
        wait_time = sc_core::sc_time(3, sc_core::SC_NS);
        wait(5, sc_core::SC_NS);
    }
};
int sc_main(int, char**) {
    Top top("top");
    auto* file = sc_core::sc_create_vcd_trace_file("traced");
    file->set_time_unit(1, sc_core::SC_NS);
    sc_trace(file, top.wait_time, "wait_time");
    sc_core::sc_start(20, sc_core::SC_NS);
    sc_core::sc_close_vcd_trace_file(file);
    return 0;
}
END
library=$(dirname "$(find . -name 'libsystemc*.so' | head -n 1)")
include=$(dirname "$(find . -path '*include/systemc' | head -n 1)")
g++ -std=c++17 -I"$include" traced.cpp -L"$library" -lsystemc -o traced
LD_LIBRARY_PATH="$library" ./traced >/dev/null 2>&1
grep -A 1 timescale traced.vcd
grep 'time   64' traced.vcd
value=$(sed -n 's/^b\([01]*\) a*$/\1/p' traced.vcd | tail -n 1)
echo "3 ns appear as: $value (binary)"
grep -q '1 ns' traced.vcd
test "$value" = 101110111000 # 3000
