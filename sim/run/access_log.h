// SPDX-License-Identifier: MIT
// Logs the accesses and probe points of all processors: the observer of a machine that runs
// schedules (schedule_batch.h). The processors must have schedules that keep counting, so that they
// execute nothing speculatively.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/core/processor.h"
#include "sim/cpu/state/hooks.h"
#include "sim/run/shared_accesses.h"

namespace symsim {

class AccessLog final : public DebugHook, public Observer {
  public:
    // `before` is called before each instruction while nothing is logged; when it returns true,
    // the log begins. Without a `region` it continues to the end of the run.
    AccessLog(std::optional<std::uint32_t> region, std::function<bool(ProcessorId)> before)
        : region_(region), before_(std::move(before)) {}

    // Makes the processors report their accesses.
    void attach(const std::vector<Processor*>& processors);
    bool begun() const { return begun_; }
    // The events of each processor, up to the end of its first region with the number `region`.
    std::vector<LoggedEvent> events() const;

    bool begins(ProcessorId processor) override;
    void accessed(ProcessorId processor, const OperandAccess& access) override;
    void failed(ProcessorId) override {}

    void passed(ProcessorId processor, const std::vector<Mark>& marks) override;
    void entered(ProcessorId, ProcessorState, Time) override {}
    void used(const BusUse& use) override;

  private:
    // What is known of a processor.
    struct Source {
        const Processor* processor = nullptr;
        std::deque<std::size_t> buffered;  // its stores that are not performed, in events_
        std::size_t last = 0;              // its last access, in events_; 0: none
        Time locked_store = 0;             // when its last one was granted
        Time end = kNever;                 // of its region
    };

    void exchanged(Source& source, LoggedEvent& store);

    std::optional<std::uint32_t> region_;
    std::function<bool(ProcessorId)> before_;
    bool begun_ = false;
    std::vector<LoggedEvent> events_{1};  // number 0 is none
    std::vector<Source> sources_;
};

}  // namespace symsim
