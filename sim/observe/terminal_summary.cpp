// SPDX-License-Identifier: MIT
#include "sim/observe/terminal_summary.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/activity.h"
#include "sim/base/text.h"
#include "sim/base/transaction_kind.h"
#include "sim/cpu/delivery/exception_text.h"
#include "sim/devices/devices.h"
#include "sim/observe/host_clock.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

constexpr std::size_t kMaxLocks = 8;
constexpr std::size_t kMaxResults = 8;
constexpr std::size_t kMaxBacktrace = 6;
constexpr std::size_t kMaxName = 24;
constexpr std::size_t kMaxPostCodes = 16;

std::string percent(Time part, Time whole) {
    const std::int64_t tenths = (millionths(part, whole) + 500) / 1000;
    return fmt::format("{}.{}%", tenths / 10, tenths % 10);
}

std::string how_it_ended(const RunReport& report) {
    std::string text =
        fmt::format("{} after {} ({} us), {} processor{}, {} instructions\n", name(report.status),
                    short_time(report.end), us_text(report.end), report.processors.size(),
                    report.processors.size() == 1 ? "" : "s", grouped(report.all_instructions()));
    if (report.partial) text += "partial: the run was cut short, numbers are up to this time\n";
    if (!report.guest.image.empty()) {
        text += "guest  " + clean(report.guest.image, 70);
        if (report.guest.exit_status) {
            text += fmt::format(", exit status {}", *report.guest.exit_status);
        }
        text += "\n";
        if (report.guest.exit_status.value_or(0) != 0)
            text += fmt::format("       {}\n", last_line_text(report.guest));
    }
    if (report.host.cpu_s > 0) {
        text +=
            fmt::format("host   {:.2f} s ({:.2f} s CPU), {:.1f} MIPS, slowdown {:.1f}, {:.0f} MB\n",
                        report.host.wall_s, report.host.cpu_s, mips(report), slowdown(report),
                        report.host.peak_rss_mb);
    }
    return text;
}

std::string failure_text(const FailureReport& failure) {
    const GuestFailure& f = failure.failure;
    std::string text = fmt::format("\nfailure  {}\n", f.what);
    text += fmt::format("  processor {} at {} us, eip {}{}{}\n", f.processor, us_text(f.time),
                        hex_text(f.eip), failure.symbol.empty() ? "" : " in " + failure.symbol,
                        failure.source.empty() ? "" : ", " + failure.source);
    if (f.vector && f.error_code)
        text += fmt::format("  error code {:#x}: {}\n", *f.error_code,
                            error_code_text(*f.vector, *f.error_code));
    for (std::size_t i = 0; i < std::min(failure.backtrace.size(), kMaxBacktrace); ++i) {
        text += "    " + failure.backtrace[i] + "\n";
    }
    if (!f.fix.empty()) text += fmt::format("  {}\n", f.fix);
    return text;
}

std::string processors_text(const RunReport& report) {
    ProcessorTimes all;
    for (const ProcessorTimes& times : report.processors) all += times;
    const Time whole = report.end * static_cast<Time>(report.processors.size());
    std::string text = "\ntime of the processors";
    for (const auto state : kProcessorStateNames) text += fmt::format("{:>12}", state);
    text += fmt::format("{:>12}\n", "all");
    const auto line = [&](std::string_view label, const ProcessorTimes::States& states) {
        text += fmt::format("  {:<20}", label);
        for (const Time t : states) text += fmt::format("{:>12}", percent(t, whole));
        text += fmt::format("{:>12}\n", percent(sum(states), whole));
    };
    for (std::size_t a = 0; a < kActivities; ++a)
        if (sum(all.states_by_activity[a]) != 0) line(kActivityNames[a], all.states_by_activity[a]);
    line("all", all.states());
    return text;
}

std::string bus_text(const RunReport& report) {
    const BusTotals& bus = report.bus;
    const std::uint64_t transactions = bus.all_transactions();
    const Time whole = bus.capacity(report.end);
    std::string text = fmt::format(
        "\nbus  {} busy, {} transactions, mean wait {}, mean queue {:.2f}\n",
        percent(bus.busy, whole), grouped(transactions),
        short_time(mean(bus.all_wait(), transactions)), ratio(bus.all_wait(), report.end));
    if (bus.busy == 0) return text;
    // One line per kind, because there are more kinds than fit in columns.
    const auto busy = bus.busy_by_activity();
    std::vector<std::size_t> activities;
    for (std::size_t a = 0; a < kActivities; ++a) {
        if (sum(busy[a]) != 0) activities.push_back(a);
    }
    text += fmt::format("  {:<14}", "held for");
    for (const std::size_t a : activities) text += fmt::format("{:>10}", kActivityNames[a]);
    text += fmt::format("{:>10}\n", "all");
    const auto line = [&](std::string_view label, const auto& time_of) {
        text += fmt::format("  {:<14}", label);
        Time all = 0;
        for (const std::size_t a : activities) {
            text += fmt::format("{:>10}", percent(time_of(busy[a]), whole));
            all += time_of(busy[a]);
        }
        text += fmt::format("{:>10}\n", percent(all, whole));
    };
    using ByKind = BusTotals::ByKind;
    for (std::size_t k = 0; k < kTransactionKinds; ++k) {
        const auto of_kind = [k](const ByKind& kinds) { return kinds[k]; };
        const auto still_held = [&](Time sum, const ByKind& kinds) { return sum + kinds[k]; };
        if (std::accumulate(busy.begin(), busy.end(), Time{0}, still_held) != 0)
            line(kTransactionKindNames[k], of_kind);
    }
    line("all", [](const ByKind& kinds) { return sum(kinds); });
    return text;
}

// `nodes`: shows how far the locks travelled.
std::string locks_text(std::vector<LockReport> locks, bool nodes) {
    if (locks.empty()) return "";
    std::stable_sort(locks.begin(), locks.end(), [](const LockReport& a, const LockReport& b) {
        return a.all.waits.sum + a.all.open_wait > b.all.waits.sum + b.all.open_wait;
    });
    std::string text = fmt::format("\n{:<26}{:>14}{:>11}{:>11}{:>11}{:>11}", "locks", "acquired",
                                   "mean wait", "max wait", "mean hold", "max hold");
    text += nodes ? fmt::format("{:>14}\n", "links/handoff") : "\n";
    std::uint64_t still_held = 0;
    for (const LockReport& lock : locks) still_held += lock.all.open_hold > 0 ? 1 : 0;
    for (std::size_t i = 0; i < std::min(locks.size(), kMaxLocks); ++i) {
        const LockTimes& t = locks[i].all;
        text +=
            fmt::format("  {:<24}{:>14}{:>11}{:>11}{:>11}{:>11}", clean(locks[i].name, kMaxName),
                        grouped(t.acquisitions), short_time(mean(t.waits.sum, t.waits.count)),
                        short_time(t.waits.longest), short_time(mean(t.holds.sum, t.holds.count)),
                        short_time(t.holds.longest));
        text += nodes ? fmt::format("{:>14.2f}\n", t.handoffs.mean_links()) : "\n";
    }
    if (locks.size() > kMaxLocks) {
        text += fmt::format("  and {} more in locks.csv\n", locks.size() - kMaxLocks);
    }
    if (still_held > 0) text += fmt::format("  {} still held at the end\n", still_held);
    return text;
}

std::string result_text(const Result& result) {
    const Json::Value& value = result.value.value();
    if (const auto* const time = std::get_if<Time>(&value); time && result.unit == "us")
        return short_time(*time);
    if (const auto* const count = std::get_if<std::uint64_t>(&value)) return grouped(*count);
    if (const auto* const text = std::get_if<std::string>(&value)) return *text;
    return result.value.text();
}

// The line of each device that has one: its results put in for their names.
std::string devices_text(const RunReport& report) {
    std::string text;
    for (const DeviceKind& kind : device_kinds()) {
        const DeviceReport* const device = report.device(kind.name);
        if (!device || *kind.line == 0) continue;
        fmt::dynamic_format_arg_store<fmt::format_context> values;
        for (const Result& result : device->results)
            values.push_back(fmt::arg(result.name.c_str(), result_text(result)));
        text += "\n" + fmt::vformat(kind.line, values) + "\n";
    }
    return text;
}

std::string distance_text(const RunReport& report) {
    if (!report.distance) return "";
    MissCounts all;
    for (const ProcessorMisses& misses : report.distance->misses) all += sum(misses);
    std::string text = fmt::format("\n{:<26}{:>14}{:>12}{:>14}\n", "misses", "count", "mean time",
                                   "share of time");
    const auto line = [&](const char* label, std::uint64_t misses, Time time) {
        text += fmt::format("  {:<24}{:>14}{:>12}{:>14}\n", label, grouped(misses),
                            short_time(mean(time, misses)), percent(time, all.time));
    };
    line("near, in the own node", all.near(), all.near_time());
    line("far, over links", all.far, all.far_time);
    if (all.far == 0) return text;
    const double links = static_cast<double>(all.links) / static_cast<double>(all.far);
    return text + fmt::format("  {:.2f} links per far miss\n", links);
}

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

std::string linux_text(const RunReport& report) {
    constexpr std::size_t kMostCalls = 8;
    if (!report.linux) return "";
    const LinuxReport& linux = *report.linux;
    const Time whole = report.end * static_cast<Time>(report.processors.size());
    std::string text = fmt::format(
        "\n{} thread{}  user {}, kernel {}, scheduler {}, idle {}; {} switches, {} migrations\n",
        report.processes.size(), report.processes.size() == 1 ? "" : "s",
        percent(linux.user, whole), percent(linux.kernel, whole), percent(linux.scheduler, whole),
        percent(linux.idle, whole), grouped(linux.switches), grouped(linux.migrations));
    std::vector<KernelVisits> visits = linux.visits;
    std::stable_sort(visits.begin(), visits.end(),
                     [](const auto& a, const auto& b) { return a.ran > b.ran; });
    text += fmt::format("  {:<24}{:>12}{:>14}{:>12}{:>12}\n", "kernel", "calls", "clocks/call",
                        "of time", "bus/call");
    for (std::size_t i = 0; i < std::min(visits.size(), kMostCalls); ++i) {
        const KernelVisits& v = visits[i];
        const double uses = static_cast<double>(v.uses) / static_cast<double>(v.visits.count);
        text +=
            fmt::format("  {:<24}{:>12}{:>14}{:>12}{:>12.1f}\n", v.name, grouped(v.visits.count),
                        grouped(static_cast<std::uint64_t>(v.ran / linux.clock) / v.visits.count),
                        percent(v.ran, whole), uses);
    }
    if (visits.size() > kMostCalls)
        text += fmt::format("  and {} more in system_calls.csv\n", visits.size() - kMostCalls);
    return text;
}

std::string preemption_text(const RunReport& report) {
    if (!report.preemption) return "";
    const ScheduleReport& p = *report.preemption;
    if (!p.outcome.reached)
        return fmt::format("\nno preemption: processor {} did not retire preempt.instructions{}\n",
                           p.processor, report.partial ? " before the run ended" : "");
    return fmt::format(
        "\npreemption: at {} us the timer's interrupt arrived at processor {}, "
        "before {} {}\n",
        us_text(p.outcome.start), p.processor, hex_text(p.outcome.eip), clean(p.symbol, 60));
}

std::string results_text(const RunReport& report) {
    const auto& results = report.guest.results;
    if (results.empty()) return "";
    std::string text = "\nresults of the guest\n";
    for (std::size_t i = 0; i < std::min(results.size(), kMaxResults); ++i) {
        text +=
            fmt::format("  {:<32}{}\n", clean(results[i].first, 31), clean(results[i].second, 40));
    }
    if (results.size() > kMaxResults) {
        text += fmt::format("  and {} more in summary.json\n", results.size() - kMaxResults);
    }
    return text;
}

// The last POST codes, which show where a test ROM stopped.
std::string post_codes_text(const GuestReport& guest) {
    const auto& [codes, left_out] = guest.post_codes;
    if (codes.empty()) return "";
    const std::size_t shown = std::min(codes.size(), kMaxPostCodes);
    std::string text = fmt::format("\nPOST codes  {}", shown < codes.size() ? "... " : "");
    for (std::size_t i = codes.size() - shown; i < codes.size(); ++i)
        text += fmt::format("{:02x} ", codes[i].code);
    text += fmt::format("\n  the last one at {} us", us_text(codes.back().time));
    if (left_out > 0) text += fmt::format("; {} behind it are not recorded", left_out);
    return text + "\n";
}

std::string trace_text(const TraceReport& trace) {
    if (trace.failed) return fmt::format("\n{} could not be written\n", trace.file);
    if (!trace.complete)
        return fmt::format("\n{} ends at {} us: it reached its size limit\n", trace.file,
                           us_text(trace.until));
    if (trace.from < trace.until) return "";
    return fmt::format("\n{} is empty: nothing lies in observe.window\n", trace.file);
}

// Lines under a title; nothing if there are none.
std::string listed(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return "";
    std::string text = fmt::format("\n{}\n", title);
    for (const std::string& line : lines) text += fmt::format("  {}\n", line);
    return text;
}

}  // namespace

std::string clean(const std::string& text, std::size_t width) {
    std::string result = text.size() > width ? text.substr(0, width - 3) + "..." : text;
    for (char& c : result) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    }
    return result;
}

std::string short_time(Time t) {
    struct Unit {
        Time size;
        std::string_view name;
    };
    constexpr Unit kUnits[] = {{1'000'000 * kMicrosecond, "s"},
                               {kMillisecond, "ms"},
                               {kMicrosecond, "us"},
                               {1'000, "ns"},
                               {1, "ps"}};
    for (const Unit& unit : kUnits) {
        if (t < unit.size) continue;
        const double value = static_cast<double>(t) / static_cast<double>(unit.size);
        const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return fmt::format("{:.{}f} {}", value, unit.size == 1 ? 0 : decimals, unit.name);
    }
    return "0";
}

std::string grouped(std::uint64_t n) {
    std::string text = fmt::format("{}", n);
    for (std::size_t i = text.size(); i > 3;) {
        i -= 3;
        text.insert(i, ",");
    }
    return text;
}

std::string terminal_summary(const RunReport& report, const std::string& folder) {
    std::string text = how_it_ended(report);
    if (report.failure) text += failure_text(*report.failure);
    text += listed(report.linux ? "threads that faulted" : "processes that the kernel ended",
                   fault_lines(report));
    text += listed("where the processors stand", position_lines(report));
    text += listed("what the threads wait for", thread_lines(report));
    text += listed("arguments", unused_arguments_lines(report));
    text += processors_text(report);
    text += bus_text(report);
    text += devices_text(report);
    text += distance_text(report);
    text += locks_text(report.locks, report.distance.has_value());
    text += spaces_text(report);
    text += linux_text(report);
    text += preemption_text(report);
    text += results_text(report);
    text += post_codes_text(report.guest);
    for (const TraceReport& trace : report.traces) text += trace_text(trace);
    return utf8(text + fmt::format("\nfiles in {}\n", folder));
}

}  // namespace symsim
