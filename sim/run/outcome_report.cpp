// SPDX-License-Identifier: MIT
#include "sim/run/outcome_report.h"

#include <algorithm>
#include <unordered_map>

#include "sim/base/failure.h"
#include "sim/debug/crash_report.h"

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

}  // namespace

RunStatus status_of(RunOutcome::Reason reason) {
    switch (reason) {
        case RunOutcome::Reason::power_off:
        case RunOutcome::Reason::halted:
            return RunStatus::finished;
        case RunOutcome::Reason::guest_failure:
            return RunStatus::guest_failure;
        case RunOutcome::Reason::deadlock:
            return RunStatus::deadlock;
        case RunOutcome::Reason::time_limit:
            return RunStatus::time_limit;
        case RunOutcome::Reason::interrupted:
            return RunStatus::interrupted;
    }
    impossible("a run ended for reason {}", static_cast<int>(reason));
}

Exit exit_of(const RunOutcome& outcome) {
    switch (outcome.reason()) {
        case RunOutcome::Reason::power_off:
            return outcome.exit_status() == 0 ? Exit::ok : Exit::guest_status;
        case RunOutcome::Reason::halted:
            return Exit::ok;
        case RunOutcome::Reason::guest_failure:
            return Exit::guest_failure;
        case RunOutcome::Reason::deadlock:
            return Exit::deadlock;
        case RunOutcome::Reason::time_limit:
            return Exit::time_limit;
        case RunOutcome::Reason::interrupted:
            return Exit::interrupted;
    }
    impossible("a run ended for reason {}", static_cast<int>(outcome.reason()));
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

}  // namespace symsim
