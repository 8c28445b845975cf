// SPDX-License-Identifier: MIT
// The reasons why Processor::run() returns.
#pragma once

#include <cstdint>

namespace symsim {

enum class StopReason : std::uint8_t {
    retry,    // ask again when commit time is at `next_time()`, or the limit is reached
    waiting,  // for the cache controller, which calls its Waiter
    looping,  // in a loop that only another processor's store can end
    halted,   // by hlt, until an interrupt comes
    failed,   // the guest did what no program may do; see failure()
    raised,   // never returned: an exception is to be delivered
};

}  // namespace symsim
