// SPDX-License-Identifier: MIT
// An ideal crossbar: every processor has a path of its own to memory, and no processor waits for
// another's use. What is left are the latencies of the bus, coherence and locks: a transaction does
// all that it does on the bus (snooping_interconnect.h). So the difference between a run on the bus
// and one on the crossbar is what waiting for the bus and for memory costs.
//
// Each path is used like the bus of a machine with one processor whose memory is never busy: one
// request or reply at a time, each from an edge of the clock, replies before requests. At one edge
// all free paths are used. Requests for a line that is locked or in transit wait as on the bus.
#pragma once

#include <array>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/snooping_interconnect.h"

namespace symsim {

class Crossbar final : public SnoopingInterconnect {
  public:
    // The memory controllers of the config must never be busy.
    Crossbar(const InterconnectConfig& config, Memory& memory, CodePageWatch& code,
             DeviceSpace& devices, Observer& observer);

    void lock_in_cache(ProcessorId port, Address line, Time) override {
        begin_lock(port, line, false);
    }
    void release(ProcessorId port, Address line, bool on_bus, Time at) override;
    // On each free path puts a reply, or grants the port's oldest request, if possible.
    void advance(Time at) override;
    void close(Time) override {}

  private:
    void on_head_dropped(ProcessorId port) override { note_head(port); }

    void reply(std::size_t place, Time at);
    bool grant(ProcessorId port, Time at);
    void use(BusUse use);
    // The next edge at which a path may be used, not before the edge `soonest`; or kNever.
    Time find_next_edge(Time soonest) const;

    Observer& observer_;
    std::array<Time, kMaxProcessors> free_from_{};  // when the current use of each path ends
    ProcessorId turn_ = 0;  // at one edge ports are granted in rotation, from this one on
};

}  // namespace symsim
