// SPDX-License-Identifier: MIT
// The processes of processors that act at one time, in the order of the processors' numbers: the
// kernel may call them in any. Each says beforehand that it will act; those that are called before
// their turn wait for it within the delta.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class Turns {
  public:
    explicit Turns(std::size_t processors) : comes_(processors) {}

    // It will act at the present time, or say that it does not.
    void announce(ProcessorId processor) { announced_ |= std::uint64_t{1} << processor; }
    // Until all with lower numbers have finished.
    void take(ProcessorId processor) {
        announce(processor);
        while (first() != processor) sc_core::wait(comes_[processor]);
    }
    void finish(ProcessorId processor) {
        announced_ &= ~(std::uint64_t{1} << processor);
        if (announced_ != 0) comes_[first()].notify();
    }

  private:
    ProcessorId first() const { return static_cast<ProcessorId>(__builtin_ctzll(announced_)); }

    std::uint64_t announced_ = 0;
    std::vector<sc_core::sc_event> comes_;
};

}  // namespace symsim
