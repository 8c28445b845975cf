// SPDX-License-Identifier: MIT
#include "sim/observe/trace_feed.h"

#include <algorithm>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {
namespace {

bool earlier(const TraceEvent& a, const TraceEvent& b) {
    const bool a_state = a.what == TraceEvent::What::state;
    const bool b_state = b.what == TraceEvent::What::state;
    return a.time != b.time ? a.time < b.time : a_state < b_state;
}

// Moves what lies before `at` to the front part of a chunk; the rest stays.
template <class Item, class TimeOf>
std::vector<Item> take_before(std::vector<Item>& items, Time at, TimeOf time_of) {
    const auto end = std::find_if(items.rbegin(), items.rend(), [&](const Item& item) {
                         return time_of(item) < at;
                     }).base();
    std::vector<Item> rest(end, items.end());
    items.erase(end, items.end());
    return std::exchange(items, std::move(rest));
}

}  // namespace

TraceFeed::TraceFeed(unsigned processors, const WindowConfig& window, std::size_t max_kept)
    : config_(window), max_kept_(max_kept), open_(!window.looks_back()) {
    coming_.processors.resize(processors);
    if (open_) window_ = config_.fixed;
}

void TraceFeed::add(TraceSink& sink) {
    sinks_.push_back(&sink);
    if (open_) sink.begin(window_);
}

void TraceFeed::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
        const bool activity = mark.what == Mark::What::activity;
        coming_.processors[processor].push_back(
            {mark.time, mark.value, activity ? TraceEvent::What::activity : TraceEvent::What::probe,
             static_cast<std::uint8_t>(activity ? index(mark.activity) : index(mark.probe))});
    }
}

void TraceFeed::entered(ProcessorId processor, State state, Time at) {
    coming_.processors[processor].push_back(
        {at, 0, TraceEvent::What::state, static_cast<std::uint8_t>(index(state))});
}

void TraceFeed::interrupted(ProcessorId processor, Time at, std::uint8_t vector,
                            std::uint32_t message) {
    coming_.processors[processor].push_back({at, message, TraceEvent::What::interrupt, vector});
}

TraceChunk TraceFeed::cut(Time at) {
    TraceChunk chunk;
    chunk.from = coming_.from;
    chunk.to = at;
    for (auto& events : coming_.processors) {
        if (!std::is_sorted(events.begin(), events.end(), earlier))
            std::stable_sort(events.begin(), events.end(), earlier);
        if (!events.empty() && events.front().time < coming_.from)
            impossible("trace: an event at {} ps, told when all before {} ps had been told",
                       events.front().time, coming_.from);
        chunk.processors.push_back(
            take_before(events, at, [](const TraceEvent& e) { return e.time; }));
    }
    chunk.uses = take_before(coming_.uses, at, [](const BusUse& use) { return use.start; });
    chunk.messages =
        take_before(coming_.messages, at, [](const InterruptMessage& m) { return m.arrived; });
    coming_.from = at;
    return chunk;
}

void TraceFeed::reached(Time at) {
    if (at > coming_.from) admit(cut(at));
}

void TraceFeed::close(Time end) {
    admit(cut(end + 1));
    if (open_) return;
    if (config_.last > 0)
        open({std::max(end - config_.last, kept_.front().from), kNever});
    else
        open({end, end});
}

void TraceFeed::admit(TraceChunk chunk) {
    if (open_) return hand_on(chunk);
    const Time found = config_.around ? trigger(chunk) : kNever;
    const Time chunk_to = chunk.to;
    keep(std::move(chunk));
    if (found != kNever) {
        const Time span = config_.around->span;
        return open({std::max(found - span, kept_.front().from), found + span});
    }
    const Time back = config_.around ? config_.around->span : config_.last;
    while (kept_.size() > 1 && kept_.front().to <= chunk_to - back) let_go();
}

void TraceFeed::keep(TraceChunk chunk) {
    kept_events_ += chunk.events();
    kept_.push_back(std::move(chunk));
    while (kept_.size() > 1 && kept_events_ > max_kept_) let_go();
}

void TraceFeed::let_go() {
    kept_events_ -= kept_.front().events();
    hand_on(kept_.front());
    kept_.pop_front();
}

void TraceFeed::open(const Window& window) {
    window_ = window;
    open_ = true;
    for (TraceSink* sink : sinks_) sink->begin(window);
    while (!kept_.empty()) let_go();
}

void TraceFeed::hand_on(const TraceChunk& chunk) {
    for (TraceSink* sink : sinks_) sink->take(chunk);
}

// The first event that is looked for; kNever if it is not in this chunk.
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
