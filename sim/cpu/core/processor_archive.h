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
    if (context_.accesses == 0 && walk_.made == 0) context_.last_access = 0;
    archive(context_, system_, fpu(), tlb_, next_time_, stop_reason_, line_, nmi_);
    // A run without a preemption saves what a symsim without preemptions would.
    if (preemption_.state != Preemption::State::none) archive(preemption_);
    std::vector<std::uint32_t> accesses, walk;
    std::vector<Branch> branches;
    Address latched = 0;
    if (!Archive::is_loading::value) {
        accesses.assign(log_.begin(), log_.begin() + context_.accesses);
        walk.assign(walk_.log.begin(), walk_.log.begin() + walk_.made);
        branches = last_branches();
        if (context_.latched) latched = latched_.address;
    }
    archive(accesses, walk, branches, latched, arguments_asked_);
    if (!Archive::is_loading::value) return;
    require(accesses.size() == context_.accesses && accesses.size() <= kMostAccesses &&
                walk.size() <= walk_.log.size(),
            "an instruction has made {} accesses and {} of its page walk", accesses.size(),
            walk.size());
    require(branches.size() == std::min(context_.branches, BranchTrace::kReported),
            "it has {} branches of {}", branches.size(), context_.branches);
    std::copy(accesses.begin(), accesses.end(), log_.begin());
    std::copy(walk.begin(), walk.end(), walk_.log.begin());
    walk_.made = static_cast<unsigned>(walk.size());
    trace_.set(context_.branches, branches);
    watched_ = debug_ || preemption_.pending();
    set_stop();
    if (!context_.latched) return;
    const Op& op = *decode_cache_.at(latched, system_.wide_code());
    require(context_.entry == index(op.region) && context_.fetched & kBegun &&
                (!op.probed() || context_.fetched & kProbed),
            "the instruction under way at {:#x} has not begun", latched);
    keep_latched(op);
}

// Whether the file would contain the whole state. It contains neither the cause of an exception
// that is being delivered, nor an instruction under way whose bytes have been overwritten.
inline bool Processor::can_be_saved() const {
    if (system_.event.active) return false;
    return !context_.latched ||
           same_instruction(latched_, *decode_cache_.at(latched_.address, system_.wide_code()));
}

}  // namespace symsim
