// SPDX-License-Identifier: MIT
// Orders the processor processes of the reference engine that act at the same time: by the numbers
// of their processors. The kernel may call them in any order. Each process first announces that it
// will act, in the delta cycle before; a process that is called too early waits within the delta
// cycle for its turn.
#pragma once

#include <systemc>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/types.h"

namespace symsim {

class Turns {
  public:
    explicit Turns(std::size_t processors) : turn_event_(processors) {}

    // The processor will act at the current time, or call finish() if it does not.
    void announce(ProcessorId processor) { announced_.add(processor); }
    // Waits until all announced processors with lower numbers have finished.
    void take(ProcessorId processor) {
        announce(processor);
        while (announced_.lowest() != processor) sc_core::wait(turn_event_[processor]);
    }
    // The processor has acted, or does not act at this time. Wakes the next one.
    void finish(ProcessorId processor) {
        announced_.remove(processor);
        if (!announced_.empty()) turn_event_[announced_.lowest()].notify();
    }

  private:
    ProcessorSet announced_;
    std::vector<sc_core::sc_event> turn_event_;  // for each processor: its turn has come
};

}  // namespace symsim
