// SPDX-License-Identifier: MIT
// All of a processor that a checkpoint must save (design.md section 6), but for the 80387, which is
// seldom used. What changes only when the bus has come to that time is in System.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/flags.h"
#include "sim/cpu/state/registers.h"
#include "sim/processor/activity.h"

namespace symsim {

// Of the instruction under way: what of its fetch is done, so that nothing is done twice when it
// is executed again.
enum FetchProgress : std::uint8_t {
    kFirstLine = 1,  // the line with its first byte has been entered
    kLastLine = 2,   // and that with its last
    kRefilled = 4,   // the cost of a branch here has been charged
    kProbed = 8,     // its probe points have fired
    kBegun = 16,     // no interrupt can come before it any more
};

// How the instruction at eip was come to. A gate's own clocks include what the manual charges as m
// for a branch.
enum class Arrival : std::uint8_t { in_sequence, by_branch, by_gate };

// Offsets of cs that are known to lie together in memory. Part of a checkpoint: the way back to a
// page would need a translation that the TLB may have forgotten since it was left.
struct CodeWindow {
    Address begin = 0;
    std::uint64_t size = 0;
    Address physical = 0;
    bool whole_pages = false;  // and not a part of one

    template <class Archive>
    void serialize(Archive& archive) {
        archive(begin, size, physical, whole_pages);
    }
};

// How far an instruction has come; all cleared when it is complete.
struct UnderWay {
    std::uint32_t accesses = 0;  // it has made
    std::uint8_t fetched = 0;    // FetchProgress bits
    Arrival arrival = Arrival::in_sequence;
    bool latched = false;    // it stays what it is: it has begun
    bool releasing = false;  // it releases a lock

    template <class Archive>
    void serialize(Archive& archive) {
        archive(accesses, fetched, arrival, latched, releasing);
    }
};

struct Context : UnderWay {
    Registers regs;
    Flags flags;
    Offset eip = 0;
    // Start of the instruction under way plus the waits met in it so far.
    Time time = 0;
    Time last_access = 0;            // made ahead, or at the present
    std::uint64_t instructions = 0;  // completed
    std::uint64_t branches = 0;      // taken
    std::uint64_t changes = 0;       // of state that is neither registers nor flags
    std::uint64_t shadow_at = 0;     // no interrupt before this instruction, counted from 1
    CodeWindow window;
    // The last code line entered, which the prefetch queue holds; a branch empties it.
    Address fetch_line = kNoLine;
    std::uint32_t critical_depth = 0;  // locks held, by the probe points
    bool halted = false;               // by hlt, until an interrupt comes
    bool stepping = false;             // the instruction under way began with the trap flag set
    Activity activity = Activity::boot;
    std::uint8_t entry = kNoEntry;  // instructions of this Op::entry do not change the activity

    // But for `changes`, which is compared only within what is executed in one go.
    template <class Archive>
    void serialize(Archive& archive) {
        UnderWay::serialize(archive);
        archive(regs, flags, eip, time, last_access, instructions, branches, shadow_at, window,
                fetch_line, critical_depth, halted, stepping, activity, entry);
    }
};

}  // namespace symsim
