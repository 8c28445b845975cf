// SPDX-License-Identifier: MIT
// The interface of an engine, which drives processors, caches and bus through simulated time. There
// are two: FastDriver with FastEngine, and ReferenceEngine. sim/machine calls them.
#pragma once

#include <functional>
#include <vector>

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

}  // namespace symsim
