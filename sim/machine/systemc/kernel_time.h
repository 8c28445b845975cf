// SPDX-License-Identifier: MIT
// Conversion between symsim's time and SystemC's. Both count picoseconds, so only the type changes.
#pragma once

#include <systemc>

#include "sim/base/time.h"

namespace symsim {

inline sc_core::sc_time kernel_time(Time t) {
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t));
}
inline Time to_time(const sc_core::sc_time& t) {
    return static_cast<Time>(t.value());
}
inline Time kernel_now() {
    return to_time(sc_core::sc_time_stamp());
}

}  // namespace symsim
