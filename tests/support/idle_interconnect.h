// SPDX-License-Identifier: MIT
// An interconnect that does nothing by itself: a test derives what it needs.
#pragma once

#include "sim/interconnect/interconnect.h"
#include "tests/support/part_configs.h"

namespace symsim::test {

class IdleInterconnect : public Interconnect {
  public:
    IdleInterconnect(Memory& memory, CodePageWatch& code)
        : Interconnect(test_bus_config(), false, memory, code) {}

    void lock_in_cache(ProcessorId, Address, Time) override {}
    void release(ProcessorId, Address, bool, Time) override {}
    void advance(Time) override {}
    void close(Time) override {}

  private:
    void on_head_dropped(ProcessorId) override {}
    void on_write_back_posted(ProcessorId) override {}
};

}  // namespace symsim::test
