// SPDX-License-Identifier: MIT
// The interface of an engine, which drives processors, caches and bus through simulated time. There
// are two: FastDriver with FastEngine, and ReferenceEngine. sim/machine calls them. And how and
// when a run ends.
#pragma once

#include <functional>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/cpu/state/core_state.h"
#include "sim/devices/device.h"
#include "sim/interconnect/interconnect.h"

namespace symsim {

// The parts of the model, as both engines drive them: plain C++ objects that know nothing of the
// SystemC kernel. The machine owns them.
struct Parts {
    Interconnect* interconnect = nullptr;
    std::vector<CacheController*> caches;
    std::vector<Processor*> processors;
    DeviceSignals* signals = nullptr;
};

// Why a processor has stopped, and when it continues: for an engine that takes over from another.
struct WakeState {
    StopReason stop_reason = StopReason::retry;
    Time next = 0;  // when it has something to do; kNever: when it is woken
};

// For a processor that never runs ahead of the bus: reports its waits to an observer at once. The
// cache does not see this class: the compiler would guess that it is called (0.2 % more host
// instructions in the scenario writes).
class InOrderWaiter : public Waiter {
  public:
    InOrderWaiter(ProcessorId id, Observer& observer) : id_(id), observer_(observer) {}
    void waiting(Time at) override { observer_.waiting(id_, at); }
    void served(Time at) override { observer_.served(id_, at); }
    void waits_at(Time) override {}
    void port_granted(Time at, Time free) override {
        served(at);
        wake(free);
    }
    void about_to_change(Address, const Line*, Time) override {}
    void roll_back(Time) override {}
    bool executes_code(Address) const override { return false; }

  private:
    ProcessorId id_;
    Observer& observer_;
};

class Engine {
  public:
    virtual ~Engine() = default;
    // Rolls processors back or commits them, so that all stand exactly at `at`. Bus and devices
    // have been simulated up to `at`.
    virtual void synchronise(Time at) = 0;
    // Whether every processor is halted, loops forever or waits forever at `at`, when nothing is on
    // the bus.
    virtual bool deadlocked(Time at) = 0;
    // A device has just been accessed, and may now have an event pending in the SystemC kernel.
    virtual void device_accessed() = 0;

    // Requests a callback, before the simulation starts. `callback` is called with `at` when
    // processors have executed everything before `at` and nothing later. It returns when to call it
    // next. In the fast engine bus and devices have not acted at `at` either; in the reference
    // engine they may have.
    virtual void call_back_at(Time at, std::function<Time(Time)> callback) = 0;
};

// Everything earlier than bound() is executed, and nothing at or after it.
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
