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
    fill_slots();
}

void ProbeTable::fill_slots() {
    slots_.assign(2 * probes_.size() + 1, {});
    for (std::uint32_t n = 0; n < probes_.size(); ++n) {
        const Address address = probes_[n].address;
        std::size_t slot = hash(address);
        while (slots_[slot].first != slots_[slot].last && slots_[slot].address != address)
            slot = behind(slot);
        if (slots_[slot].first == slots_[slot].last) slots_[slot] = {address, n, n};
        ++slots_[slot].last;
    }
}

ProbeTable::Range ProbeTable::at(Address address) const {
    std::size_t slot = hash(address);
    while (slots_[slot].address != address && slots_[slot].first != slots_[slot].last)
        slot = behind(slot);
    return {probes_.data() + slots_[slot].first, probes_.data() + slots_[slot].last};
}

void ProbeTable::fire(Address address, const Registers& regs, const Peek& peek,
                      const Take& take) const {
    const auto reg = [&](std::uint8_t n) { return regs[n]; };
    for (const Probe& probe : at(address)) take(probe.kind, evaluate(probe.operand, reg, peek));
}

}  // namespace symsim
