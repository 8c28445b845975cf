// SPDX-License-Identifier: MIT
// Saves a processor in a checkpoint file, and restores it. Included by
// sim/machine/systemc/machine_state.cpp only. Decoded instructions are not saved. The instruction
// under way is decoded again, so its bytes must not have been overwritten.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/base/saved_state.h"
#include "sim/cpu/core/processor.h"

namespace symsim {

// For Archive see sim/base/archive.h.
template <class Archive>
void Processor::serialize(Archive& archive) {
    // The fast path does not update last_access. An instruction under way that has made no access
    // does not need it. It is cleared, so that the file does not depend on which instructions took
    // the fast path.
    if (core_.context.accesses == 0 && core_.walk.made == 0) core_.context.last_access = 0;
    archive(core_.context, core_.system, fpu(), tlb_, core_.next_time, core_.stop_reason,
            core_.line, core_.nmi);
    // A run without a schedule saves what a symsim without schedules would.
    if (schedule_.present()) archive(schedule_);
    std::vector<std::uint32_t> accesses, walk;
    std::vector<Branch> branches;
    Address latched = 0;
    if (!Archive::is_loading::value) {
        accesses.assign(log().begin(), log().begin() + core_.context.accesses);
        walk.assign(core_.walk.log.begin(), core_.walk.log.begin() + core_.walk.made);
        branches = last_branches();
        if (core_.context.latched) latched = latched_.address;
    }
    archive(accesses, walk, branches, latched, arguments_asked_);
    if (!Archive::is_loading::value) return;
    require(accesses.size() == core_.context.accesses && accesses.size() <= kMostAccesses &&
                walk.size() <= core_.walk.log.size(),
            "an instruction has made {} accesses and {} of its page walk", accesses.size(),
            walk.size());
    require(branches.size() == std::min(core_.context.branches, BranchTrace::kReported),
            "it has {} branches of {}", branches.size(), core_.context.branches);
    std::copy(accesses.begin(), accesses.end(), log().begin());
    std::copy(walk.begin(), walk.end(), core_.walk.log.begin());
    core_.walk.made = static_cast<unsigned>(walk.size());
    trace_.set(core_.context.branches, branches);
    cache_.hold_stores_until(schedule_.stores_held_until());
    watch();
    core_.set_stop();
    if (!core_.context.latched) return;
    const Op& op = *decode_cache_.at(latched, core_.system.wide_code());
    require(core_.context.entry == index(op.region) && core_.context.fetched & kBegun &&
                (!op.probed() || core_.context.fetched & kProbed),
            "the instruction under way at {:#x} has not begun", latched);
    keep_latched(op);
}

// Whether the file would contain the whole state. It contains neither the cause of an exception
// that is being delivered, nor an instruction under way whose bytes have been overwritten.
inline bool Processor::can_be_saved() const {
    if (core_.system.event.active) return false;
    return !core_.context.latched ||
           same_instruction(latched_,
                            *decode_cache_.at(latched_.address, core_.system.wide_code()));
}

}  // namespace symsim
