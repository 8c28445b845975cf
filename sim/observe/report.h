// SPDX-License-Identifier: MIT
// Everything there is to say about a run. Each output format is written from this alone;
// docs/outputs.md explains the numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/ledger.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/region_meter.h"

namespace symsim {

// Of all files of a run. Counts up when a key or column changes its meaning or goes.
constexpr int kSchemaVersion = 1;

enum class RunStatus : std::uint8_t { finished, guest_failure, deadlock, time_limit, interrupted };
constexpr std::array<std::string_view, 5> kRunStatusNames = {
    "finished", "guest-failure", "deadlock", "time-limit", "interrupted"};
constexpr std::array<std::string_view, 5> kRunStatusMeanings = {
    "the guest powered off; or a ROM has halted all processors", "the guest crashed",
    "every processor is halted or loops for ever", "run.limit_ms was reached",
    "by Ctrl-C or SIGTERM"};
constexpr std::string_view name(RunStatus s) {
    return kRunStatusNames[static_cast<std::size_t>(s)];
}

// A taken branch, each end as "0x00101234 function+0x12 (file.c:34)".
struct BranchReport {
    std::string from;
    std::string to;
};

struct FailureReport {
    GuestFailure failure;
    std::string symbol;                  // where eip lies, as "function+0x12"; may be empty
    std::string source;                  // "file.c:34"; empty if it is not known
    std::string registers;               // text, one or more lines
    std::vector<std::string> backtrace;  // innermost first
    std::vector<BranchReport> branches;  // oldest first
};

// A byte that the guest wrote to guest.post_port.
struct PostCode {
    Time time = 0;
    std::uint8_t code = 0;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(time, code);
    }
};

struct GuestReport {
    std::string image;
    std::string sha256;
    std::string compiler;
    std::string flags;
    std::optional<std::uint32_t> exit_status;                  // absent unless it powered off
    std::vector<std::pair<std::string, std::string>> results;  // name, value as the guest wrote it
    std::vector<PostCode> post_codes;
    std::uint64_t post_codes_left_out = 0;  // behind those
};

// What depends on the host and never enters summary.json.
struct HostReport {
    double cpu_s = 0;
    double wall_s = 0;
    double peak_rss_mb = 0;
    std::string host;
    std::string compiler;  // that built the simulator
    std::string build;     // its build type and version
    std::string engine;    // run.engine, which changes how soon a result is there and nothing in it
    // Of a run that went on from a checkpoint: what was done before, at no cost here.
    std::uint64_t instructions_before = 0;
    Time restored_at = 0;
};

struct TraceReport {
    std::string file;
    bool complete = true;
    Time from = 0;
    Time until = 0;
};

struct RunReport {
    RunStatus status = RunStatus::finished;
    bool partial = false;  // the run was cut short: numbers are right up to `end`
    Time end = 0;
    std::vector<std::uint64_t> instructions;  // by processor, as is the next
    std::vector<ProcessorTimes> processors;
    BusTotals bus;
    Time interval = 0;
    std::vector<BusInterval> intervals;
    std::vector<LockReport> locks;
    std::vector<RegionReport> regions;
    std::map<std::string, TraceReport> traces;  // by their keys in summary.json
    GuestReport guest;
    std::optional<FailureReport> failure;
    std::vector<std::pair<std::string, std::string>> config;  // flat key, value as TOML text
    HostReport host;

    // Null for a trace that this run did not write.
    const TraceReport* trace(const std::string& key) const {
        const auto found = traces.find(key);
        return found == traces.end() ? nullptr : &found->second;
    }
    std::uint64_t all_instructions() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t n : instructions) sum += n;
        return sum;
    }
};

}  // namespace symsim
