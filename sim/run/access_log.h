// SPDX-License-Identifier: MIT
// Logs the accesses and probe points of all processors: the observer of a machine that runs
// schedules (schedule_batch.h). The processors must have schedules that keep counting, so that they
// execute nothing speculatively. And selects the events that matter to a search for bugs.
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

namespace symsim {

// An event of a run under a schedule: an access to memory, or a probe point.
struct LoggedEvent {
    enum Kind : std::uint32_t {
        load,
        store,
        locked_load,
        locked_store,
        probe = 256,  // plus the number of its ProbeKind
    };
    static constexpr Time kNotDone = -1;

    Time at = 0;  // when the access was made; of a store: issued
    ProcessorId processor = 0;
    std::uint32_t kind = load;
    Address address = 0;  // 0: a probe point
    unsigned size = 0;
    std::uint32_t value = 0;   // read or written; of a probe point: its operand
    std::uint64_t access = 0;  // its number; of a probe point: that of the last access
    Time done = 0;             // when memory and the other processors see a store
    Offset eip = 0;
    bool silent = false;  // load or store of an exchange that writes what it has read

    bool is_probe() const { return kind >= probe; }
    bool writes() const { return kind == store || kind == locked_store; }
    // When it has its effect on the order of accesses.
    Time effect() const { return writes() ? (done == kNotDone ? kNever : done) : at; }
};

// Keeps probe points, and accesses to lines of `line_bytes` that several processors have accessed,
// one of them with a store. Leaves out what repeats in a spin loop: a load, or an exchange that
// writes what it has read, of the same instruction, address and value as the processor's previous
// one there, if nobody has changed the bytes in between and the processor itself has neither stored
// nor passed a probe point. Returns the events by time; at one time probe points come first.
std::vector<LoggedEvent> shared_accesses(std::vector<LoggedEvent> events, unsigned line_bytes);

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
