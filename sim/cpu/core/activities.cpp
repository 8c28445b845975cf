// SPDX-License-Identifier: MIT
// What happens between two instructions: probe points fire, and the activity changes.
#include "sim/cpu/core/activities.h"

#include <utility>

namespace symsim {
namespace {

const char* const kProcessOrder =
    "look where the kernel passes the probe points of processes; guest/include/probes.h says in "
    "which order they may come";
const char* const kFoundByGuest =
    "the guest's library found the error: the backtrace shows the call";

}  // namespace

// A probe point that reads memory or changes the process table, and one that the schedule awaits,
// is passed only at commit time.
bool Activities::pass_probes(const ProbedOp& op) {
    const bool awaited = schedule_.awaits_region();
    if ((op.waits_for_commit || awaited) && !core_.committed()) return false;
    if (op.waits_for_commit && fails(op)) return false;
    if (processes_ && op.waits_for_commit && !switch_processes(op)) return false;
    fire_probes(op);
    if (awaited) look_for_region(marks_);
    return true;
}

std::uint32_t Activities::operand_of(const Probe& probe) const {
    return evaluate(
        probe.operand, [this](std::uint8_t n) { return core_.context.regs[n]; },
        [this](Address a, unsigned size) {
            const auto physical = look_up(a);
            return physical ? cache_.peek_at(*physical, size, core_.context.time) : 0;
        });
}

void Activities::fire_probes(const ProbedOp& op) {
    core_.context.fetched |= kProbed;
    for (const Probe& probe : op.probes) {
        if (probe.kind == ProbeKind::argument) {
            if (auto name = text_at(operand_of(probe))) arguments_asked_.insert(std::move(*name));
            continue;
        }
        if (is_page(probe.kind)) use_page(probe);
        // The locks of a kernel with processes do not count: it may acquire one in one process and
        // release it in another.
        const bool counts = !processes_ || op.region != Activity::kernel;
        if (probe.kind == ProbeKind::lock_acquired && counts) {
            ++core_.context.critical_depth;
            core_.context.entry = kNoEntry;
        }
        if (probe.kind == ProbeKind::lock_release && counts) core_.context.releasing = true;
        marks_.push_back({core_.context.time, Mark::What::probe, op.region, probe.kind,
                          operand_of(probe), op.address});
        if (!callers_ || !has_callers(probe.kind)) continue;
        for (const Address caller : callers_())
            marks_.push_back({core_.context.time, Mark::What::probe, op.region, ProbeKind::caller,
                              caller, op.address});
    }
}

// Changes the process table as the op's probe points say. False: the guest has failed, since the
// order of the probe points is not possible.
bool Activities::switch_processes(const ProbedOp& op) {
    for (const Probe& probe : op.probes) {
        if (!is_process(probe.kind)) continue;
        const auto refused =
            processes_->pass(probe.kind, operand_of(probe), core_.id, core_.context.critical_depth);
        if (refused) return fail(*refused, kProcessOrder);
        core_.context.entry = kNoEntry;
    }
    return true;
}

// A text in the guest's memory, if it can be read. Probe points that read one are never passed
// speculatively (ProbedOp::waits_for_commit).
std::optional<std::string> Activities::text_at(LinearAddress begin) const {
    std::string text;
    while (text.size() < kLongestText) {
        const auto physical = look_up(begin + static_cast<LinearAddress>(text.size()));
        if (!physical || !cache_.memory().contains(*physical, 1)) return std::nullopt;
        const char c = static_cast<char>(cache_.peek_at(*physical, 1, core_.context.time));
        if (c == '\0') break;
        text += c;
    }
    return text;
}

// Whether one of the op's probe points is an error that the guest has found in itself.
bool Activities::fails(const ProbedOp& op) {
    for (const Probe& probe : op.probes) {
        if (probe.kind != ProbeKind::failure) continue;
        std::string text = text_at(operand_of(probe)).value_or("an error without a text");
        for (char& c : text) c = c < ' ' || c > '~' ? '?' : c;
        fail(text, kFoundByGuest);
        return true;
    }
    return false;
}

// A stack's guard page. Such a probe point is never passed speculatively either.
void Activities::use_page(const Probe& probe) {
    const auto physical = look_up(operand_of(probe));
    if (!physical || !cache_.memory().contains(*physical, 1)) return;
    const bool closes = probe.kind == ProbeKind::page_closed;
    cache_.set_page(*physical, closes ? PageUse::stack_guard : PageUse::open, core_.context.time);
}

void Activities::tell_call(Mark::What what, Offset back) {
    const auto& segments = core_.system.segments;
    marks_.push_back({core_.context.time, what, core_.context.activity, ProbeKind::message,
                      segments[ss].base + core_.context.regs[esp], segments[cs].base + back});
}

bool Activities::enters_activity(const Op& op) {
    if (op.probed()) return true;
    if (core_.context.time >= core_.stop) return false;
    enter_activity(op);
    return true;
}

// The activity follows from the region of the code and from whether locks are held.
void Activities::enter_activity(const Op& op) {
    Activity activity = op.region;
    if (core_.context.critical_depth > 0 &&
        (activity == Activity::user || activity == Activity::threads))
        activity = Activity::critical;
    if (activity != core_.context.activity) {
        core_.context.activity = activity;
        marks_.push_back({core_.context.time, Mark::What::activity, activity, {}, 0, op.address});
    }
    core_.context.entry = static_cast<std::uint8_t>(op.region);
}

}  // namespace symsim
