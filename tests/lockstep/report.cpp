// SPDX-License-Identifier: MIT
#include "tests/lockstep/report.h"

#include <Zydis/Zydis.h>
#include <fmt/format.h>

#include <array>

#include "tests/lockstep/grammar.h"
#include "tests/lockstep/world.h"

namespace symsim::test {
namespace {

std::string ending(const Outcome& outcome) {
    std::string text = outcome.vector == Outcome::kCompleted
                           ? "completed"
                           : fmt::format("exception {}, error code {:x}, cr2 {:x}", outcome.vector,
                                         outcome.error_code, outcome.cr2);
    text += ", es cs ss ds fs gs";
    for (const std::uint16_t selector : outcome.selectors) text += fmt::format(" {:04x}", selector);
    if (!outcome.complaint.empty()) text += " (" + outcome.complaint + ")";
    return text;
}

std::string float_state(const char* name,
                        const std::array<std::uint8_t, layout::kFloatStateSize>& state) {
    const auto word = [&](std::size_t at) { return state[at] | state[at + 1] << 8; };
    std::string text = fmt::format("  {}: control {:04x} status {:04x} tags {:04x}, st", name,
                                   word(0), word(4), word(8));
    for (std::size_t n = 0; n < 8; ++n) {
        text += n == 4 ? "\n    " : " ";
        for (std::size_t byte = 10; byte-- > 0;) {
            text += fmt::format("{:02x}", state[28 + 10 * n + byte]);
            if (byte == 8) text += ':';
        }
    }
    return text + '\n';
}

}  // namespace

std::string disassembly(const Vector& vector) {
    ZydisDisassembledInstruction instruction;
    if (!ZYAN_SUCCESS(ZydisDisassembleIntel(
            is_narrow(vector.world) ? ZYDIS_MACHINE_MODE_LEGACY_16 : ZYDIS_MACHINE_MODE_LEGACY_32,
            vector.eip, vector.bytes.data(), vector.bytes.size(), &instruction)))
        return "(no instruction)";
    return instruction.text;
}

std::string report(std::uint64_t seed, const Vector& vector, const Outcome& simulated,
                   const Outcome& oracle, const std::string& difference) {
    static constexpr std::array<const char*, 8> kNames = {"eax", "ecx", "edx", "ebx",
                                                          "esp", "ebp", "esi", "edi"};
    std::string text =
        fmt::format("{}, ring {}, {} {}: {}\n  bytes  ", name_of(vector.world), vector.user ? 3 : 0,
                    vector.pattern->name, vector.pattern->encoding, difference);
    for (const std::uint8_t byte : vector.bytes) text += fmt::format("{:02x} ", byte);
    text += fmt::format(" at {:08x}: {}\n", vector.eip, disassembly(vector));
    text += fmt::format("  {:6} {:>8} {:>9} {:>8}\n", "", "before", "simulated", "oracle");
    const auto row = [&](const char* name, std::uint32_t before, std::uint32_t ours,
                         std::uint32_t theirs) {
        text += fmt::format("  {:6} {:08x}  {:08x} {:08x}{}\n", name, before, ours, theirs,
                            ours == theirs ? "" : "  <-");
    };
    for (unsigned reg = 0; reg < 8; ++reg)
        row(kNames[reg], vector.regs[reg], simulated.regs[reg], oracle.regs[reg]);
    row("eip", vector.offset(), simulated.eip, oracle.eip);
    if (vector.world == World::real) {
        text += "  es cs ss ds fs gs";
        for (const std::uint16_t selector : vector.selectors)
            text += fmt::format(" {:04x}", selector);
        text += '\n';
    }
    row("eflags", vector.flags, simulated.flags, oracle.flags);
    text += fmt::format("  flags Intel leaves undefined here: {:08x}\n", vector.undefined);
    for (const Patch& patch : vector.patches)
        text += fmt::format("  memory {:08x}: {:08x}\n", patch.address, patch.value);
    if (vector.world == World::floating)
        text += float_state("before", vector.float_state) +
                float_state("simulated", simulated.float_state) +
                float_state("oracle", oracle.float_state);
    text += fmt::format("  simulated: {}\n  oracle: {}\n", ending(simulated), ending(oracle));
    return text + fmt::format(
                      "again: SYMSIM_LOCKSTEP_SEED={} SYMSIM_LOCKSTEP_FIRST={} "
                      "SYMSIM_LOCKSTEP_VECTORS=1 test_lockstep --gtest_filter=*{}\n",
                      seed, vector.number, name_of(vector.world));
}

}  // namespace symsim::test
