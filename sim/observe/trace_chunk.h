// SPDX-License-Identifier: MIT
// A stretch of a run as traces take it: all that happened in it, in an order that does not depend
// on the engine. Events of each processor stand by themselves and in order of time, uses of the bus
// and messages too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/observer.h"
#include "sim/observe/window.h"

namespace symsim {

// Of one processor. At one time marks stand before states: which of them is told first depends on
// the engine.
struct TraceEvent {
    enum class What : std::uint8_t { activity, probe, interrupt, state };
    Time time = 0;
    std::uint32_t value = 0;  // of a probe its operand, of an interrupt the message's number
    Address address = 0;      // of an activity or a probe where its instruction stands
    What what = What::state;
    std::uint8_t code = 0;  // the Activity, ProbeKind, vector or State
};

struct TraceChunk {
    Time from = 0;
    Time to = 0;
    std::vector<std::vector<TraceEvent>> processors;
    std::vector<BusUse> uses;
    std::vector<InterruptMessage> messages;

    std::size_t events() const {
        std::size_t sum = uses.size() + messages.size();
        for (const auto& events : processors) sum += events.size();
        return sum;
    }
};

// Takes every chunk of a run, in order of time.
class ChunkSink {
  public:
    virtual ~ChunkSink() = default;
    // The trace shows what lies in the window. Chunks from before the window tell it what goes on
    // when the window begins.
    virtual void begin(const Window& window) = 0;
    virtual void take(const TraceChunk& chunk) = 0;
};

}  // namespace symsim
