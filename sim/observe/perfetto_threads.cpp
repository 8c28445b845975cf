// SPDX-License-Identifier: MIT
// The tracks of the threads of a Linux program: states, system calls, sleeps on futexes, probes.
#include <fmt/format.h>

#include <algorithm>

#include "sim/observe/numbers.h"
#include "sim/observe/perfetto_tracks.h"

namespace symsim {

using namespace perfetto;

namespace {
constexpr std::size_t kMostBytes = 2048;     // the most of a sleep, with tracks and names
constexpr Time kNaming = 20 * kMillisecond;  // a thread gets its name, if it gets one
constexpr std::uint64_t kFirstWake = std::uint64_t{1} << 57;  // above those of processes
}  // namespace

void PerfettoThreads::take(const ByTime<TraceEvent>& events) {
    for (const auto& [processor, event] : events) {
        timeline_.take(processor, mark_of(*event));
        latest_ = event->time;
    }
}

std::size_t PerfettoThreads::most_bytes() const {
    return (visits_.size() + waits_.size() + events_.size()) * kMostBytes;
}

// In order, up to the first one whose thread may get a name soon.
void PerfettoThreads::write() {
    const auto unnamed = [this](std::uint32_t thread) { return title(thread).empty(); };
    auto visit = visits_.begin();
    for (; visit != visits_.end() && !unnamed(visit->thread); ++visit) show(*visit);
    visits_.erase(visits_.begin(), visit);
    auto wait = waits_.begin();
    for (; wait != waits_.end() && !unnamed(wait->thread) && !(wait->by && unnamed(*wait->by));
         ++wait)
        show(*wait);
    waits_.erase(waits_.begin(), wait);
    auto event = events_.begin();
    for (; event != events_.end() && !unnamed(event->thread); ++event) show(*event);
    events_.erase(events_.begin(), event);
}

void PerfettoThreads::close(Time at) {
    end_ = at;
    timeline_.close(std::max(at, latest_));
    write();
}

std::string PerfettoThreads::title(std::uint32_t number) const {
    const LinuxThread& thread = timeline_.thread(number);
    if (thread.name.empty() && end_ == kNever && latest_ < thread.created + kNaming) return "";
    return fmt::format("thread {} {}, {}", number, thread.name.empty() ? program_ : thread.name,
                       thread.function == 0 ? "main" : name_of_(thread.function));
}

Track PerfettoThreads::kernel_track(std::uint32_t thread) {
    std::optional<Track>& track = tracks_[thread].kernel;
    if (!track) track = view_.file.add_track({parent_(thread), "system calls", 1});
    return *track;
}

void PerfettoThreads::show(const KernelVisit& visit) {
    const Time to = std::min(visit.to, end_);
    if (visit.from >= to || !view_.shows(visit.from, to)) return;
    const Track track = kernel_track(visit.thread);
    Event begin(Type::slice_begin, track);
    begin.name(view_.file.intern(Table::names, visit_name(visit, system_calls_)));
    if (visit.open) begin.category(view_.file.intern(Table::categories, "open"));
    view_.slice(begin, visit.from, to, track);
}

void PerfettoThreads::show(const FutexWait& wait) {
    const Time to = std::min(wait.to, end_);
    if (wait.from >= to || !view_.shows(wait.from, to)) return;
    std::optional<Track>& track = tracks_[wait.thread].waits;
    if (!track) track = view_.file.add_track({parent_(wait.thread), "futex waits", 2});
    const auto [function, caller] = callers_of(wait.callers, name_of_);
    Event begin(Type::slice_begin, *track);
    begin.name(view_.file.intern(Table::names, "futex " + name_of_(wait.word)));
    begin.category(view_.file.intern(Table::categories, function + " < " + caller));
    view_.slice(begin, wait.from, to, *track);
    if (wait.open || wait.to >= end_ || !view_.window.contains(wait.to)) return;
    const std::uint64_t flow = kFirstWake + ++flows_;
    if (wait.by) {
        Event wake(Type::instant, kernel_track(*wait.by));
        wake.name(view_.file.intern(Table::names, fmt::format("wakes thread {}", wait.thread)));
        wake.flow(flow);
        view_.file.instant(wake, wait.to);
    }
    Event woken(Type::instant, *track);
    woken.name(view_.file.intern(
        Table::names, wait.by ? fmt::format("woken by thread {}", *wait.by) : "woken by a timer"));
    if (wait.by) woken.end_flow(flow);
    view_.file.instant(woken, wait.to);
}

// The arguments are one text, such as "3, -1".
void PerfettoThreads::show(const LinuxEvent& event) {
    if (event.at >= end_ || !view_.window.contains(event.at)) return;
    std::optional<Track>& track = tracks_[event.thread].events;
    if (!track) track = view_.file.add_track({parent_(event.thread), "events", 3});
    std::string arguments;
    for (const std::uint32_t value : event.arguments)
        arguments +=
            fmt::format("{}{}", arguments.empty() ? "" : ", ", static_cast<std::int32_t>(value));
    Event passed(Type::instant, *track);
    passed.name(view_.file.intern(Table::names, event_names_.at(event.number)));
    if (!arguments.empty()) passed.text(Note::value, view_.file.intern(Table::strings, arguments));
    view_.file.instant(passed, event.at);
}

}  // namespace symsim
