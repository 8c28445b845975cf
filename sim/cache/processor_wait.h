// SPDX-License-Identifier: MIT
// The wait of one processor for its cache controller: what it waits for, and the reports of
// when it waits, when it is served, and when it may ask again.
#pragma once

#include <cstdint>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/access.h"
#include "sim/cache/hooks.h"

namespace symsim {

enum class Awaiting : std::uint8_t {
    nothing,
    fill,        // the reply to its read
    slot,        // a free place in the write buffer
    drained,     // an empty write buffer
    completion,  // all its stores complete
    line,        // a line that is arriving
};

class ProcessorWait {
  public:
    ProcessorWait(ProcessorId id, Clock clock, Observer& observer, Waiter& waiter)
        : id_(id), clock_(clock), observer_(observer), waiter_(waiter) {}

    Awaiting what() const { return what_; }
    void begin(Awaiting what) { what_ = what; }
    // The processor does not wait any more, for a reason other than wake().
    void end() { what_ = Awaiting::nothing; }

    // A wait begins at `at`, which is commit time.
    void report_waiting(Time at) {
        if (!hook_) observer_.waiting(id_, at);
    }
    // What the processor waits for continues at `at`, so the beginning of the wait is committed.
    void commit_beginning(Time at) {
        if (hook_) hook_->waits_at(at);
    }
    void report_served(Time at) {
        if (hook_) return hook_->served(at);
        observer_.served(id_, at);
    }
    // The processor may ask again at the first edge of its clock from `at` on. Returns the edge.
    Time wake(Time at) {
        const Time edge = edge_from(at);
        what_ = Awaiting::nothing;
        waiter_.wake(id_, edge);
        return edge;
    }
    Time edge_from(Time at) const { return clock_.edge_at_or_after(at); }

    // With a hook, the hook reports waits to observers.
    void set_hook(SnoopHook* hook) { hook_ = hook; }
    SnoopHook* hook() const { return hook_; }

  private:
    Awaiting what_ = Awaiting::nothing;
    ProcessorId id_;
    SnoopHook* hook_ = nullptr;
    Clock clock_;
    Observer& observer_;
    Waiter& waiter_;
};

}  // namespace symsim
