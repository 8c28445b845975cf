// SPDX-License-Identifier: MIT
// For the report of a run that the guest did not end itself: the threads of pthread.h that wait,
// and for what.
#pragma once

#include <vector>

#include "sim/engine/run_outcome.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/recorder.h"

namespace symsim {

// By number; empty if the guest ended by itself or crashed, or has no such threads.
std::vector<ThreadPosition> thread_positions(const RunOutcome& outcome, const Machine& machine,
                                             const Recorder& recorder, const Image& image);

}  // namespace symsim
