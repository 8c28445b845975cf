// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_tracks.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "sim/base/transaction_kind.h"

namespace symsim {

using namespace perfetto;

namespace {

constexpr unsigned kBusRank = kRankAfterProcessors;
constexpr unsigned kMessagesRank = kRankAfterProcessors + 1;
constexpr std::uint64_t kMemoryEnd = std::uint64_t{1} << 32;

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

PerfettoBus::PerfettoBus(PerfettoView& view, unsigned resources, const ResourceTable& table,
                         std::vector<NamedRange> symbols)
    : view_(view), symbols_(std::move(symbols)), symbol_names_(symbols_.size()), last_(resources) {
    const Track bus = view.file.add_track({view.machine, "bus", kBusRank});
    if (resources == 1) tracks_ = {bus};
    while (tracks_.size() < resources) {
        const auto number = static_cast<unsigned>(tracks_.size());
        const std::string name =
            table.empty() ? "resource " + std::to_string(number) : table[number].text();
        tracks_.push_back(view.file.add_track({bus, name, number}));
    }
    for (std::size_t k = 0; k < kTransactionKinds; ++k) {
        const std::string name(kTransactionKindNames[k]);
        names_[k] = {view.file.intern(Table::names, name),
                     view.file.intern(Table::names, name + " reply")};
    }
}

void PerfettoBus::used(const BusUse& use) {
    std::optional<BusUse>& last = last_[use.resource];
    if (last) show(*last, last->start + last->duration);
    last = use;
}

void PerfettoBus::close(Time at) {
    for (std::optional<BusUse>& last : last_) {
        if (last) show(*last, std::min(last->start + last->duration, at));
        last.reset();
    }
}

void PerfettoBus::show(const BusUse& use, Time to) {
    if (!view_.window.contains(use.start)) return;
    const Track track = tracks_[use.resource];
    Event begin(Type::slice_begin, track);
    begin.name(names_[index(use.kind)][use.reply ? 1 : 0]);
    begin.category(view_.activity_categories[index(use.activity)]);
    begin.note(Note::processor, use.processor);
    begin.pointer(Note::address, use.address);
    if (const Name name = symbol(use.address)) begin.text(Note::symbol, name);
    begin.note(Note::size_bytes, use.size);
    if (use.locked) begin.note(Note::locked, 1);
    begin.note(Note::wait_ps, static_cast<std::uint64_t>(use.start - use.posted));
    view_.file.slice(begin, use.start, to, track);
}

void PerfettoBus::find_symbol(Address address) {
    const auto after =
        std::upper_bound(symbols_.begin(), symbols_.end(), address,
                         [](Address wanted, const NamedRange& r) { return wanted < r.begin; });
    const bool first = after == symbols_.begin();
    if (first || address >= std::prev(after)->end) {
        found_.begin = first ? 0 : std::prev(after)->end;
        found_.end = after == symbols_.end() ? kMemoryEnd : after->begin;
        found_.name = 0;
        return;
    }
    const NamedRange& range = *std::prev(after);
    Name& name = symbol_names_[static_cast<std::size_t>(&range - symbols_.data())];
    if (name == 0) name = view_.file.intern(Table::strings, range.name);
    found_ = {range.begin, range.end, name};
}

void PerfettoBus::messaged(const InterruptMessage& message) {
    if (!view_.shows(message.start, message.arrived)) return;
    if (!messages_)
        messages_ = view_.file.add_track({view_.machine, "interrupt controllers", kMessagesRank});
    Event begin(Type::slice_begin, *messages_);
    begin.name(view_.file.intern(Table::names, message.nmi ? "NMI" : "interrupt"));
    begin.note(Note::processor, message.sender);
    begin.note(Note::bin, message.bin);
    begin.end_flow(PerfettoProcessor::flow_from_sender(message.number));
    for (const ProcessorId p : message.receivers)
        begin.flow(PerfettoProcessor::flow_to(message.number, p));
    view_.slice(begin, message.start, message.arrived, *messages_);
}

Time write_bus_counters(PerfettoView& view, const std::vector<Track>& resources,
                        const std::vector<BusInterval>& intervals, Time interval, Time end,
                        std::size_t max_bytes) {
    const std::size_t row_bytes = resources.size() * ResourceCounters::kBytes;
    const Window& window = view.window;
    const Time to = std::min(window.to, end);
    std::vector<ResourceCounters> counters;
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
