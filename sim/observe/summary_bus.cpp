// SPDX-License-Identifier: MIT
// The keys of summary.json about processors, interconnect and misses.
#include <numeric>

#include "sim/devices/devices.h"
#include "sim/observe/numbers.h"
#include "sim/observe/summary_json.h"

namespace symsim {
namespace {

struct ProcessorRow {
    const RunReport& report;
    ProcessorId number;

    const ProcessorTimes& times() const { return report.processors[number]; }
    std::array<Time, kActivities> bus_busy() const {
        std::array<Time, kActivities> sums{};
        for (std::size_t a = 0; a < kActivities; ++a) {
            const auto& kinds = report.bus.busy_by_processor[number][a];
            sums[a] = std::accumulate(kinds.begin(), kinds.end(), Time{0});
        }
        return sums;
    }
    Time all_bus_busy() const {
        const auto sums = bus_busy();
        return std::accumulate(sums.begin(), sums.end(), Time{0});
    }
    std::uint64_t transactions() const { return report.bus.transactions_by_processor[number]; }
    Time bus_wait() const { return report.bus.wait_by_processor[number]; }
};

const Table<ProcessorRow> kProcessor = {
    {"processor", "", "its number, from 0", &ProcessorRow::number},
    {"instructions", "count", "executed by it",
     [](auto& p) { return p.report.instructions[p.number]; }},
    {"states_us.STATE", "us", "time in each state; sums to simulated_us",
     [](auto& p) { return p.times().states; }},
    {"activities_us.ACTIVITY", "us", "time in each activity; sums to simulated_us",
     [](auto& p) { return p.times().activities; }},
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
     [](auto& r) { return r.bus.resources; }, [](auto& r) { return r.bus.resources > 1; }},
};

Json json_of(const Results& results) {
    Json json = Json::Object();
    for (const Result& result : results) {
        Json::Array items;
        for (const Results& item : result.items) items.push_back(json_of(item));
        const bool is_list = !result.item.empty();
        enter(json, {result.name, result.unit, {}}, is_list ? Json(items) : result.value);
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

const Table<MissCounts> kMisses = {
    {"near", "count", "misses whose messages took no link", &MissCounts::near},
    {"far", "count", "misses whose messages took links between nodes", &MissCounts::far},
    {"near_time_us", "us", "from posting the requests of near misses until the lines were there",
     &MissCounts::near_time},
    {"far_time_us", "us", "the same of far misses", &MissCounts::far_time},
    {"mean_near_us", "us", "near_time_us per near miss",
     [](auto& c) { return mean(c.near_time(), c.near()); }},
    {"mean_far_us", "us", "far_time_us per far miss",
     [](auto& c) { return mean(c.far_time, c.far); }},
    {"links", "count",
     "that the messages took; of messages at the same time, those of the longest way",
     &MissCounts::links},
};

// All misses; those of each activity, supplier, node and processor.
Json misses(const RunReport& report) {
    const DistanceReport& distance = *report.distance;
    MissCounts all;
    std::array<MissCounts, kActivities> by_activity;
    std::array<MissCounts, kSuppliers> by_supplier;
    std::vector<MissCounts> by_node(distance.topology.nodes);
    for (std::size_t p = 0; p < distance.misses.size(); ++p)
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t s = 0; s < kSuppliers; ++s)
                for (MissCounts* sum : {&all, &by_activity[a], &by_supplier[s],
                                        &by_node[p / distance.topology.processors_per_node]})
                    *sum += distance.misses[p][a][s];
    Json json = object(kMisses, report, all);
    for (std::size_t a = 0; a < kActivities; ++a)
        json["by_activity"][kActivityNames[a]] = object(kMisses, report, by_activity[a]);
    for (std::size_t s = 0; s < kSuppliers; ++s)
        json["by_supplier"][kSupplierNames[s]] = object(kMisses, report, by_supplier[s]);
    json["by_node"] = list(kMisses, report, by_node);
    return json;
}

void add_misses(Table<RunReport>& table) {
    table.push_back({"misses", "",
                     "transactions that brought a processor a line; absent on a machine without "
                     "several nodes",
                     misses, has_nodes});
    describe_parts(table, "misses", kMisses);
    table.push_back({"misses.by_activity", "", "the same by activity of the processor"});
    describe_parts(table, "misses.by_activity.ACTIVITY", kMisses);
    table.push_back({"misses.by_supplier", "", "the same by who had the line"});
    for (std::size_t s = 0; s < kSuppliers; ++s) {
        const std::string path = "misses.by_supplier." + std::string(kSupplierNames[s]);
        table.push_back({path, "", std::string(kSupplierMeanings[s])});
        describe_parts(table, path, kMisses);
    }
    table.push_back({"misses.by_node[]", "", "the same by node of the processor, in order"});
    describe_parts(table, "misses.by_node[]", kMisses);
}

Json processors(const RunReport& report) {
    std::vector<ProcessorRow> all;
    for (ProcessorId p = 0; p < report.processors.size(); ++p) all.push_back({report, p});
    return list(kProcessor, report, all);
}

}  // namespace

void add_processors_and_bus(Table<RunReport>& table) {
    add_list(table, {"processors[]", "", "one per processor, in order of number", processors},
             kProcessor);
    add(table, "bus", kBus);
    add_devices(table);
    add_misses(table);
}

}  // namespace symsim
