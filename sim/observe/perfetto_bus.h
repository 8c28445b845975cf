// SPDX-License-Identifier: MIT
// The track of the bus, a slice for each use of it, and that of the interrupt controllers' own bus.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

class PerfettoBus {
  public:
    // `symbol_at`: what the image has at an address, or nothing.
    PerfettoBus(PerfettoView& view, std::function<std::string(Address)> symbol_at);

    // Uses come in order of time, so only the last can go on beyond a chunk.
    void used(const BusUse& use);
    void messaged(const InterruptMessage& message);
    // The use under way is shown up to `at`.
    void close(Time at);
    perfetto::Track track() const { return track_; }

  private:
    void show(const BusUse& use, Time to);
    perfetto::Name symbol(Address address);

    PerfettoView& view_;
    std::function<std::string(Address)> symbol_at_;
    perfetto::Track track_;
    std::optional<perfetto::Track> messages_;
    std::array<std::array<perfetto::Name, 2>, kKinds> names_{};  // of request and reply
    std::optional<BusUse> last_;
    struct Known {
        Address address = 0;
        perfetto::Name name = 0;
    };
    std::array<Known, 1024> known_{};  // addresses come again and again
};

}  // namespace symsim
