// SPDX-License-Identifier: MIT
// The times and counts of one process of the guest, as processes.csv and summary.json have them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// At each instant from its creation to its end a process is in exactly one of these states.
enum class ProcessState : std::uint8_t {
    work,
    acquire,
    section,
    release,
    kernel,
    preempted,
    ready,
    blocked
};
constexpr std::array<std::string_view, 8> kProcessStateNames = {
    "work", "acquire", "section", "release", "kernel", "preempted", "ready", "blocked"};
constexpr std::array<std::string_view, 8> kProcessStateMeanings = {
    "it runs, and has nothing to do with a lock",
    "it runs between lock_attempt and lock_acquired",
    "it runs and holds a lock",
    "it runs between lock_release and lock_released; part of work or section if the lock does not "
    "pass lock_released",
    "its processor runs the kernel for it: activity kernel between process_run and the process's "
    "next switch",
    "from process_preempt until it runs again",
    "from process_create, process_yield or process_wake until it runs",
    "from process_block to process_wake"};
constexpr std::size_t kProcessStates = kProcessStateNames.size();

constexpr std::string_view name(ProcessState state) {
    return kProcessStateNames[index(state)];
}

struct ProcessTimes {
    std::uint32_t number = 0;
    Time created = 0;
    Time ended = kNever;  // kNever: it had not ended at the end of the run
    std::array<Time, kProcessStates> states{};
    std::uint64_t quanta = 0;  // times a processor began to run it
    std::uint64_t preemptions = 0;
    std::uint64_t extensions = 0;  // of a quantum: process_warn
    std::uint64_t yields = 0;
    std::uint64_t blocks = 0;
    std::uint64_t migrations = 0;    // times it ran on another processor than before
    std::uint64_t acquisitions = 0;  // of locks, outside the kernel

    // Adds the times and counts of another process.
    ProcessTimes& operator+=(const ProcessTimes& other);
};

// A process that the kernel ended because of a fault.
struct ProcessFault {
    std::uint32_t process = 0;
    ProcessorId processor = 0;
    Time at = 0;
    Address eip = 0;
};

// Aborts unless the times of the process sum to its life, up to the end of the run.
void check_partition(const ProcessTimes& times, Time end);

}  // namespace symsim
