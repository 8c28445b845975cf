// SPDX-License-Identifier: MIT
// Collects the observer's events into chunks for the traces, and finds the window that the traces
// show (observe.window). A thread of its own passes the chunks to the traces.
//
// A window around an event is known only when the event comes, which is in the middle of the
// window. A window of the last part of a run is known only at the end. TraceFeed keeps chunks as
// long as they may be within such a window.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/observe/observe_config.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// The thread that writes the traces. To write a trace can take longer than to simulate what it
// shows (docs/dev/performance.md), so both are done at the same time, on two cores of the host.
//
// The run's thread passes on chunks with take(), which waits if too many are not yet written. All
// else is done by one thread at a time: the sinks belong to the thread that writes from the first
// take() on, and to the run's thread again after wait(). So what is in a file does not depend on
// how fast either thread is.
class TraceThread {
  public:
    TraceThread() = default;
    ~TraceThread();  // what has not been written yet is not written any more
    TraceThread(const TraceThread&) = delete;
    TraceThread& operator=(const TraceThread&) = delete;

    // Before the first take(), or after wait().
    void add(ChunkSink& sink) { sinks_.push_back(&sink); }
    const std::vector<ChunkSink*>& sinks() const { return sinks_; }

    // Passes the chunk to every sink. Returns a chunk that they have had, whose memory can be used
    // again, or an empty one.
    TraceChunk take(TraceChunk chunk);
    // Waits until the sinks have all chunks.
    void wait();
    // Whether a sink has failed, as of the last chunk that was written.
    bool failed() const { return failed_; }

  private:
    void start();
    void write();

    // So that neither thread waits for the other just because their speeds vary. Each is of a
    // millisecond of simulated time, so they take little memory.
    static constexpr std::size_t kMostWaiting = 4;

    std::vector<ChunkSink*> sinks_;
    std::atomic<bool> failed_{false};
    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    std::deque<TraceChunk> waiting_;
    std::vector<TraceChunk> written_;
    bool writing_ = false;  // a chunk that is not in waiting_ any more
    bool stop_ = false;
    std::thread thread_;
};

// The most events kept for a window that looks back; an event takes 24 to 48 bytes. If there are
// more, the window begins later than requested.
constexpr std::size_t kMaxKeptEvents = std::size_t{1} << 22;

// The Recorder calls add() for each trace, then passes on its events, and calls close() once. The
// machine reports with reached() that all events before a time have been reported.
class TraceFeed {
  public:
    TraceFeed(unsigned processors, const WindowConfig& window,
              std::size_t max_kept = kMaxKeptEvents);
    // Call it before the first event.
    void add(ChunkSink& sink);

    void passed(ProcessorId processor, const std::vector<Mark>& marks);
    void entered(ProcessorId processor, ProcessorState state, Time at);
    void waited(ProcessorId processor, const BusWait& wait);
    void used(const BusUse& use) { coming_.uses.push_back(use); }
    void messaged(const InterruptMessage& message) { coming_.messages.push_back(message); }
    void interrupted(ProcessorId processor, Time at, std::uint8_t vector, std::uint32_t message);
    // All events before `at` have been reported. Makes a chunk of them.
    void reached(Time at);
    // The run ended at `end`. Then the traces have all events.
    void close(Time end);
    // Waits until the traces have all chunks that have been made.
    void wait() { thread_.wait(); }
    // Whether a trace cannot be written.
    bool failed() const { return thread_.failed(); }

    // A fixed window is known from the beginning. Another is known once its event has come or the
    // run has ended.
    const Window& window() const { return window_; }

  private:
    // Removes the events before `at` from coming_ and returns them as a chunk.
    TraceChunk cut(Time at);
    // Passes the chunk to the traces if the window is known; else keeps it and looks for the
    // window.
    void admit(TraceChunk chunk);
    void keep(TraceChunk chunk);
    // Passes the oldest kept chunk to the traces and forgets it.
    void release_oldest_chunk();
    // Makes the window known: calls begin() of the traces and passes all kept chunks to them.
    void open(const Window& window);
    void pass_on(TraceChunk chunk);
    Time trigger(const TraceChunk& chunk) const;

    WindowConfig config_;
    std::size_t max_kept_;
    TraceChunk coming_;  // events not in a chunk yet
    TraceChunk spare_;   // a chunk that was passed on, whose memory is reused
    bool open_;          // the window is known
    Window window_{kNever, kNever};
    std::deque<TraceChunk> kept_;  // the oldest first
    std::size_t kept_events_ = 0;
    TraceThread thread_;
};

}  // namespace symsim
