// SPDX-License-Identifier: MIT
// The thread that writes the traces. To write a trace can take longer than to simulate what it
// shows (docs/dev/performance.md), so both are done at the same time, on two cores of the host.
//
// The run's thread passes on chunks with take(), which waits if too many are not yet written. All
// else is done by one thread at a time: the sinks belong to the thread that writes from the first
// take() on, and to the run's thread again after wait(). So what is in a file does not depend on
// how fast either thread is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/observe/trace_sink.h"

namespace symsim {

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

}  // namespace symsim
