// SPDX-License-Identifier: MIT
// The processor: checks of a state that was loaded from a checkpoint file. Registers, segments and
// tables may have any contents, as in a guest that has gone wrong.
#include "sim/base/saved_state.h"
#include "sim/cpu/core/processor.h"

namespace symsim {

namespace {

// No instruction takes longer, with its waits: not even a task switch with many processors.
constexpr Time kLongestInstruction = 10 * kMillisecond;

}  // namespace

void Processor::check_loaded(Time at, StopReason stop_reason, Time next) const {
    const Context& c = core_.context;
    require(c.fetched < (kMostLines + 1) * kOneLine &&
                index(c.arrival) <= index(Arrival::by_gate) && index(c.activity) < kActivities,
            "processor {} is in activity {}, with fetch progress {} and arrival {}", core_.id,
            index(c.activity), c.fetched, index(c.arrival));
    require((c.flags.system & ~Flags::kSystem) == 0, "processor {} has flags {:#x}", core_.id,
            c.flags.system);
    require(c.window.begin + c.window.size <= std::uint64_t{1} << 32,
            "the code window of processor {} has {:#x} bytes from {:#x}", core_.id, c.window.size,
            c.window.begin);
    const Address end = c.window.physical + static_cast<Address>(c.window.size);
    require(!c.window.whole_pages || ((c.window.physical | end) & Tlb::kPageMask) == 0,
            "the code window of processor {} is not whole pages", core_.id);
    require(c.fetch_line == kNoLine || cache_.cache().line_of(c.fetch_line) == c.fetch_line,
            "processor {} has fetched from {:#x}", core_.id, c.fetch_line);
    require(c.shadow_at <= c.instructions + 2, "no interrupt before instruction {}", c.shadow_at);

    System derived = core_.system;
    derived.derive();
    require(core_.system.cpl <= 3 && core_.system.plain_reads == derived.plain_reads &&
                core_.system.plain_writes == derived.plain_writes &&
                core_.system.stack_mask == derived.stack_mask &&
                (!core_.system.virtual_8086 || core_.system.protected_mode()),
            "the segments of processor {} in ring {} are not consistent", core_.id,
            core_.system.cpl);
    require(!core_.system.event.active, "processor {} delivers an exception", core_.id);
    require(fpu_.top < 8 && fpu_.busy_until <= at + kLongestInstruction,
            "the 80387 of processor {} has TOP {}, busy until {} ps", core_.id, fpu_.top,
            fpu_.busy_until);

    require(!schedule_.present() || schedule_.fits(c.instructions),
            "processor {} has retired {} instructions and another schedule", core_.id,
            c.instructions);
    const bool stopped = stop_reason == StopReason::waiting || stop_reason == StopReason::retry ||
                         stop_reason == StopReason::halted;
    require(stopped && index(core_.stop_reason) <= index(StopReason::raised),
            "processor {} has stopped for reason {}", core_.id, index(stop_reason));
    // Until the clocks of a hlt are over, its processor is due for the end of the instruction.
    const bool may_be_halted =
        stop_reason == StopReason::halted || stop_reason == StopReason::retry;
    require(c.halted ? may_be_halted : stop_reason != StopReason::halted,
            "processor {} is halted and is not", core_.id);
    require(
        c.time >= 0 && c.time <= core_.next_time && core_.next_time - c.time <= kLongestInstruction,
        "processor {} is at {} ps and continues at {} ps", core_.id, c.time, core_.next_time);
    if (stop_reason == StopReason::retry)
        require(next == core_.next_time && next >= at && next <= at + kLongestInstruction,
                "processor {} continues at {} ps, due at {} ps", core_.id, core_.next_time, next);
    else
        require(core_.next_time <= at && next >= at && (next == kNever || next < at + kMillisecond),
                "processor {} waits since {} ps, until {} ps", core_.id, core_.next_time, next);
}

}  // namespace symsim
