// SPDX-License-Identifier: MIT
// One run, from config to results. Its steps, in this order:
//
//     load     the guest; check what the user asked for
//     listen   for a debugger, if the user asked for one
//     open     the folder of the results, the recorder and the console
//     build    the machine
//     attach   profiler and debugger; --gdb-at attaches the debugger later
//     simulate until the run ends
//     write    the results, each even if another cannot be written
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/exit_code.h"
#include "sim/config/config.h"
#include "sim/debug/gdb_port.h"
#include "sim/debug/gdb_session.h"
#include "sim/image/arguments.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/host_clock.h"
#include "sim/observe/output_file.h"
#include "sim/observe/recorder.h"
#include "sim/observe/report.h"
#include "sim/observe/run_files.h"
#include "sim/run/command_line.h"
#include "sim/run/folder_lock.h"
#include "sim/run/outcome_report.h"
#include "sim/run/profiler.h"
#include "sim/run/progress.h"

namespace symsim {

class Run {
  public:
    // The first step, which touches no file. Throws UserError if the config, the image or the
    // command line is wrong. `interrupted` is asked every so often; true ends the run.
    Run(const CommandLine& line, const Config& config, std::function<bool()> interrupted);
    // All the other steps. Throws OutputError if a file cannot be written. Files that can be
    // written are complete then.
    Exit execute();
    // The steps that can find a mistake of the user's, without any output file: --check.
    void check();
    const Image& image() const { return image_; }

  private:
    void check_folder() const;
    void warn_of_foreign_code() const;
    void listen();
    void open();
    void build();
    void attach();
    void wait_for_gdb();
    const RunOutcome& simulate();
    Exit write(const RunOutcome& outcome);

    Outlets outlets();
    bool end_requested(Time now);
    TraceSinks open_traces() const;
    RunFacts run_facts() const;
    RecorderConfig recorder_config() const;
    RunReport report(const RunOutcome& outcome) const;
    void save_guest_files();
    void save_others(const RunReport& results);
    ScheduleReport schedule_report(std::string entry, ProcessorId processor,
                                   const EntryOutcome& outcome) const;
    std::optional<ScheduleReport> preemption_report() const;
    std::vector<ScheduleReport> schedule_reports() const;
    void print_failure(const RunReport& report) const;
    void show_results(const RunReport& report) const;

    HostClock host_;
    const CommandLine& line_;
    const Config& config_;
    std::function<bool()> interrupted_;
    Image image_;
    StandardInput input_;
    EngineKind engine_;
    std::vector<std::pair<std::string, std::string>> flat_config_;  // key, value as TOML text
    std::filesystem::path folder_;
    bool show_;  // the console and a summary on the terminal

    std::optional<FolderLock> lock_;
    std::optional<ResultFiles> files_;
    std::optional<OutputFile> summary_;
    std::optional<GdbPort> gdb_port_;
    std::optional<Recorder> recorder_;
    std::optional<OutputFile> console_;
    std::optional<ProgressMeter> progress_;
    std::string results_;
    LastLine last_line_;  // of the console
    PostCodes post_;
    std::optional<GdbSession> gdb_;
    std::unique_ptr<Machine> machine_;
    std::optional<Profiler> profiler_;
};

}  // namespace symsim
