// SPDX-License-Identifier: MIT
// The state of a processor that a rollback point saves, except the 80387, which is saved separately
// because it is rarely used. State that changes only at commit time is in System
// (sim/cpu/state/system.h).
#pragma once

#include <cstdint>

#include "sim/base/activity.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/state/flags.h"
#include "sim/cpu/state/registers.h"

namespace symsim {

// How far the fetch of the instruction under way has come, so that no step is done twice when the
// instruction is executed again.
enum FetchProgress : std::uint8_t {
    kAllLines = 2,  // all lines that contain it have been entered
    kRefilled = 4,  // the cost of a branch here has been charged
    kProbed = 8,    // its probe points have fired
    kBegun = 16,    // no interrupt can come before it any more
    kOneLine = 32,  // times the number of its lines entered, until that is all of them
};
// No cache line starts at an odd address, so no line's address is equal to this value.
constexpr Address kNoLine = 1;
// Equal to the Op::entry of no instruction.
constexpr std::uint8_t kNoEntry = 0xfe;
constexpr Address kMostCodeBytes = 15;  // of an instruction

// How the processor reached the instruction at eip. A gate's own clocks include the m that the
// manual charges for a branch.
enum class Arrival : std::uint8_t { in_sequence, by_branch, by_gate };

// A range of offsets in cs that is contiguous in physical memory. The window is part of a rollback
// point: after a rollback the TLB may no longer have the translation of an earlier window.
struct CodeWindow {
    Address begin = 0;
    std::uint64_t size = 0;
    Address physical = 0;
    bool whole_pages = false;  // it begins and ends at page boundaries

    bool contains(Offset offset) const { return offset - begin < size; }
    bool contains(Offset offset, unsigned bytes) const {
        return std::uint64_t{offset - begin} + bytes <= size;
    }
    Address physical_of(Offset offset) const { return physical + (offset - begin); }
    Offset offset_of(Address in_window) const { return in_window - physical + begin; }
};

// How far the instruction under way has come. All members are cleared when it is complete.
struct UnderWay {
    std::uint32_t accesses = 0;  // made so far
    std::uint8_t fetched = 0;    // FetchProgress bits
    Arrival arrival = Arrival::in_sequence;
    bool latched = false;    // it has begun, and a write to its bytes does not change it
    bool releasing = false;  // it releases a lock
};

struct Context : UnderWay {
    Registers regs;
    Flags flags;
    Offset eip = 0;
    // Start of the instruction under way plus the waits met in it so far.
    Time time = 0;
    Time last_access = 0;            // of the last access on the slow path
    std::uint64_t instructions = 0;  // completed
    std::uint64_t branches = 0;      // taken
    std::uint64_t changes = 0;       // of state that is neither registers nor flags
    std::uint64_t shadow_at = 0;     // no interrupt before this instruction (counted from 1)
    CodeWindow window;
    // The last code line entered, which is in the prefetch queue. A branch empties the queue.
    Address fetch_line = kNoLine;
    std::uint32_t critical_depth = 0;  // number of locks held, counted by probe points
    bool halted = false;               // by hlt, until an interrupt comes
    bool stepping = false;             // the instruction under way began with the trap flag set
    Activity activity = Activity::boot;
    std::uint8_t entry = kNoEntry;  // instructions of this Op::entry do not change the activity
};

}  // namespace symsim
