// SPDX-License-Identifier: MIT
#include "sim/run/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "sim/checkpoint/checkpoint_taker.h"
#include "sim/debug/crash_report.h"
#include "sim/debug/gdb_session.h"
#include "sim/image/image.h"
#include "sim/machine/build.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/host_clock.h"
#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"
#include "sim/observe/post_log.h"
#include "sim/observe/progress.h"
#include "sim/observe/recorder.h"
#include "sim/observe/run_files.h"
#include "sim/observe/summary_json.h"
#include "sim/observe/terminal_summary.h"
#include "sim/run/profiler.h"

namespace symsim {

namespace {

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

// "name value" lines, as the guest's report() writes them.
std::vector<std::pair<std::string, std::string>> parse_results(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> results;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, end - from);
        const std::size_t space = line.find(' ');
        if (space != std::string::npos && space > 0)
            results.emplace_back(line.substr(0, space), line.substr(space + 1));
        from = end + 1;
    }
    return results;
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
    if (outcome.reason() == RunOutcome::Reason::deadlock)
        for (ProcessorId p = 0; p < machine.processors(); ++p) {
            const Address eip = machine.processor(p).context().eip;
            report.registers += fmt::format("\nprocessor {}: {} at {:#010x} {}", p,
                                            machine.processor(p).halted() ? "halted" : "loops", eip,
                                            image.symbols.describe(eip));
        }
    return report;
}

// `begin`: when the run goes on from.
void check_checkpoints(const std::vector<Time>& at, EngineKind engine, Time limit, Time begin) {
    if (!at.empty() && engine == EngineKind::reference)
        throw UserError(
            "command line: --checkpoint-at needs run.engine = \"fast\" and no --gdb: the reference "
            "engine has no moment between two instructions of all processors");
    for (const Time time : at)
        if (time <= begin)
            throw UserError(
                fmt::format("command line: --checkpoint-at {}us: the run goes on from "
                            "{} us, so it must be later",
                            us_text(time), us_text(begin)));
    if (begin > 0 && limit > 0 && limit <= begin)
        throw UserError(
            fmt::format("run.limit_ms: the run goes on from {} us, so the limit must be "
                        "later (--set run.limit_ms=0: none)",
                        us_text(begin)));
}

Config with_engine(Config config, EngineKind engine) {
    config.run.engine = engine;
    return config;
}

PerfettoConfig perfetto_config(const Config& config, const Image& image,
                               const std::filesystem::path& path) {
    PerfettoConfig perfetto;
    perfetto.path = path;
    perfetto.max_bytes = std::size_t{config.observe.perfetto_limit_mb} << 20;
    perfetto.processors = config.machine.processors;
    perfetto.name_of = [&](Address a) { return image.symbols.describe(a); };
    perfetto.symbols = image.symbols.ranges();
    return perfetto;
}

bool wait_for_gdb(GdbPort& port, const Image& image) {
    fmt::print(stderr, "symsim: waiting for GDB: gdb {} -ex 'target remote :{}'\n",
               image.path.string(), port.number());
    return port.accept();
}

GuestReport guest_report(const Image& image, const RunOutcome& outcome,
                         const std::string& results) {
    GuestReport report;
    report.image = image.path.filename().string();
    report.sha256 = image.sha256;
    report.compiler = image.compiler;
    report.flags = image.flags;
    if (outcome.reason() == RunOutcome::Reason::power_off)
        report.exit_status = outcome.exit_status();
    report.results = parse_results(results);
    return report;
}

}  // namespace

Exit run_guest(const CommandLine& line, const Config& config,
               const std::function<bool()>& interrupted) {
    const HostClock host;
    const Image image = load_guest(config);
    const EngineKind engine = line.gdb ? EngineKind::reference : config.run.engine;
    const auto results_config = flat_results_config(config);
    std::optional<Checkpoint> restored;
    if (line.restore) {
        restored = read_checkpoint(*line.restore);
        check_fits(*restored, *line.restore, results_config, image.sha256);
    }
    check_checkpoints(line.checkpoint_at, engine, config.run_limit(),
                      restored ? restored->time : 0);
    if (line.check) {
        fmt::print("{}: config and image {} are sound\n", line.config.string(),
                   image.path.string());
        return Exit::ok;
    }
    std::optional<GdbPort> gdb_port;
    if (line.gdb) gdb_port.emplace(*line.gdb, interrupted);
    const std::filesystem::path folder =
        line.out.value_or(std::filesystem::path("results") / line.config.stem());
    make_run_folder(folder);
    remove_old_results(folder);
    write_file(folder / "config.toml", print_results_config(config));

    const bool show = !line.quiet && !line.json;
    RecorderConfig recorder_config;
    recorder_config.processors = config.machine.processors;
    recorder_config.interval = config.observe_interval();
    recorder_config.window = window_config(config, image.symbols);
    // Nothing is known of what was before.
    Time& window_from = recorder_config.window.fixed.from;
    if (restored) window_from = std::max(window_from, restored->time);
    if (config.observe.vcd) recorder_config.vcd = folder / "trace.vcd";
    if (config.observe.transactions)
        recorder_config.transactions =
            TransactionLogConfig{folder / "bus.log.zst", config.machine.processors,
                                 config.transactions_limit_bytes(), image.symbols.ranges()};
    if (config.observe.perfetto)
        recorder_config.perfetto = perfetto_config(config, image, folder / "trace.pftrace");
    Recorder recorder(recorder_config);

    OutputFile console(folder / "console.txt");
    const bool keep_printed = !line.checkpoint_at.empty();
    std::string printed;
    std::string results;
    PostLog post;
    const bool to_terminal = isatty(STDERR_FILENO) != 0;
    ProgressMeter progress(stderr, show && to_terminal && !line.gdb, config.run_limit());
    const Machine* running = nullptr;
    std::optional<GdbSession> gdb;
    std::optional<CheckpointTaker> checkpoints;
    Outlets outlets;
    outlets.console = [&](char c) {
        console.write(std::string_view(&c, 1));
        if (keep_printed) printed += c;
        if (!show) return;
        progress.clear();
        std::fputc(c, stdout);
    };
    outlets.results = [&](char c) { results += c; };
    outlets.post = [&](Time at, std::uint8_t code) { post.add(at, code); };
    outlets.interrupted = [&](Time now) {
        progress.update(host.wall_s(), now, running ? running->instructions() : 0);
        if (gdb) gdb->look_for_interrupt();
        return interrupted() || (gdb && gdb->killed()) || recorder.trace_failed() ||
               console.failed() || (checkpoints && checkpoints->failed());
    };
    Machine machine("machine", with_engine(config, engine), image, recorder, std::move(outlets));
    running = &machine;
    RunParts parts{machine, recorder, printed, results, post};
    if (restored) {
        resume_from(*restored, parts);
        recorder.begin_traces(restored->time);
        console.write(printed);
    }
    const std::uint64_t instructions_before = machine.instructions();
    checkpoints.emplace(line.checkpoint_at, parts, Checkpoint{0, image.sha256, results_config, {}},
                        folder);
    std::optional<Profiler> profiler;
    if (const Time period = config.profile_period(); period > 0)
        profiler.emplace(machine, image, period, restored ? restored->time : 0);
    if (gdb_port && wait_for_gdb(*gdb_port, image)) gdb.emplace(*gdb_port, machine.debug_target());
    const RunOutcome& outcome = machine.run();
    if (gdb) gdb->ended(exit_of(outcome));
    progress.clear();
    recorder.finish(outcome.time());
    recorder.save_traces();

    RunReport report;
    report.status = status_of(outcome.reason());
    report.partial = report.status != RunStatus::finished;
    report.end = outcome.time();
    for (ProcessorId p = 0; p < machine.processors(); ++p)
        report.instructions.push_back(machine.processor(p).context().instructions);
    recorder.fill(report, [&](Address a) { return image.symbols.describe(a); });
    report.guest = guest_report(image, outcome, results);
    report.guest.post_codes = post.codes();
    report.guest.post_codes_left_out = post.left_out();
    if (outcome.reason() == RunOutcome::Reason::guest_failure ||
        outcome.reason() == RunOutcome::Reason::deadlock)
        report.failure = failure_report(outcome, machine, image);
    report.config = results_config;
    report.host = host.report();
    report.host.instructions_before = instructions_before;
    report.host.restored_at = restored ? restored->time : 0;
    report.host.build = fmt::format("{} {}", SYMSIM_VERSION, SYMSIM_BUILD_TYPE);
    report.host.engine = engine == EngineKind::fast ? "fast" : "reference";
    // The summary comes last: where it is, all the rest is.
    console.commit();
    if (profiler) profiler->write(folder / "profile.folded");
    write_run_files(report, folder);
    recorder.check_traces();
    checkpoints->finish();
    if (line.json)
        fmt::print("{}", summary_json(report));
    else if (show)
        fmt::print("{}", terminal_summary(report, folder.string()));
    if (!show && report.failure) {
        const GuestFailure& failure = report.failure->failure;
        const std::string& source = report.failure->source;
        fmt::print(stderr, "symsim: {}: processor {} at {}{} ({:.3f} us): {}\n  {}\n",
                   name(report.status), failure.processor, report.failure->symbol,
                   source.empty() ? "" : ", " + source, to_us(failure.time), failure.what,
                   failure.fix);
    }
    for (const Time left : checkpoints->left())
        fmt::print(stderr, "symsim: no checkpoint at {} us: the run ended at {} us\n",
                   us_text(left), us_text(report.end));
    std::fflush(stdout);
    return exit_of(outcome);
}

}  // namespace symsim
