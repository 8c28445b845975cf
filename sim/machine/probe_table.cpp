// SPDX-License-Identifier: MIT
#include "sim/machine/probe_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {
namespace {

ProbeKind checked_kind(std::uint32_t number) {
    for (const ProbePoint& point : kProbePoints)
        if (index(point.kind) == number) return point.kind;
    throw UserError(fmt::format("there is no kind {}; guest/include/probes.h lists them", number));
}

Probe checked(const ProbeRecord& record, const Image& image) {
    const LoadSegment* segment = image.segment_at(record.address);
    if (segment == nullptr || !segment->executable)
        throw UserError(
            fmt::format("its address {:#010x} is not in code; put the label before an "
                        "instruction",
                        record.address));
    Probe probe{record.address, checked_kind(record.kind), {}};
    try {
        probe.operand = parse_probe_operand(record.operand, image.symbols);
    } catch (const UserError& e) {
        throw UserError(fmt::format("its operand \"{}\": {}", record.operand, e.what()));
    }
    return probe;
}

}  // namespace

ProbeTable::ProbeTable(const Image& image) {
    for (std::size_t i = 0; i < image.probes.size(); ++i) {
        try {
            probes_.push_back(checked(image.probes[i], image));
        } catch (const UserError& e) {
            throw UserError(fmt::format("guest image {}: probe record {} (at {}): {}",
                                        image.path.string(), i + 1,
                                        image.symbols.describe(image.probes[i].address), e.what()));
        }
    }
    std::stable_sort(probes_.begin(), probes_.end(),
                     [](const Probe& a, const Probe& b) { return a.address < b.address; });
}

ProbeTable::Range ProbeTable::at(Address address) const {
    const Probe* const end = probes_.data() + probes_.size();
    const Probe* const first =
        std::lower_bound(probes_.data(), end, address,
                         [](const Probe& probe, Address a) { return probe.address < a; });
    const Probe* last = first;  // few stand at one address
    while (last != end && last->address == address) ++last;
    return {first, last};
}

void ProbeTable::fire(Address address, const Registers& regs, const Peek& peek,
                      const Take& take) const {
    const auto reg = [&](std::uint8_t n) { return regs[n]; };
    for (const Probe& probe : at(address)) take(probe.kind, evaluate(probe.operand, reg, peek));
}

}  // namespace symsim
