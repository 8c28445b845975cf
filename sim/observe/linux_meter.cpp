// SPDX-License-Identifier: MIT
#include "sim/observe/linux_meter.h"

#include <algorithm>

namespace symsim {
namespace {

constexpr std::size_t kMostCallers = 8;

bool begins_with(const std::string& text, std::string_view begin) {
    return text.compare(0, begin.size(), begin) == 0;
}

// Those of C's and C++'s library that programs do not call by name.
bool is_inside_library(const std::string& name) {
    if (begins_with(name, "std::")) return true;
    for (const std::string_view of_cpp : {"_ZNSt", "_ZNKSt", "_ZSt"})
        if (begins_with(name, of_cpp)) return true;
    return begins_with(name, "_") && !begins_with(name, "_Z");
}

std::string function_of(Address address, const SymbolOf& symbol_of) {
    const std::string place = symbol_of(address);
    return place.substr(0, place.find("+0x"));
}

}  // namespace

std::string visit_name(const KernelVisit& visit, const std::vector<std::string>& names) {
    if (visit.why == KernelVisit::Why::page_fault) return "page_fault";
    if (visit.why == KernelVisit::Why::interrupt) return "interrupt";
    return visit.number < names.size() ? names[visit.number] : std::to_string(visit.number);
}

std::pair<std::string, std::string> callers_of(const std::vector<Address>& callers,
                                               const SymbolOf& symbol_of) {
    std::vector<std::string> functions;
    for (std::size_t i = 0; i < callers.size(); ++i)
        functions.push_back(function_of(callers[i] - (i == 0 ? 0 : 1), symbol_of));
    auto function = std::find_if_not(functions.begin(), functions.end(), is_inside_library);
    if (function == functions.end()) function = functions.begin();
    if (function == functions.end()) return {};
    const auto caller = std::find_if(function, functions.end(),
                                     [&](const auto& name) { return name != *function; });
    return {*function, caller == functions.end() ? "" : *caller};
}

void LinuxMeter::take_uses(ProcessorId processor, Time at) {
    auto& uses = uses_[processor];
    for (; !uses.empty() && uses.front().first < at; uses.pop_front())
        timeline_.used(processor, uses.front().second);
}

void LinuxMeter::visited(const KernelVisit& visit) {
    const std::string name = visit_name(visit, system_calls_);
    KernelVisits& visits = visits_[name];
    visits.name = name;
    visits.visits.add(visit.from, visit.to);
    visits.ran += visit.ran;
    visits.uses += visit.uses;
    visits.bus += visit.bus;
    Counts& counts = counts_[visit.thread];
    if (visit.why == KernelVisit::Why::system_call) ++counts.system_calls;
    if (visit.why == KernelVisit::Why::page_fault) ++counts.page_faults;
}

void LinuxMeter::waited(const FutexWait& wait) {
    const std::string how = wait.open ? "" : visit_name(wait.visit, system_calls_);
    std::vector<Address> callers = wait.callers;
    callers.resize(std::min(callers.size(), kMostCallers));
    waits_[{wait.process, wait.word, callers, wait.by, how}].add(wait.from, wait.to);
}

LinuxReport LinuxMeter::report(const SymbolOf& symbol_of) const {
    LinuxReport report;
    for (const auto& [name, visits] : visits_) report.visits.push_back(visits);
    for (const auto& [key, waits] : waits_) {
        const auto& [process, word, callers, by, how] = key;
        const auto [function, caller] = callers_of(callers, symbol_of);
        std::string symbol = symbol_of(word);
        if (begins_with(symbol, "0x")) symbol.clear();
        // Rows that differ only in where a function calls are one.
        const auto same = std::find_if(
            report.futexes.begin(), report.futexes.end(),
            [&, &process = process, &word = word, &by = by, &how = how, &function = function,
             &caller = caller](const FutexWaits& row) {
                return row.process == process && row.word == word && row.function == function &&
                       row.caller == caller && row.by == by && row.by_call == how;
            });
        if (same != report.futexes.end())
            same->waits += waits;
        else
            report.futexes.push_back({process, word, symbol, function, caller, by, how, waits});
    }
    for (std::uint32_t number = 0; number < event_names_.size(); ++number) {
        const auto passed = events_.find(number);
        report.events.emplace_back(event_names_[number],
                                   passed == events_.end() ? 0 : passed->second);
    }
    return report;
}

LinuxThreadReport LinuxMeter::thread(std::uint32_t number, const std::string& program,
                                     const SymbolOf& symbol_of) const {
    const LinuxThread& facts = timeline_.thread(number);
    const auto counts = counts_.find(number);
    LinuxThreadReport report;
    report.process = facts.process;
    report.name = thread_name(number, program);
    report.function = facts.function == 0 ? "main" : symbol_of(facts.function);
    if (counts != counts_.end()) {
        report.system_calls = counts->second.system_calls;
        report.page_faults = counts->second.page_faults;
    }
    return report;
}

}  // namespace symsim
