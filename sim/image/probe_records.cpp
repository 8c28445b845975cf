// SPDX-License-Identifier: MIT
#include "sim/image/probe_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/probe_point.h"

namespace symsim {
namespace {

ProbeKind checked_kind(std::uint32_t number) {
    for (const ProbePoint& point : kProbePoints)
        if (index(point.kind) == number) return point.kind;
    if (index(ProbeKind::argument) == number) return ProbeKind::argument;
    throw UserError(fmt::format("there is no kind {}; guest/include/probes.h lists them", number));
}

// What comes before the first dot in the name of the code at this address. In an image of one
// program that is usually nothing, or no prefix of another name.
std::string_view program_at(Address address, const Symbols& symbols) {
    const Symbol* symbol = symbols.around(address);
    if (symbol == nullptr) return {};
    const std::string_view name = symbol->name;
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

Probe checked(const ProbeRecord& record, const Image& image) {
    const LoadSegment* segment = image.segment_at(record.address);
    if (segment == nullptr || !segment->executable)
        throw UserError(
            fmt::format("its address {:#010x} is not in code; put the label before an "
                        "instruction",
                        record.linear));
    Probe probe{record.address, checked_kind(record.kind), {}};
    try {
        probe.operand = parse_probe_operand(record.operand, image.symbols,
                                            program_at(record.linear, image.symbols));
    } catch (const UserError& e) {
        throw UserError(fmt::format("its operand \"{}\": {}", record.operand, e.what()));
    }
    return probe;
}

}  // namespace

ProbePoints probe_points(const Image& image) {
    std::vector<Probe> probes;
    for (std::size_t i = 0; i < image.probes.size(); ++i) {
        try {
            probes.push_back(checked(image.probes[i], image));
        } catch (const UserError& e) {
            throw UserError(fmt::format("guest image {}: probe record {} (at {}): {}",
                                        image.path.string(), i + 1,
                                        image.symbols.describe(image.probes[i].linear), e.what()));
        }
    }
    return ProbePoints(std::move(probes));
}

bool reports(const Image& image, bool (*of_kind)(ProbeKind)) {
    return std::any_of(image.probes.begin(), image.probes.end(), [=](const ProbeRecord& record) {
        return of_kind(static_cast<ProbeKind>(record.kind));
    });
}

// Each program has a variable NAME.space_program, and they are linked in order of number.
std::vector<std::string> space_names(const Image& image) {
    constexpr std::string_view kProgram = ".space_program";
    std::vector<std::string> names;
    for (const Symbol& symbol : image.symbols.all()) {
        const std::string_view name = symbol.name;
        if (name.size() > kProgram.size() && name.substr(name.size() - kProgram.size()) == kProgram)
            names.emplace_back(name.substr(0, name.size() - kProgram.size()));
    }
    return names;
}

}  // namespace symsim
