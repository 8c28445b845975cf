// SPDX-License-Identifier: MIT
#include "sim/observe/trace_feed.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "sim/base/failure.h"

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

namespace {

// The order of a processor's events in a chunk: by time, states after other events.
bool earlier(const TraceEvent& a, const TraceEvent& b) {
    const bool a_state = a.what == TraceEvent::What::state;
    const bool b_state = b.what == TraceEvent::What::state;
    return a.time != b.time ? a.time < b.time : a_state < b_state;
}

// Moves the items before `at` to `front`, whose old items are dropped. The others stay in `items`.
// Neither vector gives up its memory.
template <class Item, class TimeOf>
void take_before(std::vector<Item>& items, Time at, TimeOf time_of, std::vector<Item>& front) {
    front.swap(items);
    const auto end = std::find_if(front.rbegin(), front.rend(), [&](const Item& item) {
                         return time_of(item) < at;
                     }).base();
    items.assign(end, front.end());
    front.erase(end, front.end());
}

}  // namespace

TraceFeed::TraceFeed(unsigned processors, const WindowConfig& window, std::size_t max_kept)
    : config_(window), max_kept_(max_kept), open_(!window.looks_back()) {
    coming_.processors.resize(processors);
    if (open_) window_ = config_.fixed;
}

void TraceFeed::add(ChunkSink& sink) {
    thread_.add(sink);
    if (open_) sink.begin(window_);
}

void TraceFeed::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
        if (mark.is_call()) continue;
        const bool activity = mark.what == Mark::What::activity;
        coming_.processors[processor].push_back(
            {mark.time, activity ? 0 : mark.value, mark.address,
             activity ? TraceEvent::What::activity : TraceEvent::What::probe,
             static_cast<std::uint8_t>(activity ? index(mark.activity) : index(mark.probe)),
             !activity && mark.activity == Activity::kernel});
    }
}

void TraceFeed::entered(ProcessorId processor, ProcessorState state, Time at) {
    // Built in place: copying it would load eight bytes that were just stored one by one, and such
    // a load waits for all these stores.
    TraceEvent& event = coming_.processors[processor].emplace_back();
    event.time = at;
    event.code = static_cast<std::uint8_t>(index(state));
}

void TraceFeed::waited(ProcessorId processor, const BusWait& wait) {
    for_each_state(wait, [&](ProcessorState state, Time at) { entered(processor, state, at); });
}

void TraceFeed::interrupted(ProcessorId processor, Time at, std::uint8_t vector,
                            std::uint32_t message) {
    coming_.processors[processor].push_back({at, message, 0, TraceEvent::What::interrupt, vector});
}

TraceChunk TraceFeed::cut(Time at) {
    const auto take = [&](auto& items, auto& front, auto time_of) {
        if (!items.empty() && time_of(items.front()) < coming_.from)
            impossible("trace: an event at {} ps, told when all before {} ps had been told",
                       time_of(items.front()), coming_.from);
        take_before(items, at, time_of, front);
    };
    TraceChunk chunk = std::move(spare_);
    chunk.processors.resize(coming_.processors.size());
    chunk.from = coming_.from;
    chunk.to = at;
    for (std::size_t p = 0; p < chunk.processors.size(); ++p) {
        auto& events = coming_.processors[p];
        if (!std::is_sorted(events.begin(), events.end(), earlier))
            std::stable_sort(events.begin(), events.end(), earlier);
        take(events, chunk.processors[p], [](const TraceEvent& e) { return e.time; });
    }
    take(coming_.uses, chunk.uses, [](const BusUse& use) { return use.start; });
    take(coming_.messages, chunk.messages, [](const InterruptMessage& m) { return m.arrived; });
    coming_.from = at;
    return chunk;
}

void TraceFeed::reached(Time at) {
    if (at > coming_.from) admit(cut(at));
}

void TraceFeed::close(Time end) {
    admit(cut(end + 1));
    if (!open_)
        open(config_.last > 0 ? Window{std::max(end - config_.last, kept_.front().from), kNever}
                              : Window{end, end});
    thread_.wait();
}

void TraceFeed::admit(TraceChunk chunk) {
    if (open_) return pass_on(std::move(chunk));
    const Time found = config_.around ? trigger(chunk) : kNever;
    const Time chunk_to = chunk.to;
    keep(std::move(chunk));
    if (found != kNever) {
        const Time span = config_.around->span;
        return open({std::max(found - span, kept_.front().from), found + span});
    }
    const Time back = config_.around ? config_.around->span : config_.last;
    while (kept_.size() > 1 && kept_.front().to <= chunk_to - back) release_oldest_chunk();
}

void TraceFeed::keep(TraceChunk chunk) {
    kept_events_ += chunk.events();
    kept_.push_back(std::move(chunk));
    while (kept_.size() > 1 && kept_events_ > max_kept_) release_oldest_chunk();
}

void TraceFeed::release_oldest_chunk() {
    kept_events_ -= kept_.front().events();
    pass_on(std::move(kept_.front()));
    kept_.pop_front();
}

void TraceFeed::open(const Window& window) {
    window_ = window;
    open_ = true;
    thread_.wait();
    for (ChunkSink* const sink : thread_.sinks()) sink->begin(window);
    while (!kept_.empty()) release_oldest_chunk();
}

void TraceFeed::pass_on(TraceChunk chunk) {
    spare_ = thread_.take(std::move(chunk));
}

// When the probe point of WindowConfig::around is passed first; kNever if not in this chunk.
Time TraceFeed::trigger(const TraceChunk& chunk) const {
    Time first = kNever;
    for (const auto& events : chunk.processors)
        for (const TraceEvent& event : events)
            if (event.what == TraceEvent::What::probe &&
                event.code == index(config_.around->kind) &&
                event.value == config_.around->value.value_or(event.value))
                first = std::min(first, event.time);
    return first;
}

}  // namespace symsim
