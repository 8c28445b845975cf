// SPDX-License-Identifier: MIT
#include "sim/observe/csv_files.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

struct Row {
    const LockReport& lock;
    ProcessorId processor;
    const LockTimes& t;
};

}  // namespace

// A row for each lock and each processor that passed a probe point of it.
RunFile locks_csv() {
    return csv_file<Row>(
        {"locks.csv", "locks, a row per lock and processor", "", "yes"},
        {
            {"lock", "", "the lock's symbol, or its address if it has none",
             [](auto& r) { return r.lock.name; }},
            {"address", "", "as hexadecimal text",
             [](auto& r) { return hex_text(r.lock.address); }},
            {"processor", "", "its number", &Row::processor},
            {"attempts", "count", "times it passed lock_attempt",
             [](auto& r) { return r.t.attempts; }},
            {"acquisitions", "count", "times it passed lock_acquired",
             [](auto& r) { return r.t.acquisitions; }},
            {"releases", "count", "times it passed lock_release",
             [](auto& r) { return r.t.releases; }},
            {"wait_us", "us", "from attempt to acquisition: sum",
             [](auto& r) { return r.t.waits.sum; }},
            {"max_wait_us", "us", "longest", [](auto& r) { return r.t.waits.longest; }},
            {"hold_us", "us", "from acquisition to release: sum",
             [](auto& r) { return r.t.holds.sum; }},
            {"max_hold_us", "us", "longest", [](auto& r) { return r.t.holds.longest; }},
            {"open_wait_us", "us",
             "of a wait that has not ended at the end of the run; not in wait_us",
             [](auto& r) { return r.t.open_wait; }},
            {"open_hold_us", "us",
             "of a hold that has not ended at the end of the run; not in hold_us",
             [](auto& r) { return r.t.open_hold; }},
            {"waited_for_preempted_holder_us", "us",
             "time for which a process waited on this processor for a process that was not "
             "running: the holder or, of a free lock, the next to acquire it; only if the run had "
             "processes",
             [](auto& r) { return r.t.waited_for_preempted_holder; }, has_processes},
            {"handoffs", "count",
             "acquisitions of a lock that this or another processor had released; this and the "
             "following only on a machine of several nodes",
             [](auto& r) { return r.t.handoffs.count; }, has_nodes},
            {"handoffs_own_processor", "count", "of them: it had released the lock itself",
             [](auto& r) { return r.t.handoffs.own_processor; }, has_nodes},
            {"handoffs_own_node", "count", "another processor of its node had",
             [](auto& r) { return r.t.handoffs.own_node; }, has_nodes},
            {"handoffs_other_nodes", "count", "a processor of another node had",
             [](auto& r) { return r.t.handoffs.other_nodes(); }, has_nodes},
            {"handoff_links", "count",
             "links of a ring from the node that released to this one, in the ring's direction: "
             "sum over the handoffs",
             [](auto& r) { return r.t.handoffs.links; }, has_nodes},
        },
        [](const RunReport& report, const auto& write) {
            for (const LockReport& lock : report.locks)
                for (const auto& [processor, times] : lock.processors)
                    write({lock, processor, times});
        });
}

}  // namespace symsim
