// SPDX-License-Identifier: MIT
// An interconnect that does nothing by itself: a test derives what it needs.
#pragma once

#include <vector>

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
    Time free_at() const override { return 0; }
    void close(Time) override {}
    void save_state(cereal::PortableBinaryOutputArchive&) override {}
    void load_state(LoadArchive&) override {}
    void check_loaded(Time) const override {}
    std::vector<Request> awaited_replies(ProcessorId) const override { return {}; }

  private:
    void on_head_dropped(ProcessorId) override {}
    void on_write_back_posted(ProcessorId) override {}
};

}  // namespace symsim::test
