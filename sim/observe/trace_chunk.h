// SPDX-License-Identifier: MIT
// TraceChunk: all events of a stretch of simulated time, in the form that traces get them. Their
// order does not depend on the engine. Each processor has a list of its own. Every list of events,
// bus uses or messages is in order of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/window.h"

namespace symsim {

// An event of one processor. Of events with the same time, states come last, since the order in
// which states and other events are reported depends on the engine.
struct TraceEvent {
    enum class What : std::uint8_t { activity, probe, interrupt, state };
    Time time = 0;
    std::uint32_t value = 0;  // a probe's operand, or the number of an interrupt's message
    Address address = 0;      // of the instruction that passed an activity or probe mark
    What what = What::state;
    std::uint8_t code = 0;   // the Activity, ProbeKind, vector or ProcessorState
    bool in_kernel = false;  // a probe point in kernel code
};

inline bool is_mark(const TraceEvent& event) {
    return event.what == TraceEvent::What::activity || event.what == TraceEvent::What::probe;
}
// The mark that the event was made of. The activity of a probe point is kernel, or user for any
// other.
inline Mark mark_of(const TraceEvent& event) {
    Mark mark;
    mark.time = event.time;
    mark.value = event.value;
    if (event.what == TraceEvent::What::activity) {
        mark.activity = static_cast<Activity>(event.code);
    } else {
        mark.what = Mark::What::probe;
        mark.probe = static_cast<ProbeKind>(event.code);
        mark.activity = event.in_kernel ? Activity::kernel : Activity::user;
    }
    return mark;
}

// The events from `from` on, before `to`.
struct TraceChunk {
    Time from = 0;
    Time to = 0;
    std::vector<std::vector<TraceEvent>> processors;  // by processor
    std::vector<BusUse> uses;
    std::vector<InterruptMessage> messages;

    std::size_t events() const {
        std::size_t sum = uses.size() + messages.size();
        for (const auto& events : processors) sum += events.size();
        return sum;
    }
};

// A trace. TraceFeed calls begin() once, when the window is known, and take() for every chunk of
// the run, in order. The trace shows what is within the window. It also gets the chunks before the
// window, since it must know the states and activities at the beginning of the window.
class ChunkSink {
  public:
    virtual ~ChunkSink() = default;
    // The trace shows what lies in the window. Chunks from before the window tell it what continues
    // when the window begins.
    virtual void begin(const Window& window) = 0;
    virtual void take(const TraceChunk& chunk) = 0;
    // Whether something could not be written.
    virtual bool failed() const = 0;
};

}  // namespace symsim
