// SPDX-License-Identifier: MIT
#include "sim/run/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/debug/crash_report.h"

namespace symsim {
namespace {

bool has_positions(const RunOutcome& outcome) {
    return outcome.reason() != RunOutcome::Reason::power_off &&
           outcome.reason() != RunOutcome::Reason::guest_failure;
}

// The two words at a thread's handle, in the memory of the guest.
class Handles {
  public:
    Handles(const Machine& machine, const Image& image) : machine_(machine), image_(image) {}

    std::string function(Address handle) const {
        return image_.symbols.describe(machine_.cache(0).peek(handle, 4));
    }
    std::uint32_t number(Address handle) const { return machine_.cache(0).peek(handle + 4, 4); }
    std::string thread(Address handle) const {
        return fmt::format("thread {} ({})", number(handle), function(handle));
    }
    std::string wait(const ThreadWaits::Wait& wait) const {
        const std::string object = image_.symbols.describe(wait.object);
        switch (wait.what) {
            case ThreadWaits::What::mutex:
                return fmt::format("the mutex {}, held by {}", object,
                                   wait.holder == 0             ? "no thread"
                                   : wait.holder == wait.handle ? "itself"
                                                                : thread(wait.holder));
            case ThreadWaits::What::join:
                return "the end of " + thread(wait.object);
            case ThreadWaits::What::condition:
                return "a signal of the condition " + object;
            case ThreadWaits::What::barrier:
                return "others at the barrier " + object;
            case ThreadWaits::What::runs:
                break;
        }
        return "";
    }

  private:
    const Machine& machine_;
    const Image& image_;
};

}  // namespace

std::vector<ProcessorPosition> positions(const RunOutcome& outcome, const Machine& machine,
                                         const Recorder& recorder, const Image& image) {
    std::vector<ProcessorPosition> all;
    if (!has_positions(outcome)) return all;
    for (ProcessorId p = 0; p < machine.processors(); ++p) {
        const Context& context = machine.processor(p).context();
        const CrashSite site(machine.processor(p), machine.cache(p), image);
        ProcessorPosition position;
        position.state = recorder.state(p);
        position.interrupts = (context.flags.system & Flags::kInterrupt) != 0;
        position.eip = context.eip;
        position.symbol = image.symbols.describe(site.linear(context.eip));
        position.source = site.line(context.eip);
        if (const auto lock = recorder.awaited_lock(p))
            position.lock = image.symbols.describe(*lock);
        all.push_back(std::move(position));
    }
    return all;
}

std::vector<ThreadPosition> thread_positions(const RunOutcome& outcome, const Machine& machine,
                                             const Recorder& recorder, const Image& image) {
    std::vector<ThreadPosition> all;
    if (!has_positions(outcome)) return all;
    const Handles handles(machine, image);
    for (const ThreadWaits::Wait& wait : recorder.thread_waits())
        all.push_back(
            {handles.number(wait.handle), handles.function(wait.handle), handles.wait(wait)});
    std::stable_sort(all.begin(), all.end(), [](const ThreadPosition& a, const ThreadPosition& b) {
        return a.number < b.number;
    });
    return all;
}

}  // namespace symsim
