// SPDX-License-Identifier: MIT
// An access of a processor: what it says to its cache controller, and what the controller answers.
//
// If the access has not been made, the processor asks again later, by the same call with the same
// arguments. So it can simply execute the instruction again.
#pragma once

#include <cstdint>

#include "sim/base/activity.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// The answer.
enum class Access : std::uint8_t {
    hit,       // made; it costs a cache hit
    made,      // made; it costs no more time
    retry,     // it can be decided only when commit time has reached it: ask again at that time
    waiting,   // for a transaction or for earlier stores: ask again when Waiter::wake() says so
    unmapped,  // neither memory nor a device is at this address
};

// When an access is made, and what the processor is doing then.
struct AccessTime {
    Time at;
    bool committed;  // commit time has reached `at`; false: the access is speculative
    Activity activity;
};

class Waiter {
  public:
    virtual ~Waiter() = default;
    // The processor may ask again at `at`: an edge of its clock, never earlier than commit time.
    virtual void wake(ProcessorId processor, Time at) = 0;
};

}  // namespace symsim
