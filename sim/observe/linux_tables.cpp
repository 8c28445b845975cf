// SPDX-License-Identifier: MIT
// system_calls.csv and futexes.csv; the Linux program in summary.json.
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"

namespace symsim {
namespace {

struct VisitRow {
    const KernelVisits& all;
    Time clock;
    std::uint64_t clocks() const { return static_cast<std::uint64_t>(all.ran / clock); }
};

const Table<VisitRow> kVisit = {
    {"call", "",
     "name of the system call; page_fault; or interrupt: also other exceptions, and the begin of a "
     "thread",
     [](auto& r) { return r.all.name; }},
    {"count", "count", "how often a thread entered the kernel for it",
     [](auto& r) { return r.all.visits.count; }},
    {"clocks", "clocks", "of processors in the kernel; waits for the bus count, sleeps do not",
     [](auto& r) { return r.clocks(); }},
    {"clocks_per_call", "clocks", "clocks / count",
     [](auto& r) { return r.all.visits.count == 0 ? 0 : r.clocks() / r.all.visits.count; }},
    {"kernel_us", "us", "the same as clocks, as time; all rows sum to linux.kernel_us",
     [](auto& r) { return r.all.ran; }},
    {"elapsed_us", "us", "from the entry to the return to the program",
     [](auto& r) { return r.all.visits.sum; }},
    {"longest_us", "us", "the longest one of elapsed_us",
     [](auto& r) { return r.all.visits.longest; }},
    {"bus_uses", "count", "uses of the bus that the processor began meanwhile",
     [](auto& r) { return r.all.uses; }},
    {"bus_us", "us", "the time of these uses", [](auto& r) { return r.all.bus; }},
};

const Table<FutexWaits> kFutex = {
    {"process", "", "number of the process whose threads slept", &FutexWaits::process},
    {"word", "", "address of the futex, as hexadecimal text",
     [](auto& f) { return hex_text(f.word); }},
    {"symbol", "", "the same as variable and offset; empty if it is in none", &FutexWaits::symbol},
    {"function", "",
     "that slept: the innermost one whose name does not begin with an underscore, such as "
     "pthread_mutex_lock",
     &FutexWaits::function},
    {"caller", "", "of that function", &FutexWaits::caller},
    {"woken_by", "", "number of the thread that ended the sleeps; empty: no thread did",
     &FutexWaits::by},
    {"woken_in", "",
     "what it did: the name of a system call; interrupt: a timer ended them; empty: they had not "
     "ended at the end of the run",
     &FutexWaits::by_call},
    {"waits", "count", "number of sleeps", [](auto& f) { return f.waits.count; }},
    {"wait_us", "us", "from the thread's block to its wake", [](auto& f) { return f.waits.sum; }},
    {"longest_us", "us", "the longest one", [](auto& f) { return f.waits.longest; }},
};

using Event = std::pair<std::string, std::uint64_t>;
const Table<Event> kEvent = {
    {"event", "", "provider:name of a static probe (sys/sdt.h)", &Event::first},
    {"count", "count", "times a thread passed it", &Event::second},
};

std::vector<VisitRow> visits(const RunReport& report) {
    std::vector<VisitRow> rows;
    if (!report.linux) return rows;
    for (const KernelVisits& all : report.linux->visits) rows.push_back({all, report.linux->clock});
    return rows;
}

}  // namespace

void add_linux(Table<RunReport>& table) {
    add(table, "linux",
        {
            {"", "", "threads and kernel of a Linux program; absent for other guests",
             empty_object},
            {".user_us", "us", "of processors that ran the program; the four sum to all their time",
             [](auto& r) { return r.linux->user; }},
            {".kernel_us", "us", "... that ran the kernel for a thread",
             [](auto& r) { return r.linux->kernel; }},
            {".scheduler_us", "us", "... that ran the kernel for no thread",
             [](auto& r) { return r.linux->scheduler; }},
            {".idle_us", "us", "... that were halted until there was a thread to run",
             [](auto& r) { return r.linux->idle; }},
            {".switches", "count", "times a processor began to run a thread",
             [](auto& r) { return r.linux->switches; }},
            {".migrations", "count", "times that was another processor than before",
             [](auto& r) { return r.linux->migrations; }},
        },
        has_linux);
    add_list(table, "linux.system_calls[]", "as in system_calls.csv", kVisit, visits, has_linux);
    add_list(
        table, "linux.futexes[]", "as in futexes.csv", kFutex,
        [](auto& r) { return r.linux->futexes; }, has_linux);
    add_list(
        table, "linux.events[]", "static probes of the program, in the order of its notes", kEvent,
        [](auto& r) { return r.linux->events; }, has_linux);
}

// A row for each system call, and for page faults and interrupts.
RunFile system_calls_csv() {
    return csv_file<VisitRow>(
        {"system_calls.csv", "the kernel of a Linux program, a row for each system call",
         "a Linux program", "yes", has_linux},
        kVisit, [](const RunReport& report, const auto& write) {
            for (const VisitRow& row : visits(report)) write(row);
        });
}

// A row for each futex, caller, and thread that ended the sleeps.
RunFile futexes_csv() {
    return csv_file<FutexWaits>(
        {"futexes.csv", "sleeps on futexes: a row for each word, caller and thread that ended them",
         "a Linux program", "yes", has_linux},
        kFutex, [](const RunReport& report, const auto& write) {
            for (const FutexWaits& row : report.linux->futexes) write(row);
        });
}

}  // namespace symsim
