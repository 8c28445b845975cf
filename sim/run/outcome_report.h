// SPDX-License-Identifier: MIT
// What the results say of how a run ended: its status, its exit code, what the guest reported, and
// where a guest failed.
#pragma once

#include <string>

#include "sim/base/exit_code.h"
#include "sim/engine/run_outcome.h"
#include "sim/image/image.h"
#include "sim/image/standard_input.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/report.h"

namespace symsim {

RunStatus status_of(RunOutcome::Reason reason);
Exit exit_of(const RunOutcome& outcome);
// Only for a guest failure or a deadlock.
FailureReport failure_report(const RunOutcome& outcome, const Machine& machine, const Image& image);
// `results`: lines "name value" that the guest wrote.
GuestReport guest_report(const Image& image, const StandardInput& input, const RunOutcome& outcome,
                         const std::string& results);

}  // namespace symsim
