// SPDX-License-Identifier: MIT
// symsim CONFIG --schedules: runs many schedules of one program. The machine runs once up to the
// fork point: where a processor first begins the region schedule.region, or with schedule.from =
// start the start of the run. From there each schedule runs in a process of its own, a copy of this
// one, which costs less than a start.
//
// Standard input has a schedule a line, in the form of schedule.holds. For each, standard output
// gets a line of JSON (docs/how-to/check.md) as soon as its run has ended.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/schedule_entry.h"
#include "sim/config/config.h"
#include "sim/image/arguments.h"
#include "sim/image/image.h"
#include "sim/image/probe_records.h"
#include "sim/machine/systemc/machine.h"
#include "sim/run/access_log.h"
#include "sim/run/command_line.h"
#include "sim/run/outcome_report.h"

namespace symsim {

class ScheduleBatch {
  public:
    // Throws UserError if config, image or command line is wrong.
    ScheduleBatch(const CommandLine& line, const Config& config);
    // Returns only if the run ends before the fork point, by UserError. Otherwise ends the process.
    [[noreturn]] void execute();

  private:
    bool at_fork_point(ProcessorId processor) const;
    // Starts a process for each line of standard input. Returns in those processes. No exception
    // may leave it: SystemC calls it.
    void serve();
    void serve_line(const std::string& line, bool& in_child);
    void follow();
    std::string result(const RunOutcome& outcome) const;
    std::string message(const RunOutcome& outcome) const;

    const Config& config_;
    Image image_;
    ProbePoints probes_;
    AccessLog log_;
    LastLine last_line_;
    std::unique_ptr<Machine> machine_;
    std::vector<Processor*> processors_;
    std::string schedule_;  // that this process runs
    std::vector<ScheduleText> entries_;
    Time begin_ = 0;
};

}  // namespace symsim
