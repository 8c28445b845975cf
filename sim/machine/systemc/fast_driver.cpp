// SPDX-License-Identifier: MIT
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "sim/machine/systemc/fast_driver.h"

#include <algorithm>
#include <utility>

#include "sim/machine/systemc/kernel_time.h"

namespace symsim {

namespace {
Time next_kernel_activity() {
    return kernel_now() + to_time(sc_core::sc_time_to_pending_activity());
}
}  // namespace

FastDriver::FastDriver(const sc_core::sc_module_name& name, RunOutcome& outcome)
    : sc_module(name), outcome_(outcome), engine_(outcome) {
    // Besides what the processors need, the process has as much as SystemC gives to any.
    sc_core::sc_spawn_options options;
    options.set_stack_size(static_cast<int>(Processor::kMostStackBytes) +
                           sc_core::SC_DEFAULT_STACK_SIZE);
    sc_core::sc_spawn([this] { process(); }, "process", &options);
}

void FastDriver::process() {
    for (;;) {
        // Other processes that are due now run first.
        while (next_kernel_activity() <= kernel_now()) sc_core::wait(sc_core::SC_ZERO_TIME);
        if (kernel_now() >= call_at_) call();
        if (kernel_now() >= hand_over_at_) {
            engine_.synchronise(kernel_now());
            return successor_(engine_.wake_states());
        }
        engine_.run_until(std::min({next_kernel_activity(), call_at_, hand_over_at_}));
        if (engine_.horizon() >= outcome_.bound()) {
            sc_core::sc_stop();
            return;
        }
        sc_core::wait(kernel_time(engine_.horizon() - kernel_now()));
    }
}

void FastDriver::call() {
    engine_.synchronise(kernel_now());
    call_at_ = callback_(kernel_now());
}

void FastDriver::call_back_at(Time at, std::function<Time(Time)> callback) {
    call_at_ = at;
    callback_ = std::move(callback);
}

void FastDriver::hand_over_at(Time at, Successor successor) {
    hand_over_at_ = at;
    successor_ = std::move(successor);
}

void FastDriver::device_accessed() {
    engine_.shorten_horizon(next_kernel_activity());
}

}  // namespace symsim
