// SPDX-License-Identifier: MIT
// The track of the bus, a slice for each use of it, and that of the interrupt controllers' own bus.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

class PerfettoBus {
  public:
    // `symbols`: what the image has where; disjoint, in order of address.
    PerfettoBus(PerfettoView& view, std::vector<NamedRange> symbols);

    // Uses come in order of time, so only the last can go on beyond a chunk.
    void used(const BusUse& use);
    void messaged(const InterruptMessage& message);
    // The use under way is shown up to `at`.
    void close(Time at);
    perfetto::Track track() const { return track_; }

  private:
    void show(const BusUse& use, Time to);
    // 0: the image has nothing there.
    perfetto::Name symbol(Address address) {
        if (address < found_.begin || address >= found_.end) find_symbol(address);
        return found_.name;
    }
    void find_symbol(Address address);

    PerfettoView& view_;
    std::vector<NamedRange> symbols_;
    std::vector<perfetto::Name> symbol_names_;  // of each range; 0: not used yet
    // What the last address is in, which that of the next is often, too: a symbol, or the room
    // between two.
    struct Found {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;  // begin: nothing has been looked for
        perfetto::Name name = 0;
    };
    Found found_;
    perfetto::Track track_;
    std::optional<perfetto::Track> messages_;
    std::array<std::array<perfetto::Name, 2>, kTransactionKinds> names_{};  // of request and reply
    std::optional<BusUse> last_;
};

}  // namespace symsim
