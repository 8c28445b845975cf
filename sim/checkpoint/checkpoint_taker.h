// SPDX-License-Identifier: MIT
// Takes checkpoints while a run is in progress (--checkpoint-at), and restores a run from one
// (--restore).
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

// All parts of a run whose state changes while it is in progress.
struct RunParts {
    Machine& machine;
    Recorder& recorder;
    std::string& console;  // what the guest has printed
    std::string& results;
    PostLog& post;
};

// Restores the run's state. Called before the machine runs. Throws UserError if the state does not
// fit this symsim.
void resume_from(const Checkpoint& checkpoint, RunParts& parts);

// Constructed before the machine runs; finish() is called after the run.
class CheckpointTaker {
  public:
    // Takes a checkpoint at each of `times`, or as soon after it as the machine can be saved, which
    // is at most some instructions later. `like` has the fields that all of them have in common.
    CheckpointTaker(std::vector<Time> times, const RunParts& parts, Checkpoint like,
                    std::filesystem::path folder);
    // Throws OutputError if a checkpoint could not be written.
    void finish() const;
    // A checkpoint could not be written. The caller then ends the run.
    bool failed() const { return error_.has_value(); }
    // The times that the run has not reached.
    const std::vector<Time>& left() const { return left_; }

  private:
    Time take(Time now);

    std::vector<Time> left_;  // the next time is last
    RunParts parts_;
    Checkpoint like_;
    std::filesystem::path folder_;
    std::optional<std::string> error_;
};

}  // namespace symsim
