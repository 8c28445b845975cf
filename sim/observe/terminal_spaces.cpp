// SPDX-License-Identifier: MIT
#include <array>

#include "sim/observe/terminal_summary.h"
#include "sim/observe/terminal_text.h"

namespace symsim {
namespace {

using Side = std::array<CallPart, 4>;
constexpr Side kClient = {CallPart::client_send, CallPart::client_poll, CallPart::client_receive,
                          CallPart::client_dispatch};
constexpr Side kServer = {CallPart::server_send, CallPart::server_poll, CallPart::server_receive,
                          CallPart::server_dispatch};

std::string side_text(const char* name, const Side& side, const CallReport& calls) {
    std::string text = fmt::format("  {:<24}", name);
    Time sum = 0;
    for (const CallPart part : side) {
        const Time time = calls.parts[index(part)].sum;
        text += fmt::format("{:>12}", short_time(mean(time, calls.calls)));
        sum += time;
    }
    return text + fmt::format("{:>12}\n", short_time(mean(sum, calls.calls)));
}

std::string calls_text(const CallReport& calls) {
    if (calls.calls == 0) return "";
    std::string text = fmt::format("\n{:<26}{:>12}{:>12}{:>12}{:>12}{:>12}\n",
                                   grouped(calls.calls) + " calls, means", "send", "poll",
                                   "receive", "dispatch", "all");
    text += side_text("client", kClient, calls);
    text += side_text("server", kServer, calls);
    return text;
}

}  // namespace

std::string spaces_text(const RunReport& report) {
    std::string text;
    const Time whole = report.end * static_cast<Time>(report.processors.size());
    for (std::size_t s = 0; s + 1 < report.spaces.size(); ++s) {
        const SpaceTimes& space = report.spaces[s];
        if (s == 0)
            text += fmt::format("\n{:<26}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "address spaces",
                                "time", "idle", "kernel", "donations", "preemptions");
        const auto share = [&](Activity activity) {
            return percent(space.activities[index(activity)], whole);
        };
        text += fmt::format("  {:<24}{:>12}{:>12}{:>12}{:>12}{:>12}\n", clean(space.name, 24),
                            percent(space.held(), whole), share(Activity::idle),
                            share(Activity::kernel), grouped(space.donations),
                            grouped(space.preemptions));
    }
    return report.calls ? text + calls_text(*report.calls) : text;
}

}  // namespace symsim
