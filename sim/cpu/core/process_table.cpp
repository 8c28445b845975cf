// SPDX-License-Identifier: MIT
#include "sim/cpu/core/process_table.h"

#include <fmt/format.h>

#include <utility>

namespace symsim {

namespace {

using State = ProcessTable::State;

// What each probe point needs, and what it makes of the process.
struct Transition {
    ProbeKind kind;
    State from;
    State to;
};
constexpr std::array<Transition, 8> kTransitions = {{
    {ProbeKind::process_create, State::none, State::ready},
    {ProbeKind::process_run, State::ready, State::running},
    {ProbeKind::process_preempt, State::running, State::ready},
    {ProbeKind::process_yield, State::running, State::ready},
    {ProbeKind::process_block, State::running, State::blocked},
    {ProbeKind::process_wake, State::blocked, State::ready},
    {ProbeKind::process_exit, State::running, State::ended},
    {ProbeKind::process_warn, State::running, State::running},
}};

constexpr const Transition& transition(ProbeKind kind) {
    return kTransitions[index(kind) - index(ProbeKind::process_create)];
}

constexpr std::string_view name(ProbeKind kind) {
    for (const ProbePoint& point : kProbePoints)
        if (point.kind == kind) return point.name;
    return "";
}

}  // namespace

std::optional<std::string> ProcessTable::pass(ProbeKind kind, std::uint32_t process,
                                              ProcessorId processor,
                                              std::uint32_t& critical_depth) {
    const Transition& to = transition(kind);
    if (state(process) != to.from ||
        (to.from == State::running && processes_[process].processor != processor) ||
        (kind == ProbeKind::process_run && current_[processor]))
        return refusal(kind, process, processor);
    Process& one = processes_[process];
    if ((to.from == State::running) != (to.to == State::running)) {
        std::swap(one.critical_depth, critical_depth);
        one.processor = processor;
        if (to.to == State::running)
            current_[processor] = process;
        else
            current_[processor].reset();
    }
    one.state = to.to;
    return std::nullopt;
}

// Why the probe point is not possible: what it needs, and what it finds.
std::string ProcessTable::refusal(ProbeKind kind, std::uint32_t process,
                                  ProcessorId processor) const {
    const std::string what =
        fmt::format("processor {} passes {} of process {}", processor, name(kind), process);
    const auto found = processes_.find(process);
    if (found == processes_.end()) return what + ", which has not been created";
    const Process& one = found->second;
    const State from = transition(kind).from;
    if (one.state == from && from != State::running)  // process_run of a second process
        return fmt::format("{}, but it still runs process {}", what, *current_[processor]);
    switch (one.state) {
        case State::ready:
            return what + ", which is ready and does not run" +
                   (from == State::blocked ? ": it is not blocked" : "");
        case State::running:
            return fmt::format("{}, which runs on processor {}", what, one.processor);
        case State::blocked:
            return what + ", which is blocked";
        case State::none:
        case State::ended:
            break;
    }
    return what + ", which has ended";
}

}  // namespace symsim
