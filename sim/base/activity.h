// SPDX-License-Identifier: MIT
// Activities: what kind of work a processor does.
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

}  // namespace symsim
