// SPDX-License-Identifier: MIT
// The guest's processes as its probe points describe them: which exist, and which processor runs
// each. All processors share the table. They change it at commit time only, so it is never rolled
// back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "sim/base/probe_point.h"
#include "sim/base/types.h"

namespace symsim {

class ProcessTable {
  public:
    enum class State : std::uint8_t { none, ready, running, blocked, ended };

    // `processor` passes the probe point of a process. `critical_depth`: number of locks that the
    // processor's current process holds, or the processor itself if it runs none; replaced if
    // another begins or ends to run. Returns why the probe point is not possible, if it is not.
    std::optional<std::string> pass(ProbeKind kind, std::uint32_t process, ProcessorId processor,
                                    std::uint32_t& critical_depth);

    State state(std::uint32_t process) const {
        const auto found = processes_.find(process);
        return found == processes_.end() ? State::none : found->second.state;
    }
    // The process that the processor runs.
    std::optional<std::uint32_t> current(ProcessorId processor) const {
        return current_[processor];
    }

  private:
    struct Process {
        State state = State::none;
        ProcessorId processor = 0;  // that runs it
        // While it runs: of the processor itself. Else: of the process.
        std::uint32_t critical_depth = 0;
    };
    std::string refusal(ProbeKind kind, std::uint32_t process, ProcessorId processor) const;

    std::unordered_map<std::uint32_t, Process> processes_;
    std::array<std::optional<std::uint32_t>, kMaxProcessors> current_{};
};

}  // namespace symsim
