// SPDX-License-Identifier: MIT
// Checkpoints of a run: taken while it goes on (--checkpoint-at), and gone on from (--restore).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/checkpoint/checkpoint_file.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/post_log.h"
#include "sim/observe/recorder.h"

namespace symsim {

// All of a run that changes while it goes on.
struct RunParts {
    Machine& machine;
    Recorder& recorder;
    std::string& console;  // what the guest has printed
    std::string& results;
    PostLog& post;
};

// Before the machine runs.
void resume_from(const Checkpoint& checkpoint, RunParts& parts);

class CheckpointTaker {
  public:
    // Takes one at each of `times`, or as soon behind it as all of the machine can be saved: that
    // is at most some instructions later. `like`: what they have in common.
    CheckpointTaker(std::vector<Time> times, const RunParts& parts, Checkpoint like,
                    std::filesystem::path folder);
    // After the run. Throws OutputError if one could not be written.
    void finish() const;
    // A file that cannot be written is worth ending the run for.
    bool failed() const { return error_.has_value(); }
    // Of those the run did not come to.
    const std::vector<Time>& left() const { return left_; }

  private:
    Time take(Time now);

    std::vector<Time> left_;  // the next one last
    RunParts parts_;
    Checkpoint like_;
    std::filesystem::path folder_;
    std::optional<std::string> error_;
};

}  // namespace symsim
