// SPDX-License-Identifier: MIT
#include "sim/run/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include "sim/base/failure.h"
#include "sim/base/standard_streams.h"
#include "sim/config/schedule_text.h"
#include "sim/image/foreign_code.h"
#include "sim/image/probe_records.h"
#include "sim/image/source_lines.h"
#include "sim/image/written_files.h"
#include "sim/machine/build.h"
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"
#include "sim/observe/run_files.h"
#include "sim/observe/terminal_summary.h"
#include "sim/observe/trace_kinds.h"
#include "sim/run/outcome_report.h"

namespace symsim {

// The debugger needs the reference engine: it executes nothing speculatively. With --gdb-at the
// machine changes to it then (TakeOver).
Run::Run(const CommandLine& line, const Config& config, std::function<bool()> interrupted)
    : line_(line),
      config_(config),
      interrupted_(std::move(interrupted)),
      image_(load_guest(config)),
      input_(load_standard_input(config.guest.stdin_file)),
      engine_(line.gdb && !line.gdb_at ? EngineKind::reference : config.run.engine),
      flat_config_(flat_results_config(config)),
      folder_(line.out.value_or(std::filesystem::path("results") / line.config.stem())),
      show_(!line.quiet && !line.json) {
    check_folder();
    warn_of_foreign_code();
}

void Run::check() {
    listen();
    recorder_.emplace(recorder_config());
    build();
}

Exit Run::execute() {
    listen();
    open();
    build();
    attach();
    return write(simulate());
}

void Run::check_folder() const {
    std::vector<RunInput> inputs;
    for (const std::filesystem::path& file : config_.files) inputs.push_back({"config file", file});
    inputs.push_back({config_.guest.rom.empty() ? "guest.image" : "guest.rom", image_.path});
    if (!config_.guest.stdin_file.empty())
        inputs.push_back({"guest.stdin", config_.guest.stdin_file});
    for (const GivenName& name : given_names(config_.guest.files, "guest.files"))
        inputs.push_back({"guest.files", name.host});
    check_inputs(folder_, inputs);
}

// A warning, because the program may never come there.
void Run::warn_of_foreign_code() const {
    const std::string found = foreign_code(image_, config_.processor.isa);
    if (!found.empty()) print_error(fmt::format("symsim: warning: {}\n", found));
}

void Run::listen() {
    if (line_.gdb) gdb_port_.emplace(*line_.gdb, interrupted_);
}

void Run::open() {
    make_run_folder(folder_);
    lock_.emplace(folder_);
    remove_old_results(folder_);
    summary_.emplace(folder_ / "summary.json");
    summary_->reserve(summary_room(config_.machine.processors));
    files_.emplace(folder_);
    files_->save("config.toml", [this](const std::filesystem::path& path) {
        return write_file(path, print_config(flat_config_));
    });
    files_->check();
    recorder_.emplace(recorder_config(), open_traces());
    console_.emplace(folder_ / "console.txt");
    const bool to_terminal = isatty(STDERR_FILENO) != 0;
    progress_.emplace(stderr, show_ && to_terminal && !line_.gdb, config_.run.limit());
}

// Each trace that the config asks for writes a partial file until it is committed.
TraceSinks Run::open_traces() const {
    TraceConfig trace;
    trace.run = run_facts();
    trace.name_of = [this](Address a) { return image_.symbols.describe(a); };
    trace.symbols = image_.names_in_memory();
    const std::map<std::string, std::string> values(flat_config_.begin(), flat_config_.end());
    TraceSinks traces;
    for (const TraceKind& kind : trace_kinds()) {
        if (values.at(kind.option) != "true") continue;
        TraceConfig own = trace;
        own.path = folder_ / kind.file.name;
        if (const auto limit = values.find(kind.option + "_limit_mb"); limit != values.end())
            own.max_bytes = std::stoull(limit->second) << 20;
        traces.push_back(kind.open(own));
    }
    return traces;
}

RunFacts Run::run_facts() const {
    return {config_.machine.processors,  interconnect_resources(config_),
            interconnect_table(config_), topology(config_),
            reports(image_, is_process), reports(image_, is_call),
            space_names(image_)};
}

RecorderConfig Run::recorder_config() const {
    return {run_facts(), config_.observe.interval(), window_config(config_, image_.symbols)};
}

Outlets Run::outlets() {
    Outlets outlets;
    outlets.console = [this](char c) {
        console_->write(std::string_view(&c, 1));
        last_line_.add(c);
        if (!show_) return;
        progress_->clear();
        print_out(std::string_view(&c, 1));
    };
    outlets.results = [this](char c) { results_ += c; };
    outlets.post = [this](Time at, std::uint8_t code) { post_.add(at, code); };
    outlets.input = [this] {
        // A Linux program that is run itself, without a config, has the input of its caller.
        const bool is_callers = image_.linux_program != 0 && config_.files.empty();
        if (is_callers && config_.guest.stdin_file.empty()) input_ = callers_standard_input();
        return input_.bytes;
    };
    outlets.name_of = [this](Address a) { return image_.symbols.describe(a); };
    return outlets;
}

bool Run::end_requested(Time now) {
    progress_->update(host_.wall_s(), now, machine_->instructions());
    if (gdb_) gdb_->look_between_instructions();
    return interrupted_() || (gdb_ && gdb_->killed()) || recorder_->trace_failed() ||
           console_->failed() || files_->failed();
}

void Run::build() {
    std::optional<TakeOver> take_over;
    if (line_.gdb_at) take_over = TakeOver{*line_.gdb_at, [this] { wait_for_gdb(); }};
    Config config = config_;
    config.run.engine = engine_;
    machine_ = std::make_unique<Machine>(
        "machine", config, image_, *recorder_, outlets(),
        [this](Time now) { return end_requested(now); }, std::move(take_over));
}

void Run::attach() {
    if (const Time period = config_.observe.profile_period(); period > 0)
        profiler_.emplace(*machine_, image_, period);
    if (gdb_port_ && !line_.gdb_at) wait_for_gdb();
}

void Run::wait_for_gdb() {
    const std::string when =
        line_.gdb_at ? fmt::format(" at {} us", us_text(*line_.gdb_at)) : std::string();
    print_error(fmt::format("symsim: waiting for GDB{}: gdb {} -ex 'target remote :{}'\n", when,
                            image_.path.string(), gdb_port_->number()));
    if (gdb_port_->accept()) gdb_.emplace(*gdb_port_, machine_->debug_target());
}

const RunOutcome& Run::simulate() {
    const RunOutcome& outcome = machine_->run();
    if (gdb_) gdb_->ended(exit_of(outcome, image_));
    progress_->clear();
    recorder_->finish(outcome.time());
    return outcome;
}

RunReport Run::report(const RunOutcome& outcome) const {
    RunReport report;
    report.status = status_of(outcome.reason());
    report.partial = report.status != RunStatus::finished;
    for (ProcessorId p = 0; p < machine_->processors(); ++p)
        report.instructions.push_back(machine_->processor(p).context().instructions);
    recorder_->fill(report, [&](Address a) { return image_.symbols.describe(a); });
    const SourceLines lines(image_.file);
    for (ProcessFaultReport& fault : report.faults) {
        fault.source = lines.at(fault.fault.eip);
        const Processor& processor = machine_->processor(fault.fault.processor);
        if (const Complaint* const refusal = processor.refused(fault.fault.eip))
            fault.why = fmt::format("{}; {}", refusal->what, refusal->fix);
    }
    report.guest = guest_report(image_, input_, outcome, results_);
    report.guest.post_codes = post_;
    if (report.guest.exit_status.value_or(0) != 0) report.guest.last_line = last_line_.text();
    report.guest.unused_arguments = unused_arguments(image_, config_, *machine_);
    report.positions = positions(outcome, *machine_, *recorder_, image_);
    report.threads = thread_positions(outcome, *machine_, *recorder_, image_);
    report.preemption = preemption_report();
    report.schedule = schedule_reports();
    report.devices = machine_->device_reports();
    if (report.status == RunStatus::guest_failure || report.status == RunStatus::deadlock)
        report.failure = failure_report(outcome, *machine_, image_);
    report.config = flat_config_;
    report.host = host_.report();
    report.host.build = fmt::format("{} {}", SYMSIM_VERSION, SYMSIM_BUILD_TYPE);
    report.host.engine = engine_ == EngineKind::fast ? "fast" : "reference";
    return report;
}

ScheduleReport Run::schedule_report(std::string entry, ProcessorId processor,
                                    const EntryOutcome& outcome) const {
    return {std::move(entry), processor, outcome,
            outcome.reached ? image_.symbols.describe(outcome.eip) : std::string()};
}

std::optional<ScheduleReport> Run::preemption_report() const {
    if (config_.preempt.instructions == 0) return std::nullopt;
    const ProcessorId id = config_.preempt.on_processor;
    return schedule_report("", id, machine_->processor(id).schedule().outcomes().front());
}

std::vector<ScheduleReport> Run::schedule_reports() const {
    const auto entries = parse_schedule(config_.schedule.holds, config_.machine.processors);
    const std::vector<EntryOutcome> outcomes = machine_->outcomes(entries);
    std::vector<ScheduleReport> all;
    for (std::size_t i = 0; i < entries.size(); ++i)
        all.push_back(schedule_report(entries[i].text, entries[i].processor, outcomes[i]));
    return all;
}

// The summary comes first, because it is worth most and its room is reserved. The terminal shows it
// whatever cannot be written.
Exit Run::write(const RunOutcome& outcome) {
    RunReport results = report(outcome);
    files_->save("summary.json", [&](const std::filesystem::path&) {
        summary_->write(summary_json(results));
        return summary_->commit();
    });
    if (recorder_->save_traces(*files_)) {
        results = report(outcome);
        files_->save("summary.json", [&](const std::filesystem::path& path) {
            return write_file(path, summary_json(results));
        });
    }
    save_others(results);
    save_guest_files();
    show_results(results);
    files_->finish(results);
    const Exit exit = exit_of(outcome, image_);
    const bool refused = line_.strict && !results.guest.unused_arguments.empty();
    return refused && exit == Exit::ok ? Exit::user : exit;
}

void Run::save_others(const RunReport& results) {
    using Path = std::filesystem::path;
    files_->save("console.txt", [&](const Path&) { return console_->commit(); });
    if (profiler_)
        files_->save("profile.folded", [&](const Path& path) { return profiler_->write(path); });
    for (const RunFile& file : run_files())
        if (file.write && (!file.only_if || file.only_if(results)))
            files_->save(file.name, [&](const Path& path) { return file.write(results, path); });
}

// What the program has written, also if it was a crash that ended it.
void Run::save_guest_files() {
    const WrittenFiles written(image_, machine_->memory());
    for (const auto& [path, file] : written.files())
        files_->save("files/" + path, [&, &contents = file](const std::filesystem::path& to) {
            make_run_folder(to.parent_path());
            OutputFile out(to);
            written.read(contents, [&](std::string_view part) { out.write(part); });
            return out.commit();
        });
    if (!written.missing().empty())
        print_error(fmt::format("symsim: files/: {}\n", written.missing()));
}

void Run::show_results(const RunReport& report) const {
    if (line_.json)
        print_out(summary_json(report));
    else if (show_)
        print_out(terminal_summary(report, folder_.string()));
    if (!show_) print_failure(report);
    if (!show_ || line_.strict)
        for (const std::string& unused : unused_arguments_lines(report))
            print_error(fmt::format("symsim: {}{}\n", line_.strict ? "--strict: " : "", unused));
    if (line_.gdb_at && report.end <= *line_.gdb_at)
        print_error(fmt::format("symsim: --gdb-at {}us: the run ended before, at {} us\n",
                                us_text(*line_.gdb_at), us_text(report.end)));
}

// Why the run failed, for a user who sees no summary.
void Run::print_failure(const RunReport& report) const {
    if (report.failure) {
        const GuestFailure& failure = report.failure->failure;
        const std::string& source = report.failure->source;
        const std::string& caller = report.failure->caller;
        print_error(fmt::format("symsim: {}: processor {} at {}{}{} ({:.3f} us): {}\n  {}\n",
                                name(report.status), failure.processor, report.failure->symbol,
                                source.empty() ? "" : ", " + source,
                                caller.empty() ? "" : ", called from " + caller,
                                to_us(failure.time), failure.what, failure.fix));
    }
    for (const std::string& fault : fault_lines(report))
        print_error(fmt::format("symsim: {}\n", fault));
    if (const auto status = report.guest.exit_status; status.value_or(0) != 0)
        print_error(fmt::format("symsim: the guest ended with status {}; {}\n", *status,
                                last_line_text(report.guest)));
    if (report.status == RunStatus::finished) return;
    if (!report.failure)
        print_error(fmt::format("symsim: {} at {} us\n", name(report.status), us_text(report.end)));
    for (const std::string& position : position_lines(report))
        print_error(fmt::format("  {}\n", position));
    for (const std::string& thread : thread_lines(report))
        print_error(fmt::format("  {}\n", thread));
}

}  // namespace symsim
