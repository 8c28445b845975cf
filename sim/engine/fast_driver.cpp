// SPDX-License-Identifier: MIT
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "sim/engine/fast_driver.h"

#include <algorithm>

#include "sim/engine/kernel_time.h"

namespace symsim {

namespace {
Time next_kernel_activity() {
    return kernel_now() + to_time(sc_core::sc_time_to_pending_activity());
}
}  // namespace

FastDriver::FastDriver(const sc_core::sc_module_name& name, Ending& ending)
    : sc_module(name), ending_(ending), engine_(ending) {
    sc_core::sc_spawn([this] { process(); }, "process");
}

void FastDriver::process() {
    for (;;) {
        // Others that are due now go first.
        while (next_kernel_activity() <= kernel_now()) sc_core::wait(sc_core::SC_ZERO_TIME);
        engine_.run_until(next_kernel_activity());
        if (engine_.horizon() >= ending_.bound()) {
            sc_core::sc_stop();
            return;
        }
        sc_core::wait(kernel_time(engine_.horizon() - kernel_now()));
    }
}

void FastDriver::device_accessed() {
    engine_.shorten_horizon(next_kernel_activity());
}

}  // namespace symsim
