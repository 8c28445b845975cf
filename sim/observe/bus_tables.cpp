// SPDX-License-Identifier: MIT
// bus.csv and links.csv; processors and interconnect in summary.json.
#include <algorithm>

#include "sim/devices/devices.h"
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"

namespace symsim {
namespace {

// One resource in one interval.
struct IntervalRow {
    Time start, end;
    std::size_t resource;
    const BusInterval& use;
    Time busy = use.busy();

    std::int64_t share(Time part) const { return millionths(part, end - start); }
    std::int64_t utilisation() const { return share(busy); }
    std::int64_t mean_queue_length() const { return share(use.queueing); }
    Time mean_wait() const { return mean(use.wait, use.transactions); }
    template <std::size_t n>
    std::array<std::int64_t, n> shares(std::array<Time, n> parts) const {
        for (Time& part : parts)
            if (part != 0) part = share(part);  // most are 0
        return parts;
    }
};

// Calls write(row) for each interval of each of the resources, in order of time, but for those of
// resources from `first_optional` on that nothing used or waited for.
template <class Write>
void each_interval(const std::vector<BusInterval>& intervals, std::size_t resources, Time interval,
                   Time end, std::size_t first_optional, Write write) {
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        const BusInterval& use = intervals[i];
        const std::size_t resource = i % resources;
        const Time start = static_cast<Time>(i / resources) * interval;
        const IntervalRow row{start, std::min(start + interval, end), resource, use};
        const bool idle = use.transactions == 0 && use.queueing == 0 && row.busy == 0;
        if (!idle || resource < first_optional) write(row);
    }
}

bool has_several_resources(const RunReport& report) {
    return report.bus.resources > 1;
}

struct LinkRow {
    IntervalRow in;
    const NamedResource& link;
};

struct ProcessorRow {
    const RunReport& report;
    ProcessorId number;

    const ProcessorTimes& times() const { return report.processors[number]; }
    std::array<Time, kActivities> bus_busy() const {
        std::array<Time, kActivities> sums{};
        for (std::size_t a = 0; a < kActivities; ++a)
            sums[a] = sum(report.bus.busy_by_processor[number][a]);
        return sums;
    }
    Time all_bus_busy() const { return sum(bus_busy()); }
    std::uint64_t transactions() const { return report.bus.transactions_by_processor[number]; }
    Time bus_wait() const { return report.bus.wait_by_processor[number]; }
};

const Table<ProcessorRow> kProcessor = {
    {"processor", "", "its number, from 0", &ProcessorRow::number},
    {"instructions", "count", "executed by it",
     [](auto& p) { return p.report.instructions[p.number]; }},
    {"states_us.STATE", "us", "time in each state; sums to simulated_us",
     [](auto& p) { return p.times().states(); }},
    {"activities_us.ACTIVITY", "us", "time in each activity; sums to simulated_us",
     [](auto& p) { return p.times().activities(); }},
    {"states_us_by_activity.ACTIVITY.STATE", "us",
     "time by activity and state: which activity the bus slowed, and by how much",
     [](auto& p) { return p.times().states_by_activity; }},
    {"bus_transactions", "count", "transactions granted to it", &ProcessorRow::transactions},
    {"bus_busy_us", "us", "time for which it occupied the bus, replies included",
     &ProcessorRow::all_bus_busy},
    {"bus_busy_us_by_activity.ACTIVITY", "us",
     "the same by its activity at the time of the request", &ProcessorRow::bus_busy},
    {"bus_wait_us", "us",
     "sum of the waits of its transactions; with a write buffer it may execute meanwhile",
     &ProcessorRow::bus_wait},
    {"bus_mean_wait_us", "us", "bus_wait_us per transaction",
     [](auto& p) { return mean(p.bus_wait(), p.transactions()); }},
};

BusTotals::ByKind mean_wait_by_kind(const BusTotals& bus) {
    const auto transactions = bus.transactions();
    BusTotals::ByKind means{};
    for (std::size_t k = 0; k < kTransactionKinds; ++k)
        means[k] = mean(bus.wait[k], transactions[k]);
    return means;
}

const Table<RunReport> kBus = {
    {"", "", "the bus", empty_object},
    {".busy_us", "us", "time for which the bus was occupied", [](auto& r) { return r.bus.busy; }},
    {".utilisation", "ratio", "busy_us / simulated_us, by the number of resources",
     [](auto& r) { return millionths(r.bus.busy, r.bus.capacity(r.end)); }},
    {".all_transactions", "count", "of all kinds",
     [](auto& r) { return r.bus.all_transactions(); }},
    {".transactions.KIND", "count", "of each kind", [](auto& r) { return r.bus.transactions(); }},
    {".transactions_by_activity.ACTIVITY.KIND", "count",
     "by the processor's activity at the time of the request; sums to transactions.KIND",
     [](auto& r) { return r.bus.transactions_by_activity; }},
    {".busy_us_by_activity.ACTIVITY.KIND", "us", "busy time by activity and kind; sums to busy_us",
     [](auto& r) { return r.bus.busy_by_activity(); }},
    {".mean_occupancy_us", "us", "busy_us per transaction, replies included",
     [](auto& r) { return mean(r.bus.busy, r.bus.all_transactions()); }},
    {".wait_us", "us", "sum of the waits of all transactions",
     [](auto& r) { return r.bus.all_wait(); }},
    {".mean_wait_us", "us", "wait_us per transaction",
     [](auto& r) { return mean(r.bus.all_wait(), r.bus.all_transactions()); }},
    {".max_wait_us", "us", "the longest wait of a transaction",
     [](auto& r) { return r.bus.max_wait; }},
    {".mean_wait_us_by_kind.KIND", "us", "per transaction of each kind; 0 if there was none",
     [](auto& r) { return mean_wait_by_kind(r.bus); }},
    {".mean_queue_length", "ratio", "requests waiting, averaged over time: wait_us / simulated_us",
     [](auto& r) { return millionths(r.bus.all_wait(), r.end); }},
    {".replies", "count", "replies to reads, each a second use of the bus",
     [](auto& r) { return r.bus.replies; }},
    {".mean_reply_wait_us", "us", "from when memory had the data until the reply was granted",
     [](auto& r) { return mean(r.bus.reply_wait, r.bus.replies); }},
    {".interval_us", "us", "length of the rows of bus.csv", &RunReport::interval},
    {".held_us", "us",
     "part of busy_us: blocked requests held the bus (bus.locked_request = hold-bus), counted "
     "under the kind and activity of the request; absent if there was none",
     [](auto& r) { return r.bus.held; }, [](auto& r) { return r.bus.held > 0; }},
    {".resources", "count",
     "of the interconnect, used at the same time: with several, these numbers are sums over all; "
     "absent if it has one, as the bus",
     [](auto& r) { return r.bus.resources; }, has_several_resources},
};

Json json_of(const Results& results) {
    Json json = Json::Object();
    for (const Result& result : results) {
        Json::Array items;
        for (const Results& item : result.items) items.push_back(json_of(item));
        const bool is_list = !result.item.empty();
        ObjectEntry(json, result.name, result.unit).put(is_list ? Json(items) : result.value);
    }
    return json;
}

void describe(Table<RunReport>& table, const std::string& of, const Results& results) {
    for (const Result& result : results) {
        table.push_back({of + "." + result.name, result.unit, result.meaning});
        describe(table, of + "." + result.name, result.item);
    }
}

// The report of each device.
void add_devices(Table<RunReport>& table) {
    for (const DeviceKind& kind : device_kinds()) {
        if (kind.results.empty()) continue;
        table.push_back({kind.name, "", kind.meaning,
                         [&](const RunReport& r) { return json_of(r.device(kind.name)->results); },
                         [&](const RunReport& r) { return r.device(kind.name) != nullptr; }});
        describe(table, kind.name, kind.results);
    }
}

std::vector<ProcessorRow> processors(const RunReport& report) {
    std::vector<ProcessorRow> all;
    for (ProcessorId p = 0; p < report.processors.size(); ++p) all.push_back({report, p});
    return all;
}

}  // namespace

void add_processors_and_bus(Table<RunReport>& table) {
    add_list(table, "processors[]", "one per processor, in order of number", kProcessor,
             processors);
    add(table, "bus", kBus);
    add_devices(table);
}

// A row for each interval, and resource if there are several.
RunFile bus_csv() {
    return csv_file<IntervalRow>(
        {"bus.csv", "the bus, a row per interval", "", "yes"},
        {
            {"start_us", "us", "begin of the interval", &IntervalRow::start},
            {"end_us", "us", "end of the interval", &IntervalRow::end},
            {"resource", "",
             "number of the resource of the interconnect that the row is about; absent if there is "
             "only one, as the bus. Those that nothing uses or waits for in an interval have no "
             "row, except for resource 0",
             &IntervalRow::resource, has_several_resources},
            {"busy_us", "us", "time for which the bus was occupied", &IntervalRow::busy},
            {"utilisation", "ratio", "busy_us divided by the length of the interval",
             &IntervalRow::utilisation},
            {"mean_queue_length", "ratio", "requests waiting, averaged over the interval",
             &IntervalRow::mean_queue_length},
            {"transactions", "count", "granted in the interval",
             [](auto& r) { return r.use.transactions; }},
            {"mean_wait_us", "us",
             "mean wait of these transactions, including their waits in earlier intervals",
             &IntervalRow::mean_wait},
            {"share_activity_ACTIVITY", "ratio",
             "share of the interval for which each activity occupied the bus; the shares sum to "
             "utilisation",
             [](auto& r) { return r.shares(r.use.busy_by_activity); }},
            {"share_kind_KIND", "ratio",
             "share of the interval for which each kind occupied the bus; the shares sum to "
             "utilisation",
             [](auto& r) { return r.shares(r.use.busy_by_kind); }},
        },
        [](const RunReport& report, const auto& write) {
            each_interval(report.intervals, report.bus.resources, report.interval, report.end, 1,
                          write);
        });
}

// A row for each interval and link that messages used or waited for.
RunFile links_csv() {
    return csv_file<LinkRow>(
        {"links.csv", "links between nodes, a row per interval and link in use", kOnSeveralNodes,
         "yes", has_nodes},
        {
            {"start_us", "us", "begin of the interval", [](auto& r) { return r.in.start; }},
            {"end_us", "us", "end of the interval", [](auto& r) { return r.in.end; }},
            {"ring", "", "number of the link's ring", [](auto& r) { return r.link.number; }},
            {"from_node", "", "node where the link begins", [](auto& r) { return r.link.node; }},
            {"to_node", "", "node where it ends, the next one on the ring",
             [](auto& r) { return r.link.to_node; }},
            {"messages", "count", "whose use of the link began in the interval",
             [](auto& r) { return r.in.use.transactions; }},
            {"busy_us", "us", "time for which messages occupied the link",
             [](auto& r) { return r.in.busy; }},
            {"utilisation", "ratio", "busy_us divided by the length of the interval",
             [](auto& r) { return r.in.utilisation(); }},
            {"mean_wait_us", "us",
             "mean wait of these messages for the link, including their waits in earlier intervals",
             [](auto& r) { return r.in.mean_wait(); }},
            {"mean_queue_length", "ratio", "messages waiting, averaged over the interval",
             [](auto& r) { return r.in.mean_queue_length(); }},
        },
        [](const RunReport& report, const auto& write) {
            const DistanceReport& distance = *report.distance;
            each_interval(distance.link_intervals, distance.links.size(), distance.interval,
                          report.end, 0, [&](const IntervalRow& row) {
                              write({row, distance.links[row.resource]});
                          });
        });
}

}  // namespace symsim
