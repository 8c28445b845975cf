// SPDX-License-Identifier: MIT
// Fuzzes parse_image(): it must load any file or refuse it with a UserError. A loaded image goes
// through all that the machine does before the first instruction, and through the look-ups of
// symbols after the last.
#include <cstdint>
#include <vector>

#include "sim/base/failure.h"
#include "sim/image/arguments.h"
#include "sim/image/image.h"
#include "sim/image/loaded_code.h"
#include "sim/image/probe_records.h"

namespace {

using namespace symsim;

constexpr std::uint64_t kMemory = 2 << 20;

void use(std::vector<std::uint8_t> file) {
    const Image image = parse_image(std::move(file), "guest.elf", kMemory);
    Memory memory(kMemory);
    image.copy_to(memory);
    write_arguments(image, argument_text(2, 1, {{"lock", "read"}}), memory);
    const Regions regions(image.code);
    const ProbePoints probes = probe_points(image);
    const auto look_up = [&](Address address) {
        image.symbols.describe(address);
        image.segment_at(address);
        regions.activity_at(address);
    };
    for (const LoadSegment& s : image.segments)
        for (const Address address : {s.address, s.address + s.memory_size / 2,
                                      s.address + s.memory_size - 1, s.address + s.memory_size})
            look_up(address);
    for (const CodeSection& s : image.code) look_up(s.address + s.size);
    const auto reg = [](unsigned) { return 0u; };
    const auto peek = [](Address, unsigned) { return 0u; };
    for (const ProbeRecord& r : image.probes)
        for (const Probe& probe : probes.at(r.address)) evaluate(probe.operand, reg, peek);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        use({data, data + size});
    } catch (const UserError&) {
    }
    return 0;
}
