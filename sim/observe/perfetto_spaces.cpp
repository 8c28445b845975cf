// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/observe/space_meter.h"

namespace symsim {

using namespace perfetto;

namespace {

constexpr unsigned kSpacesRank = 100;
constexpr unsigned kFirstThread = 1000;        // above the numbers of processes
constexpr std::size_t kSpaceSliceBytes = 256;  // the most that a slice takes, with its tracks
constexpr std::uint64_t kFirstSpaceFlow = std::uint64_t{1} << 57;  // above those of processes
// The most messages on their way; a guest may have any number of addresses of messages.
constexpr std::size_t kMostMessages = 1 << 16;

bool is_sent(ProbeKind kind) {
    return kind == ProbeKind::call_sent || kind == ProbeKind::call_answered;
}
bool is_received(ProbeKind kind) {
    return kind == ProbeKind::call_received || kind == ProbeKind::answer_received;
}

std::string_view name_of(CallPart part, Activity activity) {
    const bool by_activity = part == CallPart::other || activity == Activity::kernel;
    return by_activity ? name(activity) : name(part);
}

}  // namespace

PerfettoSpaces::PerfettoSpaces(PerfettoView& view, unsigned processors,
                               const std::vector<std::string>& names)
    : view_(view), places_(processors) {
    for (const std::string& name : names) spaces_.push_back({name});
}

std::uint64_t PerfettoSpaces::new_flow() {
    return kFirstSpaceFlow + ++flows_;
}

void PerfettoSpaces::take(const ByTime<TraceEvent>& events) {
    for (const auto& [processor, event] : events) pass(processor, mark_of(*event));
}

std::size_t PerfettoSpaces::most_bytes(const TraceChunk& chunk) {
    std::size_t marks = 0;
    for (const auto& events : chunk.processors)
        marks += static_cast<std::size_t>(std::count_if(events.begin(), events.end(), is_mark));
    return marks * kSpaceSliceBytes;
}

// The flow of a message that an end of it reports: the other end's, if that `matches`.
template <class Matches>
std::uint64_t PerfettoSpaces::flow_of(Address message, std::optional<Time> received,
                                      Matches matches) {
    const auto known = messages_.find(message);
    if (known != messages_.end() && matches(known->second.received)) {
        const std::uint64_t flow = known->second.flow;
        messages_.erase(known);
        return flow;
    }
    if (messages_.size() == kMostMessages) messages_.clear();
    return (messages_[message] = {new_flow(), received}).flow;
}

void PerfettoSpaces::pass(ProcessorId processor, const Mark& mark) {
    Place& place = places_[processor];
    if (mark.what == Mark::What::activity) {
        const CallPart part = place.parts.now();
        if (name_of(part, mark.activity) != name_of(part, place.activity))
            show(processor, {part, place.parts.since(), mark.time}, {});
        place.activity = mark.activity;
        return;
    }
    if (const auto ended = place.parts.take(mark)) end_part(processor, *ended, mark);
    if (is_received(mark.probe)) {
        place.next.flows.push_back(
            flow_of(mark.value, mark.time, [](const auto& received) { return !received; }));
        place.next.message = mark.value;
    }
    if (mark.probe == ProbeKind::process_upcall && mark.value < kUpcallReasons)
        place.next.reason = kUpcallReasonNames[mark.value];
}

void PerfettoSpaces::end_part(ProcessorId processor, const CallSpan& ended, const Mark& mark) {
    Place& place = places_[processor];
    Leaves leaves;
    // The sender passes its probe point after it has sent the message, and the receiver may be
    // faster.
    const auto since_sent = [&](const auto& received) {
        return received && *received >= ended.from;
    };
    if (is_sent(mark.probe)) leaves = {flow_of(mark.value, {}, since_sent), mark.value};
    const bool moves = mark.probe == ProbeKind::process_run;
    if (moves && place.space) leaves.flow = new_flow();
    show(processor, ended, leaves);
    if (!moves) return;
    place.space = mark.value % static_cast<std::uint32_t>(spaces_.size());
    if (leaves.flow) place.next.flows.push_back(*leaves.flow);
}

void PerfettoSpaces::show(ProcessorId processor, const CallSpan& span, const Leaves& leaves) {
    Place& place = places_[processor];
    const Time from = std::max(place.shown, span.from);
    place.shown = span.to;
    if (!place.space || from == span.to) return;
    const std::string_view name = name_of(span.part, place.activity);
    if (place.slice && place.slice->continues(*place.space, name, place.next)) {
        place.slice->to = span.to;
        place.slice->leaves = leaves;
        return;
    }
    write(processor);
    place.slice = Slice{*place.space, name, from, span.to, std::move(place.next), leaves};
    place.next = {};
}

// Polls that find nothing, for example, are one slice together.
bool PerfettoSpaces::Slice::continues(std::uint32_t in, std::string_view as,
                                      const Comes& next) const {
    return in == space && as == name && !leaves.flow && !next.message && next.flows.empty();
}

void PerfettoSpaces::write(ProcessorId processor) {
    const std::optional<Slice> slice = std::exchange(places_[processor].slice, std::nullopt);
    if (!slice || !view_.shows(slice->from, slice->to)) return;
    view_.file.add_notes_of_spaces();
    const auto& [space, name, from, to, comes, leaves] = *slice;
    const Track track = track_of(processor, space);
    Event begin(Type::slice_begin, track);
    begin.name(view_.file.intern(Table::names, name));
    if (comes.message) begin.pointer(Note::message, *comes.message);
    if (leaves.message) begin.pointer(Note::message, *leaves.message);
    if (comes.reason) begin.text(Note::reason, view_.file.intern(Table::strings, *comes.reason));
    if (leaves.flow) begin.flow(*leaves.flow);
    for (const std::uint64_t flow : comes.flows) begin.end_flow(flow);
    view_.slice(begin, from, to, track);
}

Track PerfettoSpaces::track_of(ProcessorId processor, std::uint32_t number) {
    Space& space = spaces_[number];
    const unsigned process = number + 1;
    if (space.track == 0)
        space.track = view_.file.add_track(
            {0, "space " + space.name, kSpacesRank + number, nullptr, process});
    const auto [track, is_new] = space.processors.try_emplace(processor, 0);
    if (is_new)
        track->second =
            view_.file.add_track({space.track, fmt::format("processor {}", processor), processor,
                                  nullptr, process, kFirstThread * process + processor});
    return track->second;
}

void PerfettoSpaces::close(Time at) {
    for (ProcessorId p = 0; p < places_.size(); ++p) {
        const CallParts& parts = places_[p].parts;
        show(p, {parts.now(), std::min(parts.since(), at), at}, {});
        write(p);
    }
}

}  // namespace symsim
