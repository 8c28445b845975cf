// SPDX-License-Identifier: MIT
// The keys of summary.json about locks, processes, calls, address spaces and regions.
#include "sim/observe/numbers.h"
#include "sim/observe/summary_json.h"

namespace symsim {
namespace {

const Table<LockReport> kLock = {
    {"name", "", "the lock's symbol, or its address if it has none", &LockReport::name},
    {"address", "", "as hexadecimal text", [](auto& l) { return hex_text(l.address); }},
    {"processors", "count", "number of processors that used it",
     [](auto& l) { return l.processors.size(); }},
    {"attempts", "count", "times lock_attempt was passed", [](auto& l) { return l.all.attempts; }},
    {"acquisitions", "count", "times lock_acquired was passed",
     [](auto& l) { return l.all.acquisitions; }},
    {"releases", "count", "times lock_release was passed", [](auto& l) { return l.all.releases; }},
    {"wait_us", "us", "from attempt to acquisition: sum", [](auto& l) { return l.all.waits.sum; }},
    {"mean_wait_us", "us", "per acquisition", [](auto& l) { return l.all.waits.mean(); }},
    {"max_wait_us", "us", "longest", [](auto& l) { return l.all.waits.longest; }},
    {"hold_us", "us", "from acquisition to release: sum", [](auto& l) { return l.all.holds.sum; }},
    {"mean_hold_us", "us", "per release", [](auto& l) { return l.all.holds.mean(); }},
    {"max_hold_us", "us", "longest", [](auto& l) { return l.all.holds.longest; }},
    {"open_wait_us", "us", "of processors still waiting at the end, until the end; not in wait_us",
     [](auto& l) { return l.all.open_wait; }},
    {"open_hold_us", "us",
     "of a processor still holding it at the end, until the end; not in hold_us",
     [](auto& l) { return l.all.open_hold; }},
    {"waited_for_preempted_holder_us", "us",
     "time for which processes waited on a processor for a process that was not running: the "
     "holder or, of a free lock, the next to acquire it; absent if the run had no processes",
     [](auto& l) { return l.all.waited_for_preempted_holder; }, has_processes},
    {"handoffs", "count",
     "acquisitions of the lock after it had been released; this and the following only on a "
     "machine of several nodes",
     [](auto& l) { return l.all.handoffs.count; }, has_nodes},
    {"handoffs_own_processor", "count", "of them: to the processor that had released it",
     [](auto& l) { return l.all.handoffs.own_processor; }, has_nodes},
    {"handoffs_own_node", "count", "to another processor of its node",
     [](auto& l) { return l.all.handoffs.own_node; }, has_nodes},
    {"handoffs_other_nodes", "count", "to another node",
     [](auto& l) { return l.all.handoffs.other_nodes(); }, has_nodes},
    {"mean_handoff_links", "ratio",
     "links of a ring from the node that released to the one that acquired, in the ring's "
     "direction, per handoff",
     [](auto& l) { return l.all.handoffs.mean_links(); }, has_nodes},
};

// All processes together.
struct Processes {
    explicit Processes(const RunReport& report) : count(report.processes.size()) {
        for (const ProcessTimes& one : report.processes) {
            all += one;
            ended += one.ended != kNever;
        }
    }
    std::size_t count, ended = 0;
    ProcessTimes all;
};

Table<Processes> make_processes() {
    Table<Processes> table = {
        {"count", "count", "processes that were created", &Processes::count},
        {"ended", "count", "of which have ended", &Processes::ended},
        {"states_us", "us",
         "time in each state, as in processes.csv; sums to the time from creation to end, or to "
         "the end of the run, of all processes"},
    };
    add_each(
        table, "states_us.", kProcessStateNames, "", "us",
        [](std::size_t state) { return kProcessStateMeanings[state]; },
        [](auto& p) { return p.all.states; });
    add(table, "",
        {
            {"quanta", "count", "times a processor began to run a process",
             [](auto& p) { return p.all.quanta; }},
            {"preemptions", "count", "times process_preempt was passed",
             [](auto& p) { return p.all.preemptions; }},
            {"extensions", "count", "quanta that the kernel extended: process_warn",
             [](auto& p) { return p.all.extensions; }},
            {"yields", "count", "times process_yield was passed",
             [](auto& p) { return p.all.yields; }},
            {"blocks", "count", "times process_block was passed",
             [](auto& p) { return p.all.blocks; }},
            {"migrations", "count", "times a process ran on another processor than before",
             [](auto& p) { return p.all.migrations; }},
            {"acquisitions", "count", "times a process passed lock_acquired outside the kernel",
             [](auto& p) { return p.all.acquisitions; }},
        });
    return table;
}
const Table<Processes> kProcesses = make_processes();

const Table<ProcessFaultReport> kProcessFault = {
    {"process", "", "its number", [](auto& f) { return f.fault.process; }},
    {"processor", "", "that ran it", [](auto& f) { return f.fault.processor; }},
    {"time_us", "us", "when the kernel reported the fault", [](auto& f) { return f.fault.at; }},
    {"eip", "", "address of the instruction, as hexadecimal text",
     [](auto& f) { return hex_text(f.fault.eip); }},
    {"symbol", "", "the same as function and offset", &ProcessFaultReport::symbol},
    {"source", "", "the same as file:line, if the image has line tables; else empty",
     &ProcessFaultReport::source},
};

void add_processes(Table<RunReport>& table) {
    table.push_back({"processes", "",
                     "all processes of the guest together; absent if it reports none",
                     [](auto& r) { return object(kProcesses, r, Processes(r)); }, has_processes});
    describe_parts(table, "processes", kProcesses);
    add_list(table,
             {"processes.faults[]", "",
              "faults of processes in order of time; the kernel ends a process that faults",
              [](auto& r) { return list(kProcessFault, r, r.faults); }, has_processes},
             kProcessFault);
}

void add_calls(Table<RunReport>& table) {
    add(table, "calls",
        {
            {"", "", "calls between address spaces by messages; absent if the guest reports none",
             empty_object},
            {".count", "count", "calls that have returned", [](auto& r) { return r.calls->calls; }},
            {".served", "count", "procedures that servers have entered",
             [](auto& r) { return r.calls->served; }},
            {".parts_us", "us",
             "time in each part, as in calls.csv; sums to the time of all processors"},
        },
        has_calls);
    const auto times = [](const RunReport& r, bool per_call) {
        std::array<Time, kCallParts> times{};
        for (std::size_t p = 0; p < kCallParts; ++p)
            times[p] = mean(r.calls->parts[p].sum, per_call ? r.calls->calls : 1);
        return times;
    };
    add_each(
        table, "calls.parts_us.", kCallPartNames, "", "us",
        [](std::size_t part) { return kCallPartMeanings[part]; },
        [times](const RunReport& r) { return times(r, false); }, has_calls);
    table.push_back(
        {"calls.parts_per_call_us", "us", "the same, by the number of calls that have returned"});
    add_each(
        table, "calls.parts_per_call_us.", kCallPartNames, "", "us",
        [](std::size_t part) {
            return "parts_us." + std::string(kCallPartNames[part]) + " / count";
        },
        [times](const RunReport& r) { return times(r, true); }, has_calls);
}

struct Space {
    std::optional<std::size_t> number;
    const SpaceTimes& times;
};

Table<Space> make_space() {
    Table<Space> table = {
        {"space", "", "its number, or null", &Space::number},
        {"name", "", "as the image calls it", [](auto& s) { return s.times.name; }},
        {"processors_us", "us", "time of the processors that it has",
         [](auto& s) { return s.times.held(); }},
        {"activities_us.ACTIVITY", "us", "the part in that activity",
         [](auto& s) { return s.times.activities; }},
        {"arrivals", "count", "times a processor came; without an upcall where it was preempted",
         [](auto& s) { return s.times.arrivals; }},
        {"upcalls", "count", "arrivals by an upcall, by its reason"},
    };
    add_each(
        table, "upcalls.", kUpcallReasonNames, "", "count",
        [](std::size_t reason) { return kUpcallReasonMeanings[reason]; },
        [](auto& s) { return s.times.upcalls; });
    add(table, "",
        {
            {"donations", "count", "times it gave a processor to another space, or back",
             [](auto& s) { return s.times.donations; }},
            {"preemptions", "count", "times the kernel took a processor away",
             [](auto& s) { return s.times.preemptions; }},
            {"calls", "count", "calls that its threads have begun",
             [](auto& s) { return s.times.calls; }},
            {"served", "count", "calls that it has served", [](auto& s) { return s.times.served; }},
            {"polls", "count", "times a processor without a thread looked for messages",
             [](auto& s) { return s.times.polls; }},
            {"found", "count", "messages that it has received",
             [](auto& s) { return s.times.found; }},
        });
    return table;
}
const Table<Space> kSpace = make_space();

Json spaces(const RunReport& report) {
    std::vector<Space> all;
    for (const SpaceTimes& space : report.spaces) all.push_back({all.size(), space});
    all.back().number.reset();
    return list(kSpace, report, all);
}

const Table<RegionReport> kRegion = {
    {"number", "", "of the region, as the guest chose", &RegionReport::number},
    {"processors", "count", "number of processors that began or ended it",
     &RegionReport::processors},
    {"begins", "count", "times region_begin was passed", &RegionReport::begins},
    {"ends", "count", "times region_end was passed", &RegionReport::ends},
    {"first_begin_us", "us", "time of its first begin, by any processor; null if there was none",
     [](auto& r) { return r.begins ? Json(r.first_begin) : Json(); }},
    {"last_end_us", "us", "time of its last end, by any processor; null if there was none",
     [](auto& r) { return r.ends ? Json(r.last_end) : Json(); }},
    {"inside_us", "us", "from begin to end on one processor: sum",
     [](auto& r) { return r.inside.sum; }},
    {"mean_inside_us", "us", "per end", [](auto& r) { return r.inside.mean(); }},
    {"max_inside_us", "us", "longest", [](auto& r) { return r.inside.longest; }},
    {"open_us", "us", "of regions that have not ended, until the end of the run; not in inside_us",
     &RegionReport::open},
};

}  // namespace

void add_locks_and_processes(Table<RunReport>& table) {
    add_list(table,
             {"locks[]", "", "one per lock, in order of address; all processors together",
              [](auto& r) { return list(kLock, r, r.locks); }},
             kLock);
    add_processes(table);
    add_calls(table);
    add_list(table,
             {"spaces[]", "",
              "address spaces, as in spaces.csv; the last one, of no number, is for processors "
              "that are in no space yet; absent if the guest has one",
              spaces, has_spaces},
             kSpace);
    add_list(table,
             {"regions[]", "",
              "one per region that region_begin and region_end mark; all processors together",
              [](auto& r) { return list(kRegion, r, r.regions); }},
             kRegion);
}

}  // namespace symsim
