// SPDX-License-Identifier: MIT
#include "sim/observe/trace_thread.h"

#include <csignal>
#include <utility>

namespace symsim {

TraceThread::~TraceThread() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

TraceChunk TraceThread::take(TraceChunk chunk) {
    if (sinks_.empty()) return chunk;
    if (!thread_.joinable()) start();
    TraceChunk used;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
    waiting_.push_back(std::move(chunk));
    if (!written_.empty()) {
        used = std::move(written_.back());
        written_.pop_back();
    }
    lock.unlock();
    changed_.notify_all();
    return used;
}

void TraceThread::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty() && !writing_; });
}

// Signals are for the run's thread.
void TraceThread::start() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { write(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void TraceThread::write() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
        if (stop_) return;
        TraceChunk chunk = std::move(waiting_.front());
        waiting_.pop_front();
        writing_ = true;
        lock.unlock();
        changed_.notify_all();
        for (ChunkSink* const sink : sinks_) {
            sink->take(chunk);
            if (sink->failed()) failed_ = true;
        }
        lock.lock();
        written_.push_back(std::move(chunk));
        writing_ = false;
        changed_.notify_all();
    }
}

}  // namespace symsim
