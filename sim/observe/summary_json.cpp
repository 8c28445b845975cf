// SPDX-License-Identifier: MIT
#include "sim/observe/summary_json.h"

#include <nlohmann/json.hpp>

#include <numeric>

#include "sim/cpu/delivery/exception_text.h"
#include "sim/cpu/state/fault.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"
#include "sim/processor/activity.h"
#include "sim/processor/processor_state.h"

namespace symsim {
namespace {

using Json = nlohmann::ordered_json;

// {name: microseconds}. Up to 2^53 ps (2.5 simulated hours) to_us() is precise enough that the
// shortest decimal which reads back as the same double is the exact value.
template <class Names, class Times>
Json us_by_name(const Names& names, const Times& times) {
    Json json = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) json[std::string(names[i])] = to_us(times[i]);
    return json;
}

template <class Names, class Counts>
Json count_by_name(const Names& names, const Counts& counts) {
    Json json = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) json[std::string(names[i])] = counts[i];
    return json;
}

// A JSON number or truth value if the text is one, else the text as a string.
Json value_of(const std::string& text) {
    Json value = Json::parse(text, nullptr, false);
    return value.is_primitive() && !value.is_null() ? value : Json(text);
}

Json processor_json(const RunReport& report, ProcessorId p) {
    const ProcessorTimes& times = report.processors[p];
    const BusTotals::ByActivity& busy = report.bus.busy_by_processor[p];
    Json by_activity = Json::object();
    std::array<Time, kActivities> bus_activities{};
    for (std::size_t a = 0; a < kActivities; ++a) {
        by_activity[std::string(kActivityNames[a])] =
            us_by_name(kProcessorStateNames, times.states_by_activity[a]);
        bus_activities[a] = std::accumulate(busy[a].begin(), busy[a].end(), Time{0});
    }
    const Time bus_busy = std::accumulate(bus_activities.begin(), bus_activities.end(), Time{0});
    const std::uint64_t transactions = report.bus.transactions_by_processor[p];
    const Time wait = report.bus.wait_by_processor[p];
    return {{"processor", p},
            {"instructions", report.instructions[p]},
            {"states_us", us_by_name(kProcessorStateNames, times.states)},
            {"activities_us", us_by_name(kActivityNames, times.activities)},
            {"states_us_by_activity", by_activity},
            {"bus_transactions", transactions},
            {"bus_busy_us", to_us(bus_busy)},
            {"bus_busy_us_by_activity", us_by_name(kActivityNames, bus_activities)},
            {"bus_wait_us", to_us(wait)},
            {"bus_mean_wait_us", to_us(mean(wait, transactions))}};
}

Json bus_json(const RunReport& report) {
    const BusTotals& bus = report.bus;
    const std::uint64_t all = bus.all_transactions();
    const auto transactions = bus.transactions();
    BusTotals::ByKind mean_wait{};
    for (std::size_t k = 0; k < kTransactionKinds; ++k)
        mean_wait[k] = mean(bus.wait[k], transactions[k]);
    Json by_activity = Json::object();
    Json counts_by_activity = Json::object();
    const auto busy = bus.busy_by_activity();
    for (std::size_t a = 0; a < kActivities; ++a) {
        const std::string name(kActivityNames[a]);
        by_activity[name] = us_by_name(kTransactionKindNames, busy[a]);
        counts_by_activity[name] =
            count_by_name(kTransactionKindNames, bus.transactions_by_activity[a]);
    }
    Json json = {{"busy_us", to_us(bus.busy)},
                 {"utilisation", ratio(bus.busy, bus.capacity(report.end))},
                 {"all_transactions", all},
                 {"transactions", count_by_name(kTransactionKindNames, transactions)},
                 {"transactions_by_activity", counts_by_activity},
                 {"busy_us_by_activity", by_activity},
                 {"mean_occupancy_us", to_us(mean(bus.busy, all))},
                 {"wait_us", to_us(bus.all_wait())},
                 {"mean_wait_us", to_us(mean(bus.all_wait(), all))},
                 {"max_wait_us", to_us(bus.max_wait)},
                 {"mean_wait_us_by_kind", us_by_name(kTransactionKindNames, mean_wait)},
                 {"mean_queue_length", ratio(bus.all_wait(), report.end)},
                 {"replies", bus.replies},
                 {"mean_reply_wait_us", to_us(mean(bus.reply_wait, bus.replies))},
                 {"interval_us", to_us(report.interval)}};
    if (bus.held > 0) json["held_us"] = to_us(bus.held);
    if (bus.resources > 1) json["resources"] = bus.resources;
    return json;
}

Json miss_json(const MissCounts& counts) {
    return {{"near", counts.near()},
            {"far", counts.far},
            {"near_time_us", to_us(counts.near_time())},
            {"far_time_us", to_us(counts.far_time)},
            {"mean_near_us", to_us(mean(counts.near_time(), counts.near()))},
            {"mean_far_us", to_us(mean(counts.far_time, counts.far))},
            {"links", counts.links}};
}

// All misses; those of each activity, supplier, node and processor.
Json misses_json(const DistanceReport& distance) {
    MissCounts all;
    std::array<MissCounts, kActivities> by_activity;
    std::array<MissCounts, kSuppliers> by_supplier;
    std::vector<MissCounts> by_node(distance.topology.nodes);
    for (std::size_t p = 0; p < distance.misses.size(); ++p)
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t s = 0; s < kSuppliers; ++s) {
                const MissCounts& counts = distance.misses[p][a][s];
                for (MissCounts* sum : {&all, &by_activity[a], &by_supplier[s],
                                        &by_node[p / distance.topology.processors_per_node]})
                    *sum += counts;
            }
    Json json = miss_json(all);
    for (std::size_t a = 0; a < kActivities; ++a)
        json["by_activity"][std::string(kActivityNames[a])] = miss_json(by_activity[a]);
    for (std::size_t s = 0; s < kSuppliers; ++s)
        json["by_supplier"][std::string(kSupplierNames[s])] = miss_json(by_supplier[s]);
    json["by_node"] = Json::array();
    for (const MissCounts& counts : by_node) json["by_node"].push_back(miss_json(counts));
    return json;
}

Json lock_json(const LockReport& lock, bool processes, bool nodes) {
    const LockTimes& t = lock.all;
    Json json = {{"name", lock.name},
                 {"address", hex_text(lock.address)},
                 {"processors", lock.processors.size()},
                 {"attempts", t.attempts},
                 {"acquisitions", t.acquisitions},
                 {"releases", t.releases},
                 {"wait_us", to_us(t.waits.sum)},
                 {"mean_wait_us", to_us(mean(t.waits.sum, t.waits.count))},
                 {"max_wait_us", to_us(t.waits.longest)},
                 {"hold_us", to_us(t.holds.sum)},
                 {"mean_hold_us", to_us(mean(t.holds.sum, t.holds.count))},
                 {"max_hold_us", to_us(t.holds.longest)},
                 {"open_wait_us", to_us(t.open_wait)},
                 {"open_hold_us", to_us(t.open_hold)}};
    if (processes) json["waited_for_preempted_holder_us"] = to_us(t.waited_for_preempted_holder);
    if (nodes) {
        json["handoffs"] = t.handoffs.count;
        json["handoffs_own_processor"] = t.handoffs.own_processor;
        json["handoffs_own_node"] = t.handoffs.own_node;
        json["handoffs_other_nodes"] = t.handoffs.other_nodes();
        json["mean_handoff_links"] = t.handoffs.mean_links();
    }
    return json;
}

Json fault_json(const ProcessFaultReport& report) {
    return {{"process", report.fault.process},   {"processor", report.fault.processor},
            {"time_us", to_us(report.fault.at)}, {"eip", hex_text(report.fault.eip)},
            {"symbol", report.symbol},           {"source", report.source}};
}

// All processes together.
Json processes_json(const RunReport& report) {
    ProcessTimes all;
    std::size_t ended = 0;
    Json faults = Json::array();
    for (const ProcessFaultReport& fault : report.faults) faults.push_back(fault_json(fault));
    for (const ProcessTimes& one : report.processes) {
        all += one;
        if (one.ended != kNever) ++ended;
    }
    return {{"count", report.processes.size()},
            {"ended", ended},
            {"states_us", us_by_name(kProcessStateNames, all.states)},
            {"quanta", all.quanta},
            {"preemptions", all.preemptions},
            {"extensions", all.extensions},
            {"yields", all.yields},
            {"blocks", all.blocks},
            {"migrations", all.migrations},
            {"acquisitions", all.acquisitions},
            {"faults", faults}};
}

Json calls_json(const CallReport& calls) {
    std::array<Time, kCallParts> sums{}, means{};
    for (std::size_t p = 0; p < kCallParts; ++p) {
        sums[p] = calls.parts[p].sum;
        means[p] = mean(calls.parts[p].sum, calls.calls);
    }
    return {{"count", calls.calls},
            {"served", calls.served},
            {"parts_us", us_by_name(kCallPartNames, sums)},
            {"parts_per_call_us", us_by_name(kCallPartNames, means)}};
}

Json space_json(std::size_t number, const SpaceTimes& space, bool none) {
    return {{"space", none ? Json(nullptr) : Json(number)},
            {"name", space.name},
            {"processors_us", to_us(space.held())},
            {"activities_us", us_by_name(kActivityNames, space.activities)},
            {"arrivals", space.arrivals},
            {"upcalls", count_by_name(kUpcallReasonNames, space.upcalls)},
            {"donations", space.donations},
            {"preemptions", space.preemptions},
            {"calls", space.calls},
            {"served", space.served},
            {"polls", space.polls},
            {"found", space.found}};
}

Json region_json(const RegionReport& r) {
    return {{"number", r.number},
            {"processors", r.processors},
            {"begins", r.begins},
            {"ends", r.ends},
            {"first_begin_us", r.begins ? Json(to_us(r.first_begin)) : Json(nullptr)},
            {"last_end_us", r.ends ? Json(to_us(r.last_end)) : Json(nullptr)},
            {"inside_us", to_us(r.inside.sum)},
            {"mean_inside_us", to_us(mean(r.inside.sum, r.inside.count))},
            {"max_inside_us", to_us(r.inside.longest)},
            {"open_us", to_us(r.open)}};
}

Json guest_json(const GuestReport& guest) {
    // The names differ. emplace() would compare each name with all before it.
    Json::object_t results;
    for (const auto& [name, value] : guest.results) results.emplace_back(name, value_of(value));
    Json codes = Json::array();
    for (const PostCode& post : guest.post_codes)
        codes.push_back({{"time_us", to_us(post.time)}, {"code", post.code}});
    Json json = {{"image", guest.image}, {"sha256", guest.sha256}};
    if (!guest.stdin_sha256.empty()) json["stdin_sha256"] = guest.stdin_sha256;
    json["compiler"] = guest.compiler;
    json["flags"] = guest.flags;
    json["exit_status"] = guest.exit_status ? Json(*guest.exit_status) : Json(nullptr);
    json["results"] = std::move(results);
    json["post_codes"] = codes;
    json["post_codes_left_out"] = guest.post_codes_left_out;
    if (guest.exit_status.value_or(0) != 0) json["last_line"] = guest.last_line;
    for (const UnusedArgument& unused : guest.unused_arguments)
        json["unused_arguments"].push_back({{"name", unused.name}, {"hint", unused.hint}});
    return json;
}

Json exception_json(const GuestFailure& f) {
    if (!f.vector) return nullptr;
    const auto hex = [](const std::optional<std::uint32_t>& value) {
        return value ? Json(hex_text(*value)) : Json(nullptr);
    };
    return {{"vector", *f.vector},
            {"mnemonic", fault_name(*f.vector).mnemonic},
            {"error_code", hex(f.error_code)},
            {"cr2", hex(f.cr2)},
            {"text", exception_text(f)}};
}

Json failure_json(const std::optional<FailureReport>& failure) {
    if (!failure) return nullptr;
    const GuestFailure& f = failure->failure;
    Json branches = Json::array();
    for (const BranchReport& branch : failure->branches)
        branches.push_back({{"from", branch.from}, {"to", branch.to}});
    return {{"what", f.what},
            {"fix", f.fix},
            {"processor", f.processor},
            {"time_us", to_us(f.time)},
            {"eip", hex_text(f.eip)},
            {"symbol", failure->symbol},
            {"source", failure->source},
            {"exception", exception_json(f)},
            {"registers", failure->registers},
            {"backtrace", failure->backtrace},
            {"branches", branches}};
}

Json position_json(ProcessorId processor, const ProcessorPosition& position) {
    return {{"processor", processor},
            {"state", name(position.state)},
            {"interrupts", position.interrupts},
            {"eip", hex_text(position.eip)},
            {"symbol", position.symbol},
            {"source", position.source},
            {"lock", position.lock.empty() ? Json(nullptr) : Json(position.lock)}};
}

Json thread_json(const ThreadPosition& thread) {
    return {{"number", thread.number}, {"function", thread.function}, {"waits_for", thread.wait}};
}

Json sync_bus_json(const SyncBusReport& report) {
    const SyncBusCounts all = report.all();
    const auto operations = static_cast<Time>(all.operations());
    Json json = {{"operations", all.operations()},
                 {"test_and_sets", all.test_and_sets},
                 {"failed", all.failed},
                 {"writes", all.writes},
                 {"busy_us", to_us(operations * report.occupancy)},
                 {"wait_us", to_us(all.wait)},
                 {"mean_wait_us", to_us(mean(all.wait, all.operations()))},
                 {"max_wait_us", to_us(all.max_wait)}};
    for (ProcessorId p = 0; p < report.processors.size(); ++p) {
        const SyncBusCounts& counts = report.processors[p];
        json["processors"].push_back({{"processor", p},
                                      {"operations", counts.operations()},
                                      {"failed", counts.failed},
                                      {"wait_us", to_us(counts.wait)}});
    }
    return json;
}

Json preemption_json(const PreemptionReport& p) {
    const auto if_arrived = [&](const auto& value) {
        return p.arrived ? Json(value) : Json(nullptr);
    };
    return {{"processor", p.processor},
            {"arrived", p.arrived},
            {"time_us", if_arrived(to_us(p.time))},
            {"eip", if_arrived(hex_text(p.eip))},
            {"symbol", if_arrived(p.symbol)}};
}

Json schedule_json(const std::vector<ScheduleReport>& schedule) {
    Json json = Json::array();
    for (const ScheduleReport& s : schedule) {
        const auto if_reached = [&](const auto& value) {
            return s.outcome.reached ? Json(value) : Json(nullptr);
        };
        json.push_back({{"entry", s.entry},
                        {"reached", s.outcome.reached},
                        {"start_us", if_reached(to_us(s.outcome.start))},
                        {"end_us", if_reached(to_us(s.outcome.end))},
                        {"eip", if_reached(hex_text(s.outcome.eip))},
                        {"symbol", if_reached(s.symbol)}});
    }
    return json;
}

Json trace_json(const TraceReport* trace) {
    if (!trace) return nullptr;
    return {{"file", trace->file},
            {"complete", trace->complete},
            {"from_us", to_us(trace->from)},
            {"until_us", to_us(trace->until)}};
}

}  // namespace

std::string summary_json(const RunReport& report) {
    Json json = {{"schema_version", kSchemaVersion},
                 {"status", name(report.status)},
                 {"partial", report.partial},
                 {"simulated_us", to_us(report.end)},
                 {"instructions", report.all_instructions()}};
    json["processors"] = Json::array();
    for (ProcessorId p = 0; p < report.processors.size(); ++p) {
        json["processors"].push_back(processor_json(report, p));
    }
    json["bus"] = bus_json(report);
    if (report.sync_bus) json["sync_bus"] = sync_bus_json(*report.sync_bus);
    if (report.distance) json["misses"] = misses_json(*report.distance);
    json["locks"] = Json::array();
    const bool processes = !report.processes.empty();
    const bool nodes = report.distance.has_value();
    for (const LockReport& lock : report.locks)
        json["locks"].push_back(lock_json(lock, processes, nodes));
    if (processes) json["processes"] = processes_json(report);
    if (report.calls) json["calls"] = calls_json(*report.calls);
    for (std::size_t s = 0; s < report.spaces.size(); ++s)
        json["spaces"].push_back(space_json(s, report.spaces[s], s + 1 == report.spaces.size()));
    json["regions"] = Json::array();
    for (const RegionReport& region : report.regions)
        json["regions"].push_back(region_json(region));
    json["guest"] = guest_json(report.guest);
    json["failure"] = failure_json(report.failure);
    for (ProcessorId p = 0; p < report.positions.size(); ++p)
        json["positions"].push_back(position_json(p, report.positions[p]));
    for (const ThreadPosition& thread : report.threads)
        json["waiting_threads"].push_back(thread_json(thread));
    if (report.preemption) json["preemption"] = preemption_json(*report.preemption);
    if (!report.schedule.empty()) json["schedule"] = schedule_json(report.schedule);
    for (const char* key : {"trace", "transactions", "perfetto"})
        json[key] = trace_json(report.trace(key));
    json["config"] = Json::object();
    for (const auto& [key, value] : report.config) json["config"][key] = value_of(value);
    // A guest may report any bytes. Bytes that are not UTF-8 become U+FFFD.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::size_t summary_room(unsigned processors) {
    constexpr std::size_t kForAll = 96 << 10, kForEach = 4 << 10;
    return kForAll + processors * kForEach;
}

std::optional<WrittenFile> write_summary_json(const RunReport& report,
                                              const std::filesystem::path& path) {
    return write_file(path, summary_json(report));
}

}  // namespace symsim
