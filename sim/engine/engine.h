// SPDX-License-Identifier: MIT
// What the machine asks of an engine, whichever it is.
#pragma once

#include <functional>
#include <vector>

#include "sim/base/time.h"
#include "sim/cpu/core/stop_reason.h"

namespace symsim {

// Where a processor stands between two times that nothing is ahead of.
struct WakeState {
    StopReason stop_reason = StopReason::retry;
    Time next = 0;  // when it has something to do; kNever: when it is told so

    template <class Archive>
    void serialize(Archive& archive) {
        archive(stop_reason, next);
    }
};

class Engine {
  public:
    virtual ~Engine() = default;
    // Takes processors that ran ahead back to `at`, up to where everything has been executed.
    virtual void synchronise(Time at) = 0;
    // Whether at `at`, with nothing on the bus, every processor is halted or loops for ever.
    virtual bool deadlocked(Time at) = 0;
    // A device access has just been made, and the device may have something pending.
    virtual void device_accessed() = 0;

    // Before the simulation starts: once processors have executed everything before `at` and
    // nothing else, `told` is called, with that time, and says when it wants to be called next. The
    // bus and the SLIC stand there too in the fast engine; in the reference engine they may have
    // acted at `at`.
    virtual void call_back_at(Time at, std::function<Time(Time)> told) = 0;
    // Then: how the processors stand, by number. And before the simulation starts, that it goes on
    // from there.
    virtual std::vector<WakeState> wake_states() const = 0;
    virtual void resume_from(Time at, const std::vector<WakeState>& wake_states) = 0;
};

}  // namespace symsim
