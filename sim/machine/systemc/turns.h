// SPDX-License-Identifier: MIT
// Orders the processor processes of the reference engine that act at the same time: by the numbers
// of their processors. The kernel may call them in any order. Each process first announces that it
// will act, in the delta cycle before; a process that is called too early waits within the delta
// cycle for its turn.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class Turns {
  public:
    explicit Turns(std::size_t processors) : turn_event_(processors) {}

    // The processor will act at the current time, or call finish() if it does not.
    void announce(ProcessorId processor) { announced_ |= std::uint64_t{1} << processor; }
    // Waits until all announced processors with lower numbers have finished.
    void take(ProcessorId processor) {
        announce(processor);
        while (first() != processor) sc_core::wait(turn_event_[processor]);
    }
    // The processor has acted, or does not act at this time. Wakes the next one.
    void finish(ProcessorId processor) {
        announced_ &= ~(std::uint64_t{1} << processor);
        if (announced_ != 0) turn_event_[first()].notify();
    }

  private:
    ProcessorId first() const { return static_cast<ProcessorId>(__builtin_ctzll(announced_)); }

    std::uint64_t announced_ = 0;
    std::vector<sc_core::sc_event> turn_event_;  // for each processor: its turn has come
};

}  // namespace symsim
