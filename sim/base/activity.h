// SPDX-License-Identifier: MIT
// Activities: what kind of work a processor does. Processor states: whether it executes, waits for
// the bus, is served by it, or is halted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace symsim {

// The kind of work. At each instant a processor has exactly one activity.
enum class Activity : std::uint8_t { user, threads, critical, spin, idle, kernel, boot };
constexpr std::array<std::string_view, 7> kActivityNames = {"user", "threads", "critical", "spin",
                                                            "idle", "kernel",  "boot"};
constexpr std::array<std::string_view, 7> kActivityMeanings = {
    "all other code",
    "thread management",
    "between acquiring and releasing a lock",
    "spinning: waiting in a loop for a lock, or at a barrier",
    "waiting for work",
    "the guest's kernel: handlers of interrupts and exceptions, and what they call",
    "start-up code, before main"};
constexpr std::size_t kActivities = kActivityNames.size();

constexpr std::string_view name(Activity a) {
    return kActivityNames[index(a)];
}

// At each instant a processor is in exactly one state.
enum class ProcessorState : std::uint8_t { executing, waiting, served, halted };
constexpr std::array<std::string_view, 4> kProcessorStateNames = {"executing", "waiting", "served",
                                                                  "halted"};
constexpr std::array<std::string_view, 4> kProcessorStateMeanings = {
    "executing instructions, cache hits included", "waiting until the bus is granted",
    "served by the bus: its transaction has been granted and is not finished",
    "halted until an interrupt"};
constexpr std::size_t kProcessorStates = kProcessorStateNames.size();

constexpr std::string_view name(ProcessorState s) {
    return kProcessorStateNames[index(s)];
}

}  // namespace symsim
