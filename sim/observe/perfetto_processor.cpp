// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_tracks.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "sim/observe/numbers.h"

namespace symsim {

using namespace perfetto;

namespace {
constexpr unsigned kSpinnersRank = kRankAfterProcessors + 2;
}  // namespace

PerfettoProcessor::PerfettoProcessor(PerfettoView& view, ProcessorId id)
    : view_(view),
      id_(id),
      activities_(view.file.add_track({view.machine, fmt::format("processor {}", id), id})),
      states_(view.file.add_track({activities_, "bus"})) {}

// Most processors have no threads and no interrupts, so their tracks are created when needed.
Track PerfettoProcessor::child(std::optional<Track>& track, const char* name, unsigned rank) {
    if (!track) track = view_.file.add_track({activities_, name, rank});
    return *track;
}

void PerfettoProcessor::take(const TraceEvent& event) {
    switch (event.what) {
        case TraceEvent::What::activity:
            end_state(event.time);
            end_activity(event.time);
            activity_ = static_cast<Activity>(event.code);
            break;
        case TraceEvent::What::state:
            if (static_cast<ProcessorState>(event.code) == state_)
                break;  // reported again for each store that it waits for
            end_state(event.time);
            state_ = static_cast<ProcessorState>(event.code);
            break;
        case TraceEvent::What::probe:
            probe(event);
            break;
        case TraceEvent::What::interrupt:
            interrupt(event);
            break;
    }
}

// The state executing has no slices: it is the time between the slices of the other states.
void PerfettoProcessor::end_state(Time at) {
    if (state_ != ProcessorState::executing && at > state_since_ && view_.shows(state_since_, at)) {
        Event begin(Type::slice_begin, states_);
        begin.name(view_.state_names[index(state_)]);
        begin.category(view_.activity_categories[index(activity_)]);
        view_.slice(begin, state_since_, at, states_);
    }
    state_since_ = at;
}

void PerfettoProcessor::end_activity(Time at) {
    if (at > activity_since_ && view_.shows(activity_since_, at)) {
        Event begin(Type::slice_begin, activities_);
        begin.name(view_.activity_names[index(activity_)]);
        view_.slice(begin, activity_since_, at, activities_);
    }
    activity_since_ = at;
}

void PerfettoProcessor::close(Time at) {
    end_state(at);
    end_activity(at);
    end_thread(at, "open");
}

void PerfettoProcessor::probe(const TraceEvent& event) {
    switch (static_cast<ProbeKind>(event.code)) {
        case ProbeKind::thread_start:
        case ProbeKind::thread_resume:
            end_thread(event.time, "yield");
            thread_ = event.value;
            thread_since_ = event.time;
            break;
        case ProbeKind::thread_finish:
            end_thread(event.time, "finish");
            break;
        case ProbeKind::thread_block:
            end_thread(event.time, "block");
            break;
        case ProbeKind::thread_create:
            if (view_.window.contains(event.time)) {
                Event create(Type::instant, child(threads_, "threads", 1));
                create.name(view_.file.intern(Table::names, "create"));
                create.pointer(Note::thread, event.value);
                view_.file.instant(create, event.time);
            }
            break;
        default:
            break;
    }
}

void PerfettoProcessor::end_thread(Time at, const char* how) {
    if (thread_ && view_.shows(thread_since_, at)) {
        const Track track = child(threads_, "threads", 1);
        Event begin(Type::slice_begin, track);
        begin.name(view_.file.intern(Table::names, "thread " + hex_text(*thread_)));
        const bool continues = at > view_.window.to;
        begin.category(view_.file.intern(Table::categories, continues ? "open" : how));
        begin.pointer(Note::thread, *thread_);
        view_.slice(begin, thread_since_, at, track);
    }
    thread_.reset();
}

void PerfettoProcessor::interrupt(const TraceEvent& event) {
    if (!view_.window.contains(event.time)) return;
    Event taken(Type::instant, child(interrupts_, "interrupts", 2));
    taken.name(view_.file.intern(Table::names, fmt::format("interrupt {:#04x}", event.code)));
    if (event.value != 0) taken.end_flow(flow_to(event.value, id_));
    view_.file.instant(taken, event.time);
}

void PerfettoProcessor::sent(const InterruptMessage& message) {
    if (!view_.window.contains(message.sent)) return;
    Event sent(Type::instant, child(interrupts_, "interrupts", 2));
    sent.name(view_.file.intern(Table::names, message.nmi ? "send NMI" : "send"));
    sent.note(Note::bin, message.bin);
    sent.flow(flow_from_sender(message.number));
    view_.file.instant(sent, message.sent);
}

void PerfettoProcessor::message(const TraceEvent& event, std::uint64_t flow, bool begins) {
    if (!view_.window.contains(event.time)) return;
    Event message(Type::instant, child(messages_, "messages", 3));
    message.name(view_.file.intern(Table::names, "message"));
    message.pointer(Note::value, event.value);
    if (flow != 0 && begins) message.flow(flow);
    if (flow != 0 && !begins) message.end_flow(flow);
    view_.file.instant(message, event.time);
}

PerfettoSpinners::PerfettoSpinners(PerfettoView& view, unsigned processors)
    : view_(view),
      track_(view.file.add_track({view.machine, "spinners", kSpinnersRank, "processors"})),
      spins_(processors) {}

void PerfettoSpinners::take(const TraceChunk& chunk) {
    steps_.clear();
    for (std::size_t p = 0; p < chunk.processors.size(); ++p)
        for (const TraceEvent& event : chunk.processors[p]) {
            if (event.what != TraceEvent::What::activity) continue;
            const bool spins = static_cast<Activity>(event.code) == Activity::spin;
            if (spins != spins_[p]) steps_.emplace_back(event.time, spins ? 1 : -1);
            spins_[p] = spins;
        }
    std::sort(steps_.begin(), steps_.end());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Time at = steps_[i].first;
        if (!begun_ && at > view_.window.from) show(view_.window.from);
        count_ += static_cast<unsigned>(steps_[i].second);
        const bool last_of_its_time = i + 1 == steps_.size() || steps_[i + 1].first != at;
        if (last_of_its_time && view_.window.contains(at)) show(at);
    }
    if (!begun_ && chunk.to > view_.window.from) show(view_.window.from);
}

void PerfettoSpinners::show(Time at) {
    begun_ = true;
    view_.file.put(at, Event(Type::counter, track_).counter(count_));
}

}  // namespace symsim
