// SPDX-License-Identifier: MIT
// Why Processor::run came back.
#pragma once

#include <cstdint>

namespace symsim {

enum class StopReason : std::uint8_t {
    retry,    // its next access needs the present to be at `next_time()`, or `limit` is reached
    waiting,  // for its cache controller, which will call when it may go on
    looping,  // found a loop that only another processor's store can end
    halted,   // until an interrupt comes
    failed,   // the guest did what no program may; see failure()
    raised,   // never seen outside: an exception is on its way to its handler
};

}  // namespace symsim
