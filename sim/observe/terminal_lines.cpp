// SPDX-License-Identifier: MIT
// The parts of the terminal's summary that --quiet prints too.
#include <fmt/format.h>

#include <algorithm>

#include "sim/observe/numbers.h"
#include "sim/observe/terminal_summary.h"

namespace symsim {
namespace {

// The first lines, and how many more of `what` there are.
std::vector<std::string> the_first(std::vector<std::string> lines, const char* what) {
    constexpr std::size_t kMost = 8;
    if (lines.size() <= kMost) return lines;
    const std::size_t more = lines.size() - kMost;
    lines.resize(kMost);
    lines.push_back(fmt::format("and {} more {} in summary.json", more, what));
    return lines;
}

std::string doing(const ProcessorPosition& position) {
    std::string text;
    switch (position.state) {
        case ProcessorState::executing:
            text = "executes";
            break;
        case ProcessorState::waiting:
            text = "waits for the bus";
            break;
        case ProcessorState::served:
            text = "waits for the end of its bus transaction";
            break;
        case ProcessorState::halted:
            text = position.interrupts ? "halted until an interrupt" : "halted, interrupts off";
            break;
    }
    return position.lock.empty() ? text : text + ", wants the lock " + clean(position.lock, 40);
}

// Numbers of processors in order, as "0-3, 5".
std::string ranges(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        text += text.empty() ? "" : ", ";
        text += last == i ? fmt::format("{}", numbers[i])
                          : fmt::format("{}-{}", numbers[i], numbers[last]);
        i = last + 1;
    }
    return text;
}

}  // namespace

std::string last_line_text(const GuestReport& guest) {
    if (guest.last_line.empty()) return "it printed nothing";
    return "its last line: " + clean(guest.last_line, 200);
}

std::vector<std::string> unused_arguments_lines(const RunReport& report) {
    const char* const says =
        report.partial ? "the guest had not asked for it yet" : "the guest never asked for it";
    std::vector<std::string> lines;
    for (const UnusedArgument& unused : report.guest.unused_arguments)
        lines.push_back(fmt::format("guest.args.{}: {}; {}", unused.name, says, unused.hint));
    return lines;
}

std::vector<std::string> fault_lines(const RunReport& report) {
    std::vector<std::string> lines;
    for (const auto& [fault, symbol, source, why, backtrace] : report.faults) {
        lines.push_back(fmt::format(
            "{} {} faulted on processor {} at {} us, eip {}{}{}{}",
            report.linux ? "thread" : "process", fault.process, fault.processor, us_text(fault.at),
            hex_text(fault.eip), symbol.empty() ? "" : " in " + symbol,
            source.empty() ? "" : ", " + source, why.empty() ? "" : ": " + why));
        for (const std::string& call : backtrace) lines.back() += "\n    " + call;
    }
    return the_first(lines, "faults");
}

// One line for all processors that do the same at the same place.
std::vector<std::string> position_lines(const RunReport& report) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t p = 0; p < report.positions.size(); ++p) {
        const ProcessorPosition& position = report.positions[p];
        const std::string text =
            fmt::format("{}, at {} {}{}", doing(position), hex_text(position.eip), position.symbol,
                        position.source.empty() ? "" : ", " + position.source);
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&](const auto& group) { return group.first == text; });
        if (same == groups.end())
            groups.push_back({text, {p}});
        else
            same->second.push_back(p);
    }
    std::vector<std::string> lines;
    for (const auto& [text, processors] : groups)
        lines.push_back(fmt::format("processor{} {}: {}", processors.size() > 1 ? "s" : "",
                                    ranges(processors), text));
    return the_first(lines, "places");
}

// What each thread of pthread.h waits for.
std::vector<std::string> thread_lines(const RunReport& report) {
    std::vector<std::string> lines;
    for (const ThreadPosition& thread : report.threads)
        lines.push_back(fmt::format("thread {} ({}) waits for {}", thread.number,
                                    clean(thread.function, 40), clean(thread.wait, 100)));
    return the_first(lines, "threads");
}

}  // namespace symsim
