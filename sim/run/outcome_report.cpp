// SPDX-License-Identifier: MIT
#include "sim/run/outcome_report.h"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <unordered_map>

#include "sim/base/probe_point.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/debug/crash_report.h"
#include "sim/image/probe_records.h"

namespace symsim {

namespace {

// "name value" lines, as the guest's report() writes them. Of a name that comes several times the
// last value counts, in the place of the first.
std::vector<std::pair<std::string, std::string>> parse_results(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> results;
    std::unordered_map<std::string, std::size_t> places;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, end - from);
        from = end + 1;
        const std::size_t space = line.find(' ');
        if (space == std::string::npos || space == 0) continue;
        const auto [place, added] = places.emplace(line.substr(0, space), results.size());
        if (added) results.emplace_back(place->first, "");
        results[place->second].second = line.substr(space + 1);
    }
    return results;
}

// By RunOutcome::Reason. A guest that switches the power off may have another exit code.
constexpr std::array<std::pair<RunStatus, Exit>, 6> kEnds = {
    {{RunStatus::finished, Exit::ok},
     {RunStatus::finished, Exit::ok},
     {RunStatus::guest_failure, Exit::guest_failure},
     {RunStatus::deadlock, Exit::deadlock},
     {RunStatus::time_limit, Exit::time_limit},
     {RunStatus::interrupted, Exit::interrupted}}};
static_assert(index(RunOutcome::Reason::interrupted) + 1 == kEnds.size());

}  // namespace

RunStatus status_of(RunOutcome::Reason reason) {
    return kEnds[index(reason)].first;
}

Exit exit_of(const RunOutcome& outcome, const Image& image) {
    if (outcome.reason() == RunOutcome::Reason::power_off && image.linux_program != 0)
        return static_cast<Exit>(outcome.exit_status() & 255);  // the program's own, as in a shell
    if (outcome.reason() == RunOutcome::Reason::power_off && outcome.exit_status() != 0)
        return Exit::guest_status;
    return kEnds[index(outcome.reason())].second;
}

FailureReport failure_report(const RunOutcome& outcome, const Machine& machine,
                             const Image& image) {
    FailureReport report;
    report.failure = outcome.failure();
    const ProcessorId id = report.failure.processor;
    const CrashSite site(machine.processor(id), machine.cache(id), image);
    report.symbol = image.symbols.describe(site.linear(report.failure.eip));
    report.source = site.line(report.failure.eip);
    report.registers = site.registers();
    report.backtrace = site.backtrace();
    report.branches = site.branches();
    const bool lost = image.symbols.around(site.linear(report.failure.eip)) == nullptr;
    if (lost && report.backtrace.size() > 1) report.caller = report.backtrace[1];
    return report;
}

GuestReport guest_report(const Image& image, const StandardInput& input, const RunOutcome& outcome,
                         const std::string& results) {
    GuestReport report;
    report.image = image.path.filename().string();
    report.sha256 = image.sha256;
    report.stdin_sha256 = input.sha256;
    report.compiler = image.compiler;
    report.flags = image.flags;
    if (outcome.reason() == RunOutcome::Reason::power_off)
        report.exit_status = outcome.exit_status();
    report.results = parse_results(results);
    return report;
}

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

namespace {

// More names than these are not listed.
constexpr std::size_t kMostListed = 12;

std::string hint(const std::string& name, const std::vector<std::string>& asked) {
    if (asked.empty()) return "the guest asks for no argument";
    const auto unlike = [&](const std::string& other) { return edit_distance(name, other); };
    const auto nearest =
        std::min_element(asked.begin(), asked.end(),
                         [&](const auto& a, const auto& b) { return unlike(a) < unlike(b); });
    // One slip in three letters may be a misspelling.
    if (unlike(*nearest) * 3 <= std::max(name.size(), nearest->size()))
        return fmt::format("did you mean {}?", *nearest);
    if (asked.size() > kMostListed)
        return fmt::format("the guest asks for {} others", asked.size());
    return fmt::format("the guest asks for {}", fmt::join(asked, ", "));
}

}  // namespace

std::vector<UnusedArgument> unused_arguments(const Image& image, const Config& config,
                                             const Machine& machine) {
    if (!reports(image, [](ProbeKind kind) { return kind == ProbeKind::argument; })) return {};
    std::set<std::string> asked;
    for (ProcessorId p = 0; p < machine.processors(); ++p) {
        const std::set<std::string>& by_one = machine.processor(p).arguments_asked();
        asked.insert(by_one.begin(), by_one.end());
    }
    const auto in_image = [&](const std::string& name) {
        return config.guest.image.find('{' + name + '}') != std::string::npos;
    };
    std::vector<std::string> own;  // without those that every guest gets
    for (const std::string& name : asked)
        if (name != "processors" && name != "seed") own.push_back(name);
    for (const auto& [name, value] : config.guest_args)
        if (in_image(name) && asked.count(name) == 0) own.push_back(name);
    std::vector<UnusedArgument> unused;
    for (const auto& [name, value] : config.guest_args)
        if (asked.count(name) == 0 && !in_image(name)) unused.push_back({name, hint(name, own)});
    return unused;
}

}  // namespace symsim
