// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_counters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "sim/base/activity.h"

namespace symsim {

using perfetto::Event;
using perfetto::Track;
using perfetto::Type;

namespace {

constexpr unsigned kSpinnersRank = kRankAfterProcessors + 2;

double per(Time part, Time whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

// The counters of one resource.
class ResourceCounters {
  public:
    static constexpr std::size_t kBytes = (kActivities + 1) * 40;  // upper bound for one interval

    ResourceCounters(PerfettoView& view, Track resource) : view_(view) {
        for (std::size_t a = 0; a < kActivities; ++a)
            shares_[a] = view.file.add_track({resource, "share " + std::string(kActivityNames[a]),
                                              static_cast<unsigned>(a + 1), "of the time"});
        queue_ = view.file.add_track({resource, "mean queue length", 0, "requests"});
    }
    // `at`: where the part of the interval in the window begins.
    void put(const BusInterval& row, Time length, Time at) {
        // A counter keeps its value until the next one is written. An equal `part` of an interval
        // of another length, which only the last one can have, is a different value.
        const auto put = [&](std::size_t column, Track track, Time part) {
            if (shown_[column] == part && length_shown_ == length) return;
            shown_[column] = part;
            view_.file.put(at, Event(Type::counter, track).ratio(per(part, length)));
        };
        for (std::size_t a = 0; a < kActivities; ++a) put(a, shares_[a], row.busy_by_activity[a]);
        put(kActivities, queue_, row.queueing);
        length_shown_ = length;
    }

  private:
    PerfettoView& view_;
    std::array<Track, kActivities> shares_{};
    Track queue_ = 0;
    std::array<std::optional<Time>, kActivities + 1> shown_{};
    std::optional<Time> length_shown_;
};

}  // namespace

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

Time write_bus_counters(PerfettoView& view, const std::vector<Track>& resources,
                        const std::vector<BusInterval>& intervals, Time interval, Time end,
                        std::size_t max_bytes) {
    const std::size_t row_bytes = resources.size() * ResourceCounters::kBytes;
    const Window& window = view.window;
    const Time to = std::min(window.to, end);
    std::vector<ResourceCounters> counters;
    counters.reserve(resources.size());
    for (const Track resource : resources) counters.emplace_back(view, resource);
    Time done = window.from;
    const std::size_t times = intervals.size() / resources.size();
    for (auto i = static_cast<std::size_t>(window.from / interval); i < times; ++i) {
        const Time start = static_cast<Time>(i) * interval;
        if (start >= to) break;
        if (view.file.bytes() + row_bytes > max_bytes) return done;
        const Time length = std::min(interval, end - start);
        for (std::size_t r = 0; r < resources.size(); ++r)
            counters[r].put(intervals[i * resources.size() + r], length,
                            std::max(start, window.from));
        done = std::min(start + length, to);
    }
    return done;
}

}  // namespace symsim
