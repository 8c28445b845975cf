// SPDX-License-Identifier: MIT
#include "sim/observe/locks_csv.h"

#include <fmt/format.h>

#include <string>

#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"

namespace symsim {

// The columns in the order in which write_locks_csv() writes them.
Columns locks_csv_columns(bool processes, bool nodes) {
    Columns columns = {
        {"lock", "", "the lock's symbol, or its address if it has none"},
        {"address", "", "as hexadecimal text"},
        {"processor", "", "its number"},
        {"attempts", "count", "times it passed lock_attempt"},
        {"acquisitions", "count", "times it passed lock_acquired"},
        {"releases", "count", "times it passed lock_release"},
        {"wait_us", "us", "from attempt to acquisition: sum"},
        {"max_wait_us", "us", "longest"},
        {"hold_us", "us", "from acquisition to release: sum"},
        {"max_hold_us", "us", "longest"},
        {"open_wait_us", "us",
         "of a wait that has not ended at the end of the run; not in wait_us"},
        {"open_hold_us", "us",
         "of a hold that has not ended at the end of the run; not in hold_us"},
    };
    if (processes)
        columns.push_back({"waited_for_preempted_holder_us", "us",
                           "time for which a process waited on this processor for a process that "
                           "was not running: the holder or, of a free lock, the next to acquire "
                           "it; only if the run had processes"});
    if (nodes)
        for (const Column& column : Columns{
                 {"handoffs", "count",
                  "acquisitions of a lock that this or another processor had released; this and "
                  "the "
                  "following only on a machine of several nodes"},
                 {"handoffs_own_processor", "count", "of them: it had released the lock itself"},
                 {"handoffs_own_node", "count", "another processor of its node had"},
                 {"handoffs_other_nodes", "count", "a processor of another node had"},
                 {"handoff_links", "count",
                  "links of a ring from the node that released to this one, in the ring's "
                  "direction: sum over the handoffs"},
             })
            columns.push_back(column);
    return columns;
}

std::optional<WrittenFile> write_locks_csv(const RunReport& report,
                                           const std::filesystem::path& path) {
    OutputFile file(path);
    const bool processes = !report.processes.empty();
    const bool nodes = report.distance.has_value();
    file.write(csv_header(locks_csv_columns(processes, nodes)));
    for (const LockReport& lock : report.locks) {
        for (const auto& [processor, t] : lock.processors) {
            file.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", csv_field(lock.name),
                                   hex_text(lock.address), processor, t.attempts, t.acquisitions,
                                   t.releases, us_text(t.waits.sum), us_text(t.waits.longest),
                                   us_text(t.holds.sum), us_text(t.holds.longest),
                                   us_text(t.open_wait), us_text(t.open_hold)));
            if (processes) file.write("," + us_text(t.waited_for_preempted_holder));
            if (nodes)
                file.write(fmt::format(",{},{},{},{},{}", t.handoffs.count,
                                       t.handoffs.own_processor, t.handoffs.own_node,
                                       t.handoffs.other_nodes(), t.handoffs.links));
            file.write("\n");
        }
    }
    return file.commit();
}

}  // namespace symsim
