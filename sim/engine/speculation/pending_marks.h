// SPDX-License-Identifier: MIT
// The marks (changes of activity, probe points) that a processor has passed, and that observers
// have not been notified of, since a rollback may still undo them.
#pragma once

#include <array>

#include "sim/base/observer.h"
#include "sim/cpu/core/processor.h"
#include "sim/engine/speculation/speculative_state.h"

namespace symsim {

class PendingMarks final : public SpeculativeState {
  public:
    PendingMarks(Processor& processor, Observer& observer)
        : processor_(processor), observer_(observer) {}

    void save(std::size_t number, Time) override {
        made_before_[number % kKept] = processor_.marks().size();
    }
    void restore(std::size_t number) override {
        processor_.marks().resize(made_before_[number % kKept]);
    }
    void commit() override {
        if (!processor_.marks().empty()) report();
    }
    ProcessorId processor() const { return processor_.id(); }
    bool none() const { return processor_.marks().empty(); }

  private:
    [[gnu::noinline]] void report() {
        observer_.passed(processor_.id(), processor_.marks());
        processor_.marks().clear();
    }

    Processor& processor_;
    Observer& observer_;
    std::array<std::size_t, kKept> made_before_{};
};

}  // namespace symsim
