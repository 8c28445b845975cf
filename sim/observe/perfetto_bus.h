// SPDX-License-Identifier: MIT
// Two tracks of trace.pftrace: the System Bus with a slice for each use, and the bus between the
// interrupt controllers with a slice for each message. If the interconnect has several resources,
// the track of the bus has a track for each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/base/transaction_kind.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// PerfettoWriter calls used() and messaged() for each chunk, then close() once.
class PerfettoBus {
  public:
    // `table`: what the resources are; empty: they have numbers only. `symbols`: the symbols of the
    // image; disjoint, in order of address.
    PerfettoBus(PerfettoView& view, unsigned resources, const ResourceTable& table,
                std::vector<NamedRange> symbols);

    // Uses come in order of time. A use is written when the resource's next one comes or at
    // close(), since the end of the trace may cut it.
    void used(const BusUse& use);
    void messaged(const InterruptMessage& message);
    // Shows the uses under way up to `at`.
    void close(Time at);
    // By resource.
    const std::vector<perfetto::Track>& tracks() const { return tracks_; }

  private:
    void show(const BusUse& use, Time to);
    // The symbol at `address`; 0 if the image has none there.
    perfetto::Name symbol(Address address) {
        if (address < found_.begin || address >= found_.end) find_symbol(address);
        return found_.name;
    }
    void find_symbol(Address address);

    PerfettoView& view_;
    std::vector<NamedRange> symbols_;
    std::vector<perfetto::Name> symbol_names_;  // by range; 0: not interned yet
    // The range that contains the last address: a symbol, or the gap between two symbols. The next
    // address is often in the same range.
    struct Found {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;  // equal to `begin`: nothing has been looked up yet
        perfetto::Name name = 0;
    };
    Found found_;
    std::vector<perfetto::Track> tracks_;  // by resource
    std::optional<perfetto::Track> messages_;
    std::array<std::array<perfetto::Name, 2>, kTransactionKinds> names_{};  // for request and reply
    std::vector<std::optional<BusUse>> last_;                               // by resource
};

// Writes counters: each activity's share of the bus and the mean queue length, below the track of
// each resource, for the intervals that overlap the window. These are the numbers of bus.csv, means
// over its intervals. No interval is complete before the run ends, so they are written then. Stops
// before the file exceeds `max_bytes`. Returns the end of the last interval written.
Time write_bus_counters(PerfettoView& view, const std::vector<perfetto::Track>& resources,
                        const std::vector<BusInterval>& intervals, Time interval, Time end,
                        std::size_t max_bytes);

}  // namespace symsim
