// SPDX-License-Identifier: MIT
// Keys of summary.json: the guest's results, its failure and where the processors stand.
#include "sim/cpu/delivery/exception_text.h"
#include "sim/cpu/state/fault.h"
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"

namespace symsim {
namespace {

const Table<PostCode> kPostCode = {
    {"time_us", "us", "when the write went over the bus", &PostCode::time},
    {"code", "", "0 to 255", &PostCode::code},
};

const Table<UnusedArgument> kUnusedArgument = {
    {"name", "", "the NAME of guest.args.NAME", &UnusedArgument::name},
    {"hint", "", "what the guest asks for, in words", &UnusedArgument::hint},
};

void add_program(Table<RunReport>& table) {
    add(table, "guest",
        {
            {"", "", "the program and its results", empty_object},
            {".image", "", "file name of the program", [](auto& r) { return r.guest.image; }},
            {".sha256", "", "of that file", [](auto& r) { return r.guest.sha256; }},
            {".stdin_sha256", "", "of the file guest.stdin; absent if there is none",
             [](auto& r) { return r.guest.stdin_sha256; },
             [](auto& r) { return !r.guest.stdin_sha256.empty(); }},
            {".compiler", "", "the compiler that built it, if the image names it",
             [](auto& r) { return r.guest.compiler; }},
            {".flags", "", "the compiler's flags, if the image has them",
             [](auto& r) { return r.guest.flags; }},
            {".exit_status", "", "status with which it switched the power off; null if it did not",
             [](auto& r) { return r.guest.exit_status; }},
            {".results.NAME", "the guest's",
             "reported by report(name, value): a number, or text; of a name reported twice, the "
             "last value",
             [](auto& r) { return values_of(r.guest.results); }},
        });
    add_list(table, "guest.post_codes[]",
             "bytes written to guest.post_port, in order; the first 10,000", kPostCode,
             [](auto& r) { return r.guest.post_codes.first; });
    add(table, "guest",
        {
            {".post_codes_left_out", "count", "number of bytes written after those",
             [](auto& r) { return r.guest.post_codes.left_out; }},
            {".last_line", "",
             "the last line on its console that is not empty; absent unless exit_status is another "
             "than 0",
             [](auto& r) { return r.guest.last_line; },
             [](auto& r) { return r.guest.exit_status.value_or(0) != 0; }},
        });
    add_list(
        table, "guest.unused_arguments[]",
        "arguments of the config that the guest never looked up, which may be misspelt; absent if "
        "there are none",
        kUnusedArgument, [](auto& r) { return r.guest.unused_arguments; },
        [](auto& r) { return !r.guest.unused_arguments.empty(); });
}

const Table<BranchReport> kBranch = {
    {"from", "", "address of the branch, written as in backtrace", &BranchReport::from},
    {"to", "", "target of the branch", &BranchReport::to},
};

Json in_hex(const std::optional<std::uint32_t>& value) {
    return value ? Json(hex_text(*value)) : Json();
}

const Table<GuestFailure> kException = {
    {"vector", "", "its number", [](auto& f) { return f.vector; }},
    {"mnemonic", "", "such as #PF", [](auto& f) { return fault_name(*f.vector).mnemonic; }},
    {"error_code", "", "as hexadecimal text, or null",
     [](auto& f) { return in_hex(f.error_code); }},
    {"cr2", "", "address of a page fault, as hexadecimal text; else null",
     [](auto& f) { return in_hex(f.cr2); }},
    {"text", "", "the exception in words", exception_text},
};

bool has_failure(const RunReport& report) {
    return report.failure.has_value();
}

void add_failure(Table<RunReport>& table) {
    table.push_back({"failure", "", "null, or what went wrong in the guest",
                     [](auto& r) { return r.failure ? empty_object(r) : Json(); }});
    add(table, "failure",
        {
            {".what", "", "the failure in one sentence",
             [](auto& r) { return r.failure->failure.what; }},
            {".fix", "", "where to look", [](auto& r) { return r.failure->failure.fix; }},
            {".processor", "", "the processor that failed",
             [](auto& r) { return r.failure->failure.processor; }},
            {".time_us", "us", "when", [](auto& r) { return r.failure->failure.time; }},
            {".eip", "", "where, as hexadecimal text",
             [](auto& r) { return hex_text(r.failure->failure.eip); }},
            {".symbol", "", "where, as function and offset",
             [](auto& r) { return r.failure->symbol; }},
            {".source", "", "file:line of it, if the image has line tables (gcc -g); else empty",
             [](auto& r) { return r.failure->source; }},
            {".exception", "", "null, or the exception that no handler took",
             [](auto& r) {
                 const GuestFailure& failure = r.failure->failure;
                 return failure.vector ? object(kException, r, failure) : Json();
             }},
        },
        has_failure);
    describe_parts(table, "failure.exception", kException);
    add(table, "failure",
        {
            {".registers", "", "text, several lines: general, segment and system registers",
             [](auto& r) { return r.failure->registers; }},
            {".backtrace[]", "",
             "innermost first: address, function and offset, and (file:line); a call has its "
             "return address and its own line",
             [](auto& r) { return r.failure->backtrace; }},
        },
        has_failure);
    add_list(
        table, "failure.branches[]",
        "the last taken branches of that processor, up to 32, oldest first", kBranch,
        [](auto& r) { return r.failure->branches; }, has_failure);
}

struct Position {
    ProcessorId processor;
    const ProcessorPosition& at;
};

const Table<Position> kPosition = {
    {"processor", "", "its number, from 0", &Position::processor},
    {"state", "", "what it does, one of the states", [](auto& p) { return name(p.at.state); }},
    {"interrupts", "", "true if it takes interrupts; false with state halted: it stays halted",
     [](auto& p) { return p.at.interrupts; }},
    {"eip", "", "address of the next instruction in its code segment, as hexadecimal text",
     [](auto& p) { return hex_text(p.at.eip); }},
    {"symbol", "", "the same as function and offset", [](auto& p) { return p.at.symbol; }},
    {"source", "", "the same as file:line, if the image has line tables; else empty",
     [](auto& p) { return p.at.source; }},
    {"lock", "", "the lock that it tries to acquire, as known by probe points; else null",
     [](auto& p) { return p.at.lock.empty() ? Json() : Json(p.at.lock); }},
};

std::vector<Position> positions(const RunReport& report) {
    std::vector<Position> all;
    ProcessorId processor = 0;
    for (const ProcessorPosition& at : report.positions) all.push_back({processor++, at});
    return all;
}

const Table<ThreadPosition> kWaitingThread = {
    {"number", "", "in order of creation; that of main is 0", &ThreadPosition::number},
    {"function", "", "the function with which it began", &ThreadPosition::function},
    {"waits_for", "", "a mutex and its holder, the end of a thread, a condition or a barrier",
     &ThreadPosition::wait},
};

// The value, or null if the processor did not come so far.
template <class Value>
Json if_reached(const ScheduleReport& entry, const Value& value) {
    return entry.outcome.reached ? Json(value) : Json();
}

const Table<ScheduleReport> kPreemption = {
    {"processor", "", "at which the timer's interrupt arrives", &ScheduleReport::processor},
    {"arrived", "", "false if the processor did not retire so many instructions",
     [](auto& s) { return s.outcome.reached; }},
    {"time_us", "us", "when it arrived; the processor takes it when it enables interrupts",
     [](auto& s) { return if_reached(s, s.outcome.start); }},
    {"eip", "", "the instruction before which it arrived, as hexadecimal text",
     [](auto& s) { return if_reached(s, hex_text(s.outcome.eip)); }},
    {"symbol", "", "the same as function and offset",
     [](auto& s) { return if_reached(s, s.symbol); }},
};

const Table<ScheduleReport> kSchedule = {
    {"entry", "", "its text", &ScheduleReport::entry},
    {"reached", "", "false if the processor did not come so far",
     [](auto& s) { return s.outcome.reached; }},
    {"start_us", "us", "when it had its effect",
     [](auto& s) { return if_reached(s, s.outcome.start); }},
    {"end_us", "us", "when the hold ended; for an interrupt the same as start_us",
     [](auto& s) { return if_reached(s, s.outcome.end); }},
    {"eip", "", "the instruction that accesses, or that comes next, as hexadecimal text",
     [](auto& s) { return if_reached(s, hex_text(s.outcome.eip)); }},
    {"symbol", "", "the same as function and offset",
     [](auto& s) { return if_reached(s, s.symbol); }},
};

}  // namespace

void add_guest(Table<RunReport>& table) {
    add_program(table);
    add_failure(table);
    add_list(table, "positions[]",
             "where each processor stands at the end of a run that the guest did not end: by a "
             "deadlock, the time limit, Ctrl-C, or the halt of a ROM; else absent",
             kPosition, positions, [](auto& r) { return !r.positions.empty(); });
    add_list(
        table, "waiting_threads[]",
        "the threads of pthread.h that wait at such an end, by number; absent if there are none",
        kWaitingThread, &RunReport::threads, [](auto& r) { return !r.threads.empty(); });
    table.push_back({"preemption", "",
                     "the preemption that preempt.instructions asks for; absent if it is 0",
                     [](auto& r) { return object(kPreemption, r, *r.preemption); },
                     [](auto& r) { return r.preemption.has_value(); }});
    describe_parts(table, "preemption", kPreemption);
    add_list(table, "schedule[]",
             "the entries of schedule.holds, in their order; absent if there are none", kSchedule,
             &RunReport::schedule, [](auto& r) { return !r.schedule.empty(); });
}

}  // namespace symsim
