// SPDX-License-Identifier: MIT
// Saves a processor in a checkpoint file, and restores it. Included by
// sim/machine/systemc/machine_state.cpp only. Decoded instructions are not saved. The instruction
// under way is decoded again, so its bytes must not have been overwritten.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

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
    std::vector<std::uint32_t> accesses(log_.begin(), log_.begin() + context_.accesses);
    std::vector<std::uint32_t> walk(walk_.log.begin(), walk_.log.begin() + walk_.made);
    std::vector<Branch> branches = last_branches();
    Address latched = context_.latched ? latched_.address : 0;
    archive(accesses, walk, branches, latched, arguments_asked_);
    if (!Archive::is_loading::value) return;
    if (accesses.size() != context_.accesses || accesses.size() > log_.size() ||
        walk.size() > walk_.log.size() || branches.size() > BranchTrace::kReported)
        throw std::length_error("a processor's record of accesses does not fit");
    std::copy(accesses.begin(), accesses.end(), log_.begin());
    std::copy(walk.begin(), walk.end(), walk_.log.begin());
    walk_.made = static_cast<unsigned>(walk.size());
    trace_.set(context_.branches, branches);
    set_stop();
    if (context_.latched) keep_latched(*decode_cache_.at(latched, system_.wide_code()));
}

// Whether the file would contain the whole state. It contains neither the cause of an exception
// that is being delivered, nor an instruction under way whose bytes have been overwritten.
inline bool Processor::can_be_saved() const {
    if (system_.event.active) return false;
    return !context_.latched ||
           same_instruction(latched_, *decode_cache_.at(latched_.address, system_.wide_code()));
}

}  // namespace symsim
