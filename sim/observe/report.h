// SPDX-License-Identifier: MIT
// RunReport: all results of a run. Every output format is written from a RunReport alone.
// docs/reference/outputs.md explains the numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/schedule_entry.h"
#include "sim/base/time.h"
#include "sim/devices/results.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/call_meter.h"
#include "sim/observe/distance_meter.h"
#include "sim/observe/ledger.h"
#include "sim/observe/linux_meter.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/process_meter.h"
#include "sim/observe/region_meter.h"
#include "sim/observe/space_meter.h"

namespace symsim {

// Version of all files of a run, except bus.log.zst. Increases when a key or column changes its
// meaning or is removed.
constexpr int kSchemaVersion = 2;

enum class RunStatus : std::uint8_t { finished, guest_failure, deadlock, time_limit, interrupted };
constexpr std::array<std::string_view, 5> kRunStatusNames = {
    "finished", "guest-failure", "deadlock", "time-limit", "interrupted"};
constexpr std::array<std::string_view, 5> kRunStatusMeanings = {
    "the guest switched the power off, or a ROM halted all processors", "the guest crashed",
    "every processor is halted or loops forever", "run.limit_ms was reached",
    "by Ctrl-C, SIGTERM or SIGHUP"};
constexpr std::string_view name(RunStatus s) {
    return kRunStatusNames[static_cast<std::size_t>(s)];
}

// A taken branch. Both ends are text like "0x00101234 function+0x12 (file.c:34)".
struct BranchReport {
    std::string from;
    std::string to;
};

struct FailureReport {
    GuestFailure failure;
    std::string symbol;                  // of eip, as "function+0x12"; may be empty
    std::string source;                  // of eip, as "file.c:34"; empty if it is not known
    std::string registers;               // text, one or more lines
    std::vector<std::string> backtrace;  // innermost first
    std::vector<BranchReport> branches;  // oldest first
    std::string caller;                  // as in backtrace; only if eip is in no function
};

// Where a processor stands at the end of a run that the guest did not end itself.
struct ProcessorPosition {
    ProcessorState state = ProcessorState::executing;
    bool interrupts = false;  // enabled
    Offset eip = 0;
    std::string symbol;  // of eip, as "function+0x12"
    std::string source;  // of eip, as "file.c:34"; empty if it is not known
    std::string lock;    // that it waits for; empty if it waits for none that has probe points
};

// What a thread of pthread.h waits for at such an end.
struct ThreadPosition {
    std::uint32_t number = 0;
    std::string function;  // that it began with
    std::string wait;      // in words, such as "the mutex a, held by thread 1 (worker)"
};

// An entry of schedule.holds, or the preemption that the config asks for (preempt.*).
struct ScheduleReport {
    std::string entry;  // empty: the preemption
    ProcessorId processor = 0;
    EntryOutcome outcome;
    std::string symbol;  // of the instruction, as "function+0x12"; empty if it was not reached
};

// A byte that the guest wrote to guest.post_port.
struct PostCode {
    Time time = 0;
    std::uint8_t code = 0;
};

// The first of them. A BIOS writes a few hundred codes at most. The limit keeps a guest that writes
// codes in a loop from filling the host's memory.
struct PostCodes {
    static constexpr std::size_t kMost = 10'000;
    std::vector<PostCode> first;
    std::uint64_t left_out = 0;  // codes written after those

    void add(Time time, std::uint8_t code) {
        if (first.size() < kMost)
            first.push_back({time, code});
        else
            ++left_out;
    }
};

// An argument of the config that the guest has never looked up.
struct UnusedArgument {
    std::string name;
    std::string hint;  // what the guest asks for instead, in words
};

struct GuestReport {
    std::string image;
    std::string sha256;
    std::string stdin_sha256;  // of its standard input; empty if there is none
    std::string compiler;
    std::string flags;
    std::optional<std::uint32_t> exit_status;  // absent unless the guest powered off
    // Name, value as the guest wrote it. No name comes twice.
    std::vector<std::pair<std::string, std::string>> results;
    PostCodes post_codes;
    // The last line of its console, if the guest ended with another status than 0.
    std::string last_line;
    std::vector<UnusedArgument> unused_arguments;
};

// The part of the report that depends on the host. It is never in summary.json.
struct HostReport {
    double cpu_s = 0;
    double wall_s = 0;
    double peak_rss_mb = 0;
    std::string host;
    std::string compiler;  // that built the simulator
    std::string build;     // version and build type of the simulator
    std::string engine;    // run.engine, which changes the speed of the run and none of its results
};

// Which part of the run a trace shows.
struct TraceReport {
    std::string file;
    bool complete = true;
    Time from = 0;
    Time until = 0;
    bool failed = false;  // it could not be written
};

// A fault, and the code in which it was.
struct ProcessFaultReport {
    ProcessFault fault;
    std::string symbol;                  // function and offset
    std::string source;                  // file:line; empty if the image has no line tables
    std::string why;                     // of an instruction that the processor refused; else empty
    std::vector<std::string> backtrace;  // of a Linux program: innermost first
};

struct RunReport {
    RunStatus status = RunStatus::finished;
    bool partial = false;  // the guest did not finish; the numbers are right up to `end`
    Time end = 0;
    std::vector<std::uint64_t> instructions;  // by processor
    std::vector<ProcessorTimes> processors;   // by processor
    BusTotals bus;
    Time interval = 0;
    std::vector<BusInterval> intervals;
    std::vector<LockReport> locks;
    std::vector<RegionReport> regions;
    std::vector<ProcessTimes> processes;     // by number; empty if the guest reports none
    std::optional<CallReport> calls;         // if the guest reports calls
    std::optional<LinuxReport> linux;        // of a Linux program
    std::optional<DistanceReport> distance;  // of a machine of several nodes
    std::vector<SpaceTimes> spaces;          // of address spaces; empty if there is one
    std::vector<ProcessFaultReport> faults;  // of processes, in order of time
    std::vector<TraceReport> traces;         // those that the run has written
    GuestReport guest;
    std::optional<FailureReport> failure;
    std::vector<ProcessorPosition> positions;  // by processor, or empty
    std::vector<ThreadPosition> threads;       // those that wait, by number
    std::optional<ScheduleReport> preemption;
    std::vector<ScheduleReport> schedule;
    std::vector<DeviceReport> devices;                        // those that report something
    std::vector<std::pair<std::string, std::string>> config;  // dotted key, value as TOML text
    HostReport host;

    // Null for a trace that this run did not write.
    const TraceReport* trace(const std::string& file) const {
        for (const TraceReport& trace : traces)
            if (trace.file == file) return &trace;
        return nullptr;
    }
    // Null if the machine has no such device.
    const DeviceReport* device(const std::string& name) const {
        for (const DeviceReport& device : devices)
            if (device.device == name) return &device;
        return nullptr;
    }
    std::uint64_t all_instructions() const { return sum(instructions); }
};

}  // namespace symsim
