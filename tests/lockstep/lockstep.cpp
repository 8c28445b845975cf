// SPDX-License-Identifier: MIT
#include "tests/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tests/lockstep/exclusions.h"
#include "tests/lockstep/random.h"
#include "tests/lockstep/report.h"

namespace symsim::test {
namespace {

// What this test does not know of: bits 16 and up hold nothing on a 386 that runs neither in
// virtual-8086 mode nor under a debugger.
constexpr std::uint32_t kFlags = 0xffff'ffff;

}  // namespace

Lockstep::Lockstep() : data_(layout::kDataSize) {
    Random random(386, 0);
    for (std::size_t n = 0; n < data_.size(); n += 4) {
        const std::uint32_t value = random.operand();
        std::memcpy(&data_[n], &value, 4);
    }
    for (std::uint8_t* const memory : {simulated_.memory(), oracle_.memory()}) {
        std::memset(memory, 0, layout::kMemory);
        std::memset(memory + layout::kLanding, layout::kHlt,
                    layout::kLandingEnd - layout::kLanding);
    }
}

void Lockstep::prepare(std::uint8_t* memory, const Vector& vector) {
    std::memset(memory + placed_, layout::kHlt, layout::kLongest);
    std::copy(vector.bytes.begin(), vector.bytes.end(), memory + vector.eip);
    std::memcpy(memory + layout::kData, data_.data(), data_.size());
    for (const Patch& patch : vector.patches)
        std::memcpy(memory + patch.address, &patch.value, sizeof patch.value);
}

std::string Lockstep::compare(const Vector& vector, const Outcome& simulated,
                              const Outcome& oracle) {
    if ((simulated.vector == Outcome::kCompleted) != (oracle.vector == Outcome::kCompleted))
        return "only one raises an exception";
    for (unsigned reg = 0; reg < 8; ++reg)
        if (simulated.regs[reg] != oracle.regs[reg]) return "other registers";
    const bool trap = oracle.vector != Outcome::kCompleted && oracle.eip != vector.eip;
    if (!trap && simulated.eip != oracle.eip) return "another eip";
    const std::uint32_t mask = kFlags & ~vector.undefined & ~excluded_flags(vector);
    if ((simulated.flags ^ oracle.flags) & mask) return "other flags";
    const auto data = [](std::uint8_t* memory) { return memory + layout::kData; };
    const std::uint8_t* const ours = data(simulated_.memory());
    const std::uint8_t* const theirs = data(oracle_.memory());
    if (std::memcmp(ours, theirs, layout::kDataSize) == 0) return "";
    const auto at = std::mismatch(ours, ours + layout::kDataSize, theirs).first - ours;
    return fmt::format("other memory: at {:08x} simulated {:02x}, oracle {:02x}, before {:02x}",
                       layout::kData + at, ours[at], theirs[at],
                       data_[static_cast<std::size_t>(at)]);
}

std::optional<std::string> Lockstep::differs(std::uint64_t seed, const Vector& vector) {
    prepare(simulated_.memory(), vector);
    prepare(oracle_.memory(), vector);
    placed_ = vector.eip;
    const Outcome simulated = simulated_.execute(vector);
    const Outcome oracle = oracle_.execute(vector);
    last_faulted_ = oracle.vector != Outcome::kCompleted;
    const std::string difference = compare(vector, simulated, oracle);
    if (difference.empty()) return std::nullopt;
    return report(seed, vector, simulated, oracle, difference);
}

std::optional<std::string> Lockstep::memory_differs() {
    const std::uint8_t* const ours = simulated_.memory();
    const std::uint8_t* const theirs = oracle_.memory();
    if (std::memcmp(ours, theirs, layout::kMemory) == 0) return std::nullopt;
    const auto at = std::mismatch(ours, ours + layout::kMemory, theirs).first - ours;
    return fmt::format(
        "memory differs far from the data: at {:08x} simulated {:02x}, oracle {:02x}", at, ours[at],
        theirs[at]);
}

}  // namespace symsim::test
