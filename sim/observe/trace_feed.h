// SPDX-License-Identifier: MIT
// Gathers what the observer is told into chunks for the traces, and finds their window. A window
// that looks back is known only when it is half over, so chunks wait as long as they may lie in it.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "sim/base/time.h"
#include "sim/events/observer.h"
#include "sim/observe/trace_chunk.h"
#include "sim/observe/window.h"

namespace symsim {

// Events kept for a window that looks back, of 24 to 48 bytes each. If there are more, it begins
// later than it was asked for.
constexpr std::size_t kMaxKeptEvents = std::size_t{1} << 22;

class TraceFeed {
  public:
    TraceFeed(unsigned processors, const WindowConfig& window,
              std::size_t max_kept = kMaxKeptEvents);
    // Before anything is told.
    void add(ChunkSink& sink);

    void passed(ProcessorId processor, const std::vector<Mark>& marks);
    void entered(ProcessorId processor, ProcessorState state, Time at);
    void waited(ProcessorId processor, const BusWait& wait);
    void used(const BusUse& use) { coming_.uses.push_back(use); }
    void messaged(const InterruptMessage& message) { coming_.messages.push_back(message); }
    void interrupted(ProcessorId processor, Time at, std::uint8_t vector, std::uint32_t message);
    // All that lies before `at` has been told.
    void reached(Time at);
    // The run ended.
    void close(Time end);

    // Known from the beginning, or else when the window has been found or the run has ended.
    const Window& window() const { return window_; }

  private:
    TraceChunk cut(Time at);
    void admit(TraceChunk chunk);
    void keep(TraceChunk chunk);
    void release_oldest();
    void open(const Window& window);
    void hand_on(const TraceChunk& chunk);
    Time earliest() const;
    Time trigger(const TraceChunk& chunk) const;

    WindowConfig config_;
    std::size_t max_kept_;
    std::vector<ChunkSink*> sinks_;
    TraceChunk coming_;
    TraceChunk spare_;  // handed on: its room is used again
    bool open_;         // the window is known
    Window window_{kNever, kNever};
    std::deque<TraceChunk> kept_;
    std::size_t kept_events_ = 0;
};

}  // namespace symsim
