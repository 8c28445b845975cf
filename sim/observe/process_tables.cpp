// SPDX-License-Identifier: MIT
// processes.csv, calls.csv and spaces.csv; processes, calls and address spaces in summary.json.
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"

namespace symsim {
namespace {

// Of one process in processes.csv, of all together in summary.json.
const Table<ProcessTimes> kCounts = {
    {"quanta", "count", "times a processor began to run a process", &ProcessTimes::quanta},
    {"preemptions", "count", "times process_preempt was passed", &ProcessTimes::preemptions},
    {"extensions", "count", "quanta that the kernel extended: process_warn",
     &ProcessTimes::extensions},
    {"yields", "count", "times process_yield was passed", &ProcessTimes::yields},
    {"blocks", "count", "times process_block was passed", &ProcessTimes::blocks},
    {"migrations", "count", "times a process ran on another processor than before",
     &ProcessTimes::migrations},
    {"acquisitions", "count", "times a process passed lock_acquired outside the kernel",
     &ProcessTimes::acquisitions},
};

// More columns of processes.csv, whose rows are the threads of a Linux program.
const Table<ProcessTimes> kLinuxThread = {
    {"name", "", "of a Linux thread: as prctl has set it, else the program's",
     [](auto& t) { return t.thread.name; }},
    {"function", "", "of a Linux thread: in which it begins, if that is known",
     [](auto& t) { return t.thread.function; }},
    {"of_process", "", "of a Linux thread: the number of its process",
     [](auto& t) { return t.thread.process; }},
    {"system_calls", "count", "of a Linux thread", [](auto& t) { return t.thread.system_calls; }},
    {"page_faults", "count", "of a Linux thread", [](auto& t) { return t.thread.page_faults; }},
};

constexpr auto kMeaningOfState = [](std::size_t state) { return kProcessStateMeanings[state]; };

Table<ProcessTimes> process_rows() {
    Table<ProcessTimes> table = {
        {"process", "", "its number", &ProcessTimes::number},
        {"created_us", "us", "when it was created", &ProcessTimes::created},
        {"ended_us", "us", "when it ended; empty if it had not ended at the end of the run",
         [](auto& t) { return t.ended == kNever ? Json() : Json(t.ended); }},
    };
    add_each(table, "", kProcessStateNames, "_us", "us", kMeaningOfState,
             [](auto& t) { return t.states; });
    add(table, "", kCounts);
    add(table, "", kLinuxThread, has_linux);
    return table;
}

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

Table<Processes> all_processes() {
    Table<Processes> table = {
        {"count", "count", "processes that were created", &Processes::count},
        {"ended", "count", "of which have ended", &Processes::ended},
        {"states_us", "us",
         "time in each state, as in processes.csv; sums to the time from creation to end, or to "
         "the end of the run, of all processes"},
    };
    add_each(table, "states_us.", kProcessStateNames, "", "us", kMeaningOfState,
             [](auto& p) { return p.all.states; });
    add_part(table, kCounts, &Processes::all);
    return table;
}
const Table<Processes> kProcesses = all_processes();

const Table<ProcessFaultReport> kProcessFault = {
    {"process", "", "its number", [](auto& f) { return f.fault.process; }},
    {"processor", "", "that ran it", [](auto& f) { return f.fault.processor; }},
    {"time_us", "us", "when the kernel reported the fault", [](auto& f) { return f.fault.at; }},
    {"eip", "", "address of the instruction, as hexadecimal text",
     [](auto& f) { return hex_text(f.fault.eip); }},
    {"symbol", "", "the same as function and offset", &ProcessFaultReport::symbol},
    {"source", "", "the same as file:line, if the image has line tables; else empty",
     &ProcessFaultReport::source},
    {"backtrace[]", "", "of a Linux program: the calls that had not returned, innermost first",
     [](auto& f) { return f.backtrace; }, has_linux},
};

struct Space {
    std::optional<std::size_t> number;
    const SpaceTimes& times;
};

const Table<SpaceTimes> kSpaceCounts = {
    {"donations", "count", "times it gave a processor to another space, or back",
     &SpaceTimes::donations},
    {"preemptions", "count", "times the kernel took a processor away", &SpaceTimes::preemptions},
    {"calls", "count", "calls that its threads have begun", &SpaceTimes::calls},
    {"served", "count", "calls that it has served", &SpaceTimes::served},
    {"polls", "count", "times a processor without a thread looked for messages",
     &SpaceTimes::polls},
    {"found", "count", "messages that it has received; most other polls found nothing",
     &SpaceTimes::found},
};

// `activity`, `upcalls`: names of columns or keys.
Table<Space> space_table(const std::string& activity, const std::string& upcalls) {
    Table<Space> table = {
        {"space", "", "its number; none: processors that are in no space yet", &Space::number},
        {"name", "", "as the image calls it", [](auto& s) { return s.times.name; }},
        {"processors_us", "us",
         "time of the processors that it has; all spaces sum to the time of all processors",
         [](auto& s) { return s.times.held(); }},
        {activity, "us", "the part of processors_us in that activity",
         [](auto& s) { return s.times.activities; }},
        {"arrivals", "count", "times a processor came; without an upcall where it was preempted",
         [](auto& s) { return s.times.arrivals; }},
    };
    add_each(
        table, upcalls, kUpcallReasonNames, "", "count",
        [](std::size_t reason) {
            return "arrivals by an upcall: " + std::string(kUpcallReasonMeanings[reason]);
        },
        [](auto& s) { return s.times.upcalls; });
    add_part(
        table, kSpaceCounts, [](auto& s) -> auto& { return s.times; });
    return table;
}

std::vector<Space> spaces(const RunReport& report) {
    std::vector<Space> all;
    for (const SpaceTimes& space : report.spaces) all.push_back({all.size(), space});
    all.back().number.reset();
    return all;
}

struct CallRow {
    std::string_view name;
    const Spans& spans;
    std::uint64_t calls;
};

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

}  // namespace

void add_processes(Table<RunReport>& table) {
    table.push_back({"processes", "",
                     "all processes of the guest together; absent if it reports none",
                     [](auto& r) { return object(kProcesses, r, Processes(r)); }, has_processes});
    describe_parts(table, "processes", kProcesses);
    add_list(table, "processes.faults[]",
             "faults of processes in order of time; the kernel ends a process that faults",
             kProcessFault, &RunReport::faults, has_processes);
    add_calls(table);
    add_list(table, "spaces[]",
             "address spaces, as in spaces.csv; the last one, of no number, is for "
             "processors that are in no space yet; absent if the guest has one",
             space_table("activities_us.ACTIVITY", "upcalls."), spaces, has_spaces);
}

// A row for each process of the guest.
RunFile processes_csv() {
    return csv_file<ProcessTimes>(
        {"processes.csv", "processes, a row each", "processes in the guest", "yes", has_processes},
        process_rows(), [](const RunReport& report, const auto& write) {
            for (const ProcessTimes& process : report.processes) write(process);
        });
}

// A row for each part of a call.
RunFile calls_csv() {
    return csv_file<CallRow>(
        {"calls.csv", "calls between address spaces, a row for each part of them",
         "calls in the guest", "yes", has_calls},
        {
            {"part", "",
             "client_send, server_receive and so on; idle and other are no part of a call",
             &CallRow::name},
            {"count", "count", "how often", [](auto& r) { return r.spans.count; }},
            {"time_us", "us",
             "sum over all processors; all parts sum to the time of all processors",
             [](auto& r) { return r.spans.sum; }},
            {"mean_us", "us", "per time", [](auto& r) { return mean(r.spans.sum, r.spans.count); }},
            {"per_call_us", "us", "per call that has returned",
             [](auto& r) { return mean(r.spans.sum, r.calls); }},
            {"longest_us", "us", "the longest one", [](auto& r) { return r.spans.longest; }},
        },
        [](const RunReport& report, const auto& write) {
            for (std::size_t p = 0; p < kCallParts; ++p)
                write({kCallPartNames[p], report.calls->parts[p], report.calls->calls});
        });
}

// A row for each address space, and a last one for processors that are in none yet.
RunFile spaces_csv() {
    return csv_file<Space>({"spaces.csv", "address spaces, a row each",
                            "address spaces in the guest", "yes", has_spaces},
                           space_table("ACTIVITY_us", "upcalls_"),
                           [](const RunReport& report, const auto& write) {
                               for (const Space& space : spaces(report)) write(space);
                           });
}

}  // namespace symsim
