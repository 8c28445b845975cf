// SPDX-License-Identifier: MIT
// Who uses a lock: the process that the processor runs, or the processor itself. The locks of
// kernel code belong to the processor, whichever process it runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/types.h"
#include "sim/events/probe_point.h"

namespace symsim {

// A processor's number, or kMaxProcessors plus the number of a process.
using LockOwner = std::uint32_t;
constexpr std::optional<std::uint32_t> process_of(LockOwner owner) {
    if (owner < kMaxProcessors) return std::nullopt;
    return owner - kMaxProcessors;
}

class LockOwners {
  public:
    LockOwners() {
        for (ProcessorId p = 0; p < kMaxProcessors; ++p) owners_[p] = p;
    }
    // The processor passes a probe point of a process.
    void passed(ProcessorId processor, ProbeKind kind, std::uint32_t process) {
        if (kind == ProbeKind::process_run) owners_[processor] = kMaxProcessors + process;
        if (kind == ProbeKind::process_preempt || kind == ProbeKind::process_yield ||
            kind == ProbeKind::process_block || kind == ProbeKind::process_exit)
            owners_[processor] = processor;
    }
    LockOwner owner(ProcessorId processor, bool in_kernel = false) const {
        return in_kernel ? processor : owners_[processor];
    }

  private:
    std::array<LockOwner, kMaxProcessors> owners_{};
};

}  // namespace symsim
