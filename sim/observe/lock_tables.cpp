// SPDX-License-Identifier: MIT
// locks.csv; locks and regions in summary.json.
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"

namespace symsim {
namespace {

// Of a lock on one processor in locks.csv, on all together in summary.json.
const Table<LockTimes> kTimes = {
    {"attempts", "count", "times lock_attempt was passed", &LockTimes::attempts},
    {"acquisitions", "count", "times lock_acquired was passed", &LockTimes::acquisitions},
    {"releases", "count", "times lock_release was passed", &LockTimes::releases},
    {"wait_us", "us", "from attempt to acquisition: sum", [](auto& t) { return t.waits.sum; }},
    {"mean_wait_us", "us", "per acquisition", [](auto& t) { return t.waits.mean(); }},
    {"max_wait_us", "us", "longest", [](auto& t) { return t.waits.longest; }},
    {"hold_us", "us", "from acquisition to release: sum", [](auto& t) { return t.holds.sum; }},
    {"mean_hold_us", "us", "per release", [](auto& t) { return t.holds.mean(); }},
    {"max_hold_us", "us", "longest", [](auto& t) { return t.holds.longest; }},
    {"open_wait_us", "us", "of waits that have not ended at the end of the run; not in wait_us",
     &LockTimes::open_wait},
    {"open_hold_us", "us", "of holds that have not ended at the end of the run; not in hold_us",
     &LockTimes::open_hold},
    {"waited_for_preempted_holder_us", "us",
     "time for which processes waited on a processor for a process that was not running: the "
     "holder or, of a free lock, the next to acquire it; absent if the run had no processes",
     &LockTimes::waited_for_preempted_holder, has_processes},
    {"handoffs", "count",
     "acquisitions of the lock after it had been released; this and the following only on a "
     "machine of several nodes",
     [](auto& t) { return t.handoffs.count; }, has_nodes},
    {"handoffs_own_processor", "count", "of them: to the processor that had released it",
     [](auto& t) { return t.handoffs.own_processor; }, has_nodes},
    {"handoffs_own_node", "count", "to another processor of its node",
     [](auto& t) { return t.handoffs.own_node; }, has_nodes},
    {"handoffs_other_nodes", "count", "to another node",
     [](auto& t) { return t.handoffs.other_nodes(); }, has_nodes},
    {"handoff_links", "count",
     "links of a ring from the node that released to the one that acquired, in the ring's "
     "direction: sum over the handoffs",
     [](auto& t) { return t.handoffs.links; }, has_nodes},
    {"mean_handoff_links", "ratio",
     "links of a ring from the node that released to the one that acquired, in the ring's "
     "direction, per handoff",
     [](auto& t) { return t.handoffs.mean_links(); }, has_nodes},
};

struct LockRow {
    const LockReport& lock;
    ProcessorId processor;
    const LockTimes& times;
};

Table<LockRow> rows() {
    Table<LockRow> table = {
        {"lock", "", "the lock's symbol, or its address if it has none",
         [](auto& r) { return r.lock.name; }},
        {"address", "", "as hexadecimal text", [](auto& r) { return hex_text(r.lock.address); }},
        {"processor", "", "its number", &LockRow::processor},
    };
    add_part(table, kTimes, [](auto& r) -> auto& { return r.times; },
             {"mean_wait_us", "mean_hold_us", "mean_handoff_links"});
    return table;
}

Table<LockReport> locks() {
    Table<LockReport> table = {
        {"name", "", "the lock's symbol, or its address if it has none", &LockReport::name},
        {"address", "", "as hexadecimal text", [](auto& l) { return hex_text(l.address); }},
        {"processors", "count", "number of processors that used it",
         [](auto& l) { return l.processors.size(); }},
    };
    add_part(table, kTimes, &LockReport::all, {"handoff_links"});
    return table;
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

// A row for each lock and each processor that passed a probe point of it.
RunFile locks_csv() {
    return csv_file<LockRow>({"locks.csv", "locks, a row per lock and processor", "", "yes"},
                             rows(), [](const RunReport& report, const auto& write) {
                                 for (const LockReport& lock : report.locks)
                                     for (const auto& [processor, times] : lock.processors)
                                         write({lock, processor, times});
                             });
}

void add_locks(Table<RunReport>& table) {
    add_list(table, "locks[]", "one per lock, in order of address; all processors together",
             locks(), &RunReport::locks);
}

void add_regions(Table<RunReport>& table) {
    add_list(table, "regions[]",
             "one per region that region_begin and region_end mark; all processors together",
             kRegion, &RunReport::regions);
}

}  // namespace symsim
