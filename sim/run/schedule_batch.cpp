// SPDX-License-Identifier: MIT
#include "sim/run/schedule_batch.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "sim/base/exit_code.h"
#include "sim/base/failure.h"
#include "sim/base/host_calls.h"
#include "sim/base/json.h"
#include "sim/base/standard_streams.h"
#include "sim/config/schedule_text.h"
#include "sim/machine/build.h"
#include "sim/run/access_log.h"
#include "sim/run/outcome_report.h"

namespace symsim {

namespace {

void refuse(bool given, const char* option) {
    if (given)
        throw UserError(fmt::format(
            "command line: --schedules and {}: schedules are run without it; take it out", option));
}

std::vector<ScheduleText> entries_of(const std::string& line, unsigned processors) {
    try {
        return parse_schedule(line, processors);
    } catch (const UserError& error) {
        throw UserError(fmt::format("standard input: {}", error.what()));
    }
}

Json events_json(const std::vector<LoggedEvent>& events) {
    std::vector<std::int64_t> all;
    all.reserve(events.size() * 9);
    for (const LoggedEvent& e : events)
        all.insert(all.end(), {e.at, e.processor, e.kind, e.address, e.size, e.value,
                               static_cast<std::int64_t>(e.access), e.done, e.eip});
    return all;
}

// The region whose end ends the log of a processor.
std::optional<std::uint32_t> region_of(const Config& config) {
    if (config.schedule.from == CountFrom::start) return std::nullopt;
    return config.schedule.region;
}

}  // namespace

ScheduleBatch::ScheduleBatch(const CommandLine& line, const Config& config)
    : config_(config),
      image_(load_guest(config)),
      probes_(probe_points(image_)),
      log_(region_of(config), [this](ProcessorId processor) {
          if (!at_fork_point(processor)) return false;
          begin_ = processors_[processor]->context().time;
          serve();
          return true;
      }) {
    refuse(line.gdb.has_value(), "--gdb");
    refuse(line.out.has_value(), "--out");
    refuse(line.json, "--json");
    refuse(!config.schedule.holds.empty(), "schedule.holds");
    refuse(config.preempt.instructions > 0, "preempt.instructions");
    refuse(!config.guest.rom.empty(), "guest.rom");
}

void ScheduleBatch::execute() {
    Outlets outlets;
    outlets.console = [this](char c) { last_line_.add(c); };
    outlets.results = [](char) {};
    outlets.input = [this] { return load_standard_input(config_.guest.stdin_file).bytes; };
    machine_ = std::make_unique<Machine>("machine", config_, image_, log_, outlets,
                                         [](Time) { return false; });
    processors_ = machine_->debug_target().processors;
    std::vector<Schedule> counting = schedules(config_, /*keeps_counting=*/true);
    for (std::size_t i = 0; i < processors_.size(); ++i)
        processors_[i]->set_schedule(std::move(counting[i]));
    log_.attach(processors_);
    const RunOutcome& outcome = machine_->run();
    if (!log_.begun())
        throw UserError(fmt::format(
            "{}: the run ended at {:.3f} us ({}) and no processor had begun region {}; "
            "schedule.region must be a region of the program (region_begin probe point)",
            image_.path.string(), to_us(outcome.time()), message(outcome),
            config_.schedule.region));
    // Not by exit(): that would move the position in standard input, which all processes share.
    print_out(result(outcome) + "\n");
    close_standard_output();
    std::_Exit(static_cast<int>(Exit::ok));
}

bool ScheduleBatch::at_fork_point(ProcessorId processor) const {
    if (config_.schedule.from == CountFrom::start) return true;
    const Context& context = processors_[processor]->context();
    for (const Probe& probe : probes_.at(context.eip)) {
        if (probe.kind != ProbeKind::region_begin) continue;
        const auto value = evaluate(
            probe.operand, [&](std::uint8_t n) { return context.regs[n]; },
            [&](Address at, unsigned size) { return machine_->cache(processor).peek(at, size); });
        if (value == config_.schedule.region) return true;
    }
    return false;
}

void ScheduleBatch::serve() {
    try {
        bool in_child = false;
        while (const std::optional<std::string> line = read_line()) {
            serve_line(*line, in_child);
            if (in_child) return;
        }
    } catch (const UserError& error) {
        print_error(fmt::format("symsim: {}\n", error.what()));
        std::_Exit(static_cast<int>(Exit::user));
    } catch (const OutputError& error) {
        print_error(fmt::format("symsim: {}\n", error.what()));
        std::_Exit(static_cast<int>(Exit::output));
    }
    std::_Exit(static_cast<int>(Exit::ok));
}

void ScheduleBatch::serve_line(const std::string& line, bool& in_child) {
    schedule_ = line;
    entries_ = entries_of(line, config_.machine.processors);
    const pid_t child = fork_process();
    in_child = child == 0;
    if (in_child) return follow();
    const int exit_code = exit_code_of(child);
    if (exit_code == 0) return;
    std::_Exit(exit_code > 0 ? exit_code : static_cast<int>(Exit::impossible));
}

// From here on this process runs the schedule.
void ScheduleBatch::follow() {
    auto of = by_processor(entries_, config_.machine.processors);
    for (std::size_t i = 0; i < processors_.size(); ++i) {
        Schedule schedule = processors_[i]->set_schedule({});
        schedule.set_entries(std::move(of[i]));
        processors_[i]->set_schedule(std::move(schedule));
    }
}

std::string ScheduleBatch::message(const RunOutcome& outcome) const {
    if (outcome.reason() == RunOutcome::Reason::guest_failure ||
        outcome.reason() == RunOutcome::Reason::deadlock)
        return outcome.failure().what;
    return last_line_.text();
}

std::string ScheduleBatch::result(const RunOutcome& outcome) const {
    Json::Array holds;
    for (const EntryOutcome& entry : machine_->outcomes(entries_))
        holds.push_back(entry.reached ? Json(Json::Array{entry.start, entry.end}) : Json());
    Json::Array positions;
    for (const Processor* const processor : processors_) {
        const Context& context = processor->context();
        const Schedule& schedule = processor->schedule();
        positions.push_back(Json::Array{context.eip, schedule.instructions(context.instructions),
                                        schedule.accesses(), image_.symbols.describe(context.eip)});
    }
    Json::Object all = {
        {"begin_ps", begin_},
        {"end_ps", outcome.time()},
        {"events", events_json(shared_accesses(log_.events(), config_.cache.geometry.line_bytes))},
        {"exit_status", outcome.exit_status()},
        {"holds", holds},
        {"message", message(outcome)},
        {"positions", positions},
        {"schedule", schedule_},
        {"status", name(status_of(outcome.reason()))}};
    Json::Array unused_ones;
    for (const UnusedArgument& unused : unused_arguments(image_, config_, *machine_))
        unused_ones.push_back(Json::Object{{"hint", unused.hint}, {"name", unused.name}});
    if (!unused_ones.empty()) all.emplace_back("unused_arguments", unused_ones);
    return Json(all).text();
}

}  // namespace symsim
