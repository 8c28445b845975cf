// SPDX-License-Identifier: MIT
// Finds probe points by address, and puts them before instructions.
#include "sim/cpu/core/probes.h"

#include <algorithm>
#include <utility>

namespace symsim {
namespace {

bool before(const Probe& a, const Probe& b) {
    return a.address < b.address;
}

}  // namespace

ProbePoints::ProbePoints(std::vector<Probe> probes) : probes_(std::move(probes)) {
    std::stable_sort(probes_.begin(), probes_.end(), before);
}

ProbeRange ProbePoints::at(Address address) const {
    const auto [first, last] =
        std::equal_range(probes_.begin(), probes_.end(), Probe{address, {}, {}}, before);
    return {probes_.data() + (first - probes_.begin()), probes_.data() + (last - probes_.begin())};
}

void ProbedOp::put_before(const ProbeRange& points) {
    probes = points;
    waits_for_commit = points.wait_for_commit();
    instruction = *this;
    entry = kProbedEntry;
    simple = false;
    if (fast != leave_to_execute) fast = waits_for_commit ? leave_to_execute : pass_probes;
}

}  // namespace symsim
