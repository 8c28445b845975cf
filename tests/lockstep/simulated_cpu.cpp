// SPDX-License-Identifier: MIT
#include "tests/lockstep/simulated_cpu.h"

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace symsim::test {
namespace {

// The number after the last occurrence of a word in the failure report.
std::optional<std::uint32_t> number_behind(const std::string& text, const std::string& word) {
    const std::size_t at = text.rfind(word);
    if (at == std::string::npos) return std::nullopt;
    return static_cast<std::uint32_t>(std::strtoul(text.c_str() + at + word.size(), nullptr, 0));
}

}  // namespace

SimulatedCpu::SimulatedCpu(Isa isa)
    : bench_(0, isa),
      fresh_(bench_.processor.context()),
      fresh_system_(bench_.processor.system()) {}

void SimulatedCpu::boot(std::uint32_t eip) {
    const Outcome outcome = execute({eip, Flags::kAlwaysSet, {}});
    if (outcome.vector != Outcome::kCompleted)
        throw std::runtime_error("simulated: start up: " + outcome.complaint);
    fresh_ = bench_.processor.context();
    fresh_system_ = bench_.processor.system();
}

Outcome SimulatedCpu::execute(const Start& start) {
    Processor& cpu = bench_.processor;
    // The test has written memory directly, so decoded instructions must be dropped.
    bench_.code.written(layout::kCode, layout::kCodeRange + layout::kLongestWithLook);
    Context& context = cpu.context();
    const Time now = context.time;
    context = fresh_;
    context.time = now;
    context.halted = false;
    context.fetched = 0;
    context.accesses = 0;
    context.regs = start.regs;
    context.flags.set(start.flags);
    context.eip = start.eip;
    cpu.system() = fresh_system_;
    cpu.flush_tlb();
    cpu.system_changed();
    const bool failed = bench_.go() == StopReason::failed;
    // The observer records every report; cleared so that it does not grow over millions of vectors.
    bench_.observer = {};

    Outcome outcome;
    outcome.regs = context.regs;
    outcome.flags = context.flags.value();
    outcome.eip = bench_.eip();
    for (unsigned s = 0; s < kSegments; ++s)
        outcome.selectors[s] = cpu.system().segments[s].selector;
    if (failed) {
        outcome.complaint = bench_.complaint();
        constexpr std::uint32_t kNone = 1000;
        outcome.vector =
            static_cast<int>(number_behind(outcome.complaint, "vector ").value_or(kNone));
        outcome.error_code = number_behind(outcome.complaint, "error code ").value_or(0);
        outcome.cr2 = number_behind(outcome.complaint, "cr2 ").value_or(0);
    }
    return outcome;
}

}  // namespace symsim::test
