// SPDX-License-Identifier: MIT
#include "tests/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/lockstep/exclusions.h"
#include "tests/lockstep/float_exclusions.h"
#include "tests/lockstep/grammar.h"
#include "tests/lockstep/random.h"
#include "tests/lockstep/report.h"

namespace symsim::test {
namespace {

// Number of vectors after which a new Unicorn instance is created: removed translations still take
// memory, half a kilobyte per vector. uc_ctl_flush_tlb would free them, but first touches the whole
// gigabyte reserved for them.
constexpr std::uint64_t kFreshEvery = 100'000;

}  // namespace

Lockstep::Lockstep(World world)
    : world_(world),
      image_((world == World::flat ? layout::kData + layout::kDataSize : layout::kSystemEnd) -
             kFirst),
      simulated_(isa_of(world)) {
    set_up(simulated_);
    // Start-up code sets accessed bits in descriptors, so the image is taken after it.
    std::memcpy(image_.data(), simulated_.memory() + kFirst, image_.size());
    Random random(386, 0);
    for (std::size_t n = 0; n < layout::kDataSize; n += 4) {
        const std::uint32_t value = random.operand();
        std::memcpy(&image_[n], &value, 4);
    }
}

template <class Cpu>
void Lockstep::set_up(Cpu& cpu) {
    std::memset(cpu.memory(), 0, layout::kMemory);
    std::memset(cpu.memory() + layout::kLanding, layout::kHlt,
                layout::kLandingEnd - layout::kLanding);
    place_system(world_, cpu.memory());
    if (world_ != World::flat) cpu.boot(layout::kBoot);
}

template <class Cpu>
Outcome Lockstep::execute(Cpu& cpu, const Vector& vector) {
    std::uint8_t* const memory = cpu.memory();
    std::memset(memory + placed_, layout::kHlt, layout::kLongestWithLook);
    std::copy(vector.bytes.begin(), vector.bytes.end(), memory + vector.eip);
    std::memcpy(memory + kFirst, image_.data(), image_.size());
    for (const Patch& patch : vector.patches)
        std::memcpy(memory + patch.address, &patch.value, sizeof patch.value);
    Outcome outcome = cpu.execute(enter(world_, vector, memory));
    if (world_ == World::floating)
        std::copy_n(memory + layout::kFloatResult, outcome.float_state.size(),
                    outcome.float_state.begin());
    return outcome;
}

std::string Lockstep::compare(const Vector& vector, const Outcome& simulated,
                              const Outcome& oracle) {
    if (simulated.vector != oracle.vector) return "another exception";
    if (simulated.error_code != oracle.error_code) return "another error code";
    if (simulated.cr2 != oracle.cr2) return "another cr2";
    for (unsigned reg = 0; reg < 8; ++reg)
        if ((simulated.regs[reg] ^ oracle.regs[reg]) & ~undefined_bits(vector, reg))
            return "other registers";
    // After an int, Unicorn's eip is the address after the int, which the int would save. The
    // simulated report gives the address of the int itself.
    const std::uint32_t length_of_int = vector.pattern->trait == Trait::interrupt &&
                                                oracle.vector != Outcome::kCompleted &&
                                                simulated.eip == vector.offset() &&
                                                oracle.eip == vector.offset() + vector.bytes.size()
                                            ? static_cast<std::uint32_t>(vector.bytes.size())
                                            : 0;
    if (simulated.eip + length_of_int != oracle.eip) return "another eip";
    if (world_ != World::flat && simulated.selectors != oracle.selectors) return "other selectors";
    const std::uint32_t ignored = vector.undefined | excluded_flags(vector);
    if ((simulated.flags ^ oracle.flags) & ~ignored) return "other flags";
    if (world_ == World::floating)
        forgive_float_state(vector, simulated_.memory() + layout::kFloatResult,
                            oracle_->memory() + layout::kFloatResult);
    if (simulated.float_exceptions != oracle.float_exceptions)
        return fmt::format("other exceptions of the coprocessor: simulated {:02x}, oracle {:02x}",
                           simulated.float_exceptions, oracle.float_exceptions);
    forgive_marks(vector, oracle, simulated_.memory(), oracle_->memory());
    forgive_push(vector, simulated, simulated_.memory(), oracle_->memory());
    const std::uint8_t* const ours = simulated_.memory() + kFirst;
    const std::uint8_t* const theirs = oracle_->memory() + kFirst;
    if (std::memcmp(ours, theirs, image_.size()) == 0) return "";
    const auto at = std::mismatch(ours, ours + image_.size(), theirs).first - ours;
    return fmt::format("other memory: at {:08x} simulated {:02x}, oracle {:02x}, before {:02x}",
                       kFirst + at, ours[at], theirs[at], image_[static_cast<std::size_t>(at)]);
}

std::optional<std::string> Lockstep::differs(std::uint64_t seed, const Vector& vector) {
    if (executed_++ % kFreshEvery == 0) {
        oracle_ = std::make_unique<UnicornCpu>(isa_of(world_));
        set_up(*oracle_);
    }
    Outcome simulated = execute(simulated_, vector);
    Outcome oracle = execute(*oracle_, vector);
    if (world_ == World::floating) {
        constexpr std::size_t kStatus = 4;
        simulated.float_exceptions = simulated.float_state[kStatus];
        oracle.float_exceptions = oracle_->float_exceptions();
        forgive_float_exceptions(vector, simulated, oracle);
    }
    placed_ = vector.eip;
    last_faulted_ = oracle.vector != Outcome::kCompleted;
    const std::string difference = compare(vector, simulated, oracle);
    if (difference.empty()) return std::nullopt;
    const Excuse* const excuse = world_ == World::floating
                                     ? excused_float(vector, simulated, oracle)
                                     : excused(vector, simulated, oracle);
    if (excuse) {
        ++excuses_[excuse->name];
        return std::nullopt;
    }
    return report(seed, vector, simulated, oracle, difference);
}

std::optional<std::string> Lockstep::memory_differs() {
    const std::uint8_t* const ours = simulated_.memory();
    const std::uint8_t* const theirs = oracle_->memory();
    const auto end = static_cast<std::uint32_t>(kFirst + image_.size());
    for (const auto& [begin, end] : {std::pair{0u, kFirst}, {end, layout::kMemory}}) {
        if (std::memcmp(ours + begin, theirs + begin, end - begin) == 0) continue;
        const auto at = std::mismatch(ours + begin, ours + end, theirs + begin).first - ours;
        return fmt::format(
            "memory that no vector uses differs: at {:08x} simulated {:02x}, oracle {:02x}", at,
            ours[at], theirs[at]);
    }
    return std::nullopt;
}

}  // namespace symsim::test
