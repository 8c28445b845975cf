// SPDX-License-Identifier: MIT
// What a processor reports of its guest: probe points that it passes, and its activity, which
// follows from the code it executes. The reports are collected as marks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/cpu/core/instruction_fetch.h"
#include "sim/cpu/core/process_table.h"

namespace symsim {

class Activities : public InstructionFetch {
  public:
    std::vector<Mark>& marks() { return marks_; }
    // Names of the arguments that the guest has looked up on this processor.
    const std::set<std::string>& arguments_asked() const { return arguments_asked_; }
    // The table of a guest that reports its processes; all processors share it.
    void set_process_table(ProcessTable& processes) { processes_ = &processes; }
    // A call or return within the segment has been executed.
    void tell_call(Mark::What what, Offset back);
    // Where the program in ring 3 has called the kernel, which runs now.
    using Callers = std::function<std::vector<Address>()>;
    void set_callers(Callers callers) { callers_ = std::move(callers); }

  protected:
    using InstructionFetch::InstructionFetch;

    // Passes the probe points before the instruction at eip. False: the processor stops.
    bool pass_probes(const ProbedOp& op);
    void fire_probes(const ProbedOp& op);
    // For an op at which the activity may change: enters the activity, and returns whether only its
    // probe points, if any, are left to be passed before the op.
    bool enters_activity(const Op& op);
    void enter_activity(const Op& op);

    std::vector<Mark> marks_;
    std::set<std::string> arguments_asked_;

  private:
    std::uint32_t operand_of(const Probe& probe) const;
    bool switch_processes(const ProbedOp& op);
    bool fails(const ProbedOp& op);
    std::optional<std::string> text_at(LinearAddress begin) const;
    void use_page(const Probe& probe);

    static constexpr std::size_t kLongestText = 256;
    ProcessTable* processes_ = nullptr;  // null: the guest reports no processes
    Callers callers_ = nullptr;          // null: nobody asks
};

}  // namespace symsim
