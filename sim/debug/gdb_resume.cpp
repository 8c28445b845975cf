// SPDX-License-Identifier: MIT
// GdbSession's part that resumes the machine: which processors continue or step, and which stand
// still.
#include <algorithm>

#include "sim/debug/gdb_packet.h"
#include "sim/debug/gdb_registers.h"
#include "sim/debug/gdb_session.h"

namespace symsim {

namespace {

// The action of a letter. A signal that GDB wants to deliver (C, S) is dropped: a processor has
// none.
std::optional<Resume> action_of(char letter) {
    switch (letter) {
        case 'c':
        case 'C':
            return Resume::proceed;
        case 's':
        case 'S':
            return Resume::step;
        default:
            return std::nullopt;
    }
}

bool has_signal(char letter) {
    return letter == 'C' || letter == 'S';
}

}  // namespace

// vCont;action[:thread];... The first action that names a processor counts for it. A processor that
// no action names stands still.
std::optional<std::string> GdbSession::resume_each(std::string_view actions) {
    std::vector<Resume> how(target_.processors.size(), Resume::stay);
    while (!actions.empty()) {
        std::string_view action = actions.substr(0, actions.find(';'));
        actions.remove_prefix(std::min(action.size() + 1, actions.size()));
        const char letter = action.empty() ? ' ' : action.front();
        const auto what = action_of(letter);
        if (!what) return kNotPossible;
        action.remove_prefix(1);
        if (has_signal(letter) && !take_number(action)) return kNotPossible;
        const bool names_one = take(action, ":");
        if (!names_one && !action.empty()) return kNotPossible;
        const auto act = [&](ProcessorId processor) {
            if (how[processor] == Resume::stay) how[processor] = *what;
        };
        if (!names_one || action == "-1") {
            for (ProcessorId processor = 0; processor < how.size(); ++processor) act(processor);
            continue;
        }
        const Processor* const named = processor_of(action);
        if (!named) return kNotPossible;
        act(named->id());
    }
    return resume(how);
}

// c[address], s[address], Csignal[;address], Ssignal[;address]: for the processor that Hc has
// named, which then resumes alone. If Hc has named none, the current processor does what the packet
// says, and the others continue.
std::optional<std::string> GdbSession::resume_one(char letter, std::string_view rest) {
    if (has_signal(letter)) {
        if (!take_number(rest)) return kNotPossible;
        if (!rest.empty() && !take(rest, ";")) return kNotPossible;
    }
    Processor& named = *target_.processors[continues_alone_.value_or(current_)];
    if (!rest.empty()) {
        const auto address = take_number(rest);
        if (!address || !rest.empty()) return kNotPossible;
        if (!set_gdb_pc(named, static_cast<LinearAddress>(*address))) return kNotPossible;
        changed_ = true;
    }
    std::vector<Resume> how(target_.processors.size(),
                            continues_alone_ ? Resume::stay : Resume::proceed);
    how[named.id()] = *action_of(letter);
    return resume(how);
}

// Empty: the machine resumes.
std::optional<std::string> GdbSession::resume(const std::vector<Resume>& how) {
    if (std::count(how.begin(), how.end(), Resume::stay) == static_cast<long>(how.size()))
        return kNotPossible;
    held_ = {};
    for (const Processor* processor : target_.processors) {
        stops_.resume(*processor, how[processor->id()]);
        held_.set(processor->id(), how[processor->id()] == Resume::stay);
    }
    target_.hold(held_);
    return std::nullopt;
}

}  // namespace symsim
