// SPDX-License-Identifier: MIT
// One entry of a schedule (config key schedule.holds): what happens to a processor at one position
// of its execution.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

constexpr Time kLongestHold = 1'000 * kMillisecond;

struct ScheduleEntry {
    // Before access `number`, or after instruction `number`.
    enum class At : std::uint8_t { access, instruction };
    enum class What : std::uint8_t {
        hold,         // the processor does nothing
        hold_stores,  // the stores that it issues stay in its write buffer
        interrupt,    // the timer's interrupt arrives
    };
    At at = At::access;
    What what = What::hold;
    std::uint64_t number = 1;  // counted from 1
    Time delay = 0;            // of the two holds
};

// An entry as a config has it.
struct ScheduleText {
    ProcessorId processor = 0;
    ScheduleEntry entry;
    std::string text;
};

// What has become of an entry.
struct EntryOutcome {
    bool reached = false;
    Time start = 0;
    Time end = 0;    // of the hold
    Offset eip = 0;  // of the instruction that accesses, or that would have come next
};

}  // namespace symsim
