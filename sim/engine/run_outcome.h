// SPDX-License-Identifier: MIT
// How and when a run ends. Everything earlier than bound() is executed, and nothing at or after it.
#pragma once

#include <optional>

#include "sim/base/failure.h"
#include "sim/base/time.h"

namespace symsim {

class RunOutcome {
  public:
    enum class Reason { power_off, halted, guest_failure, deadlock, time_limit, interrupted };

    // The run ends at `limit` if nothing ends it before.
    void set_limit(Time limit) { bound_ = time_ = limit; }

    Time bound() const { return bound_; }
    Time time() const { return time_; }
    Reason reason() const { return reason_; }
    const GuestFailure& failure() const { return failure_; }
    std::uint32_t exit_status() const { return exit_status_; }

    // The guest switched the power off by a bus transaction at `at`. Processors act after the bus,
    // so they do nothing at `at` any more.
    void power_off(Time at, std::uint32_t status) {
        if (at >= bound_) return;
        decide(Reason::power_off, at, at);
        exit_status_ = status;
    }
    // All processors have halted, and the guest is a kind that ends in this way.
    void halt(Time at) {
        if (at < bound_) decide(Reason::halted, at, at);
    }
    // A processor failed. The others still execute what they do at that time. Of several processors
    // that fail at one time, the one with the lowest number is reported.
    void fail(const GuestFailure& failure) {
        const Time after = failure.time + 1;
        const bool tie = reason_ == Reason::guest_failure && decided_ && after == bound_ &&
                         failure.processor < failure_.processor;
        if (after >= bound_ && !tie) return;
        decide(Reason::guest_failure, failure.time, after);
        failure_ = failure;
    }
    void deadlock(Time at, const GuestFailure& how) {
        if (at >= bound_) return;
        decide(Reason::deadlock, at, at);
        failure_ = how;
    }
    void interrupt(Time at) {
        if (at < bound_) decide(Reason::interrupted, at, at);
    }

  private:
    void decide(Reason reason, Time time, Time bound) {
        decided_ = true;
        reason_ = reason;
        time_ = time;
        bound_ = bound;
    }

    bool decided_ = false;
    Reason reason_ = Reason::time_limit;
    Time bound_ = kNever;
    Time time_ = kNever;
    GuestFailure failure_;
    std::uint32_t exit_status_ = 0;
};

}  // namespace symsim
