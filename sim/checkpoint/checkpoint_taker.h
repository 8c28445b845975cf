// SPDX-License-Identifier: MIT
// Takes checkpoints while a run is in progress (--checkpoint-at), and restores a run from one
// (--restore).
#pragma once

#include <string>
#include <vector>

#include "sim/checkpoint/checkpoint_file.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/post_log.h"
#include "sim/observe/recorder.h"
#include "sim/observe/result_files.h"

namespace symsim {

// All parts of a run whose state changes while it is in progress.
struct RunParts {
    Machine& machine;
    Recorder& recorder;
    std::string& console;  // what the guest has printed
    std::string& results;
    PostLog& post;
};

// The name of the file of a checkpoint that was asked for at `time`.
std::string checkpoint_name(Time time);

// Restores the run's state. Called before the machine runs. Throws UserError if the state does not
// fit this symsim.
void resume_from(const Checkpoint& checkpoint, RunParts& parts);

// Constructed before the machine runs.
class CheckpointTaker {
  public:
    // Takes a checkpoint at each of `times`, or as soon after it as the machine can be saved, which
    // is at most some instructions later. `like` has the fields that all of them have in common.
    CheckpointTaker(std::vector<Time> times, const RunParts& parts, Checkpoint like,
                    ResultFiles& files);
    // The times that the run has not reached.
    const std::vector<Time>& left() const { return left_; }

  private:
    Time take(Time now);

    std::vector<Time> left_;  // the next time is last
    RunParts parts_;
    Checkpoint like_;
    ResultFiles& files_;
};

}  // namespace symsim
