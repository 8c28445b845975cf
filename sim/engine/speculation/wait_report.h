// SPDX-License-Identifier: MIT
// Reports the waits of one processor to observers. Usually a whole wait is reported when it is over
// and committed. If it must be known before, because the processor is looked at in it, its parts
// are reported one by one.
#pragma once

#include <algorithm>
#include <utility>

#include "sim/base/observer.h"
#include "sim/base/types.h"

namespace symsim {

class WaitReport {
  public:
    WaitReport(ProcessorId processor, Observer& observer)
        : processor_(processor), observer_(observer) {}

    // A wait begins at `from`, or has begun there.
    void begin(Time from) { wait_.from = from; }
    // The transaction is being served from `at` on, or has been since an earlier time.
    void served(Time at) {
        if (reported_) return observer_.served(processor_, at);
        wait_.granted = std::min(wait_.granted, at);
    }
    // The wait ends at `at`, and this is committed.
    void end(Time at) {
        wait_.until = at;
        if (!reported_) {
            wait_.granted = std::min(wait_.granted, at);
            return commit();
        }
        observer_.resumed(processor_, at);
        reported_ = false;
        wait_ = {};
    }
    // A wait that is over, from which the processor has continued speculatively.
    void is_over(const BusWait& wait) { wait_ = wait; }
    bool over() const { return wait_.until != kNever; }
    const BusWait& wait() const { return wait_; }
    // The wait is over, and this is committed.
    void commit() {
        if (!over()) return;
        observer_.waited(processor_, wait_);
        wait_ = {};
    }
    // A rollback has undone the wait.
    void discard() { wait_ = {}; }
    // A rollback has undone what followed the wait: it is not over. Returns when it will be.
    Time reopen() { return std::exchange(wait_.until, kNever); }
    // Reports the wait under way: its beginning, and since when it is served.
    void report_open() {
        if (reported_) return;
        if (wait_.from < wait_.granted) observer_.waiting(processor_, wait_.from);
        if (wait_.granted < kNever)
            observer_.served(processor_, std::max(wait_.from, wait_.granted));
        reported_ = true;
    }

  private:
    ProcessorId processor_;
    Observer& observer_;
    // The wait under way. Or, until it is reported, the last wait after which the processor has
    // continued.
    BusWait wait_;
    // Observers know the beginning of wait_: what follows is reported to them at once.
    bool reported_ = false;
};

}  // namespace symsim
