// SPDX-License-Identifier: MIT
// What the results say of how a run ended: its status, its exit code, what the guest reported,
// where a guest failed, where processors and threads stood, and which arguments it never asked for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/exit_code.h"
#include "sim/config/config.h"
#include "sim/engine/engine.h"
#include "sim/image/arguments.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/recorder.h"
#include "sim/observe/report.h"

namespace symsim {

// Keeps the last line of a text that is not empty: of a guest's console, usually why it ended.
class LastLine {
  public:
    void add(char c) {
        if (c == '\n')
            end_line();
        else if (c != '\r' && current_.size() < kMostCharacters)
            current_ += c;
    }
    // Empty if no line has been written.
    const std::string& text() const { return current_.empty() ? last_ : current_; }

  private:
    static constexpr std::size_t kMostCharacters = 500;

    void end_line() {
        if (!current_.empty()) last_ = std::exchange(current_, {});
    }

    std::string last_, current_;
};

RunStatus status_of(RunOutcome::Reason reason);
Exit exit_of(const RunOutcome& outcome, const Image& image);
// Only for a guest failure or a deadlock.
FailureReport failure_report(const RunOutcome& outcome, const Machine& machine, const Image& image);
// `results`: lines "name value" that the guest wrote.
GuestReport guest_report(const Image& image, const StandardInput& input, const RunOutcome& outcome,
                         const std::string& results);

// Where each processor stands at the end of a run that the guest did not end itself. Empty for a
// run that ended by the power switch, or by a failure of one processor.
std::vector<ProcessorPosition> positions(const RunOutcome& outcome, const Machine& machine,
                                         const Recorder& recorder, const Image& image);

// What the threads of pthread.h wait for at such an end. By number; empty if the guest ended by
// itself or crashed, or has no such threads.
std::vector<ThreadPosition> thread_positions(const RunOutcome& outcome, const Machine& machine,
                                             const Recorder& recorder, const Image& image);

// Of the guest that has run on the machine. An argument that guest.image contains as {name}
// counts as used. Empty for an image whose lookups have no probe points: nothing is known of it.
std::vector<UnusedArgument> unused_arguments(const Image& image, const Config& config,
                                             const Machine& machine);

}  // namespace symsim
