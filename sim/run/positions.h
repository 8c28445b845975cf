// SPDX-License-Identifier: MIT
// Where each processor stands at the end of a run that the guest did not end itself, and what the
// threads of pthread.h wait for.
#pragma once

#include <vector>

#include "sim/engine/run_outcome.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/recorder.h"
#include "sim/observe/report.h"

namespace symsim {

// Empty for a run that ended by the power switch, or by a failure of one processor.
std::vector<ProcessorPosition> positions(const RunOutcome& outcome, const Machine& machine,
                                         const Recorder& recorder, const Image& image);

// By number; empty if the guest ended by itself or crashed, or has no such threads.
std::vector<ThreadPosition> thread_positions(const RunOutcome& outcome, const Machine& machine,
                                             const Recorder& recorder, const Image& image);

}  // namespace symsim
