// SPDX-License-Identifier: MIT
#include "tests/lockstep/unicorn_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace symsim::test {
namespace {

constexpr int kInvalidOpcode = 6, kPageFault = 14;
// The end address given to Unicorn, which is never reached. Unicorn looks it up before it starts,
// so it must be mapped.
constexpr std::uint32_t kNowhere = layout::kUserEntry + 0x200;

void check(uc_err error, const char* what) {
    if (error != UC_ERR_OK)
        throw std::runtime_error(fmt::format("unicorn: {}: {}", what, uc_strerror(error)));
}

// The general registers in the order of their encoding, then the flags.
std::array<int, 9> names() {
    return {UC_X86_REG_EAX, UC_X86_REG_ECX, UC_X86_REG_EDX, UC_X86_REG_EBX,   UC_X86_REG_ESP,
            UC_X86_REG_EBP, UC_X86_REG_ESI, UC_X86_REG_EDI, UC_X86_REG_EFLAGS};
}

}  // namespace

void UnicornCpu::Free::operator()(std::uint8_t* p) const {
    std::free(p);
}

UnicornCpu::UnicornCpu(Isa isa) {
    memory_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(4096, layout::kMemory)));
    check(uc_open(UC_ARCH_X86, UC_MODE_32, &engine_), "open");
    // Its oldest models. What the 486 has beyond a 386, no vector of a 386 uses.
    check(uc_ctl_set_cpu_model(engine_, isa == Isa::i386 ? UC_CPU_X86_486 : UC_CPU_X86_PENTIUM2),
          "choose the model");
    check(uc_mem_map_ptr(engine_, 0, layout::kMemory, UC_PROT_ALL, memory_.get()), "map memory");
    uc_hook hook;
    check(uc_hook_add(engine_, &hook, UC_HOOK_INTR, reinterpret_cast<void*>(on_interrupt), this, 1,
                      0),
          "hook interrupts");
    check(uc_hook_add(engine_, &hook, UC_HOOK_INSN_INVALID, reinterpret_cast<void*>(on_invalid),
                      this, 1, 0),
          "hook invalid instructions");
    check(uc_context_alloc(engine_, &fresh_), "make room for its state");
    check(uc_context_alloc(engine_, &unpaged_), "make room for its state");
    check(uc_context_alloc(engine_, &after_), "make room for its state");
    check(uc_context_save(engine_, unpaged_), "save its state");
    check(uc_context_save(engine_, fresh_), "save its state");
    find_error_code();
    find_float_exceptions();
}

UnicornCpu::~UnicornCpu() {
    uc_context_free(after_);
    uc_context_free(unpaged_);
    uc_context_free(fresh_);
    uc_close(engine_);
}

// Unicorn has no interface for an exception's error code, but its saved state contains it. To find
// the offset, this function raises exceptions with known error codes: there is no descriptor table
// yet, so loading any selector gives that selector as error code.
void UnicornCpu::find_error_code() {
    // Code here is removed from Unicorn's translation cache by execute().
    constexpr std::uint32_t kCode = layout::kCode, kSelector = 0x1100;
    const Bytes load_es = {0x8e, 0x05, 0x00, 0x11, 0x00, 0x00};
    std::copy(load_es.begin(), load_es.end(), memory() + kCode);
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at + 4 <= uc_context_size(engine_); at += 4) places.push_back(at);
    for (const std::uint32_t selector : {0x5a68u, 0x1234u, 0xa5a8u}) {
        std::memcpy(memory() + kSelector, &selector, 4);
        execute({kCode, Flags::kAlwaysSet, {}});
        const auto other = [&](std::size_t at) { return dword_of_state(at) != selector; };
        places.erase(std::remove_if(places.begin(), places.end(), other), places.end());
    }
    if (places.size() != 1) throw std::runtime_error("unicorn: where is its error code?");
    error_code_at_ = places.front();
}

// Finds the offset of the floating-point exceptions in the same way: the byte that has the expected
// value after each of these divisions.
void UnicornCpu::find_float_exceptions() {
    constexpr std::uint32_t kCode = layout::kCode;
    constexpr std::uint8_t kOne = 0xe8, kPi = 0xeb, kZero = 0xee;
    constexpr std::uint8_t kInvalid = 1, kZeroDivide = 4, kPrecision = 0x20;
    const struct {
        std::uint8_t dividend, divisor, raised;
    } divisions[] = {{kZero, kZero, kInvalid},
                     {kOne, kZero, kZeroDivide},
                     {kOne, kPi, kPrecision},
                     {kZero, kOne, 0}};
    std::vector<std::size_t> places(uc_context_size(engine_));
    std::iota(places.begin(), places.end(), 0);
    for (const auto& division : divisions) {
        const Bytes code = {0xd9, division.dividend, 0xd9, division.divisor, 0xde,
                            0xf9, layout::kHlt};
        std::copy(code.begin(), code.end(), memory() + kCode);
        execute({kCode, Flags::kAlwaysSet, {}});
        check(uc_context_save(engine_, after_), "save its state");
        const auto* const state = reinterpret_cast<const std::uint8_t*>(after_);
        const auto other = [&](std::size_t at) { return state[at] != division.raised; };
        places.erase(std::remove_if(places.begin(), places.end(), other), places.end());
    }
    if (places.size() != 1) throw std::runtime_error("unicorn: where are its float exceptions?");
    float_exceptions_at_ = places.front();
}

std::uint8_t UnicornCpu::float_exceptions() {
    check(uc_context_save(engine_, after_), "save its state");
    return reinterpret_cast<const std::uint8_t*>(after_)[float_exceptions_at_];
}

std::uint32_t UnicornCpu::dword_of_state(std::size_t at) {
    check(uc_context_save(engine_, after_), "save its state");
    std::uint32_t value;
    std::memcpy(&value, reinterpret_cast<const std::uint8_t*>(after_) + at, 4);
    return value;
}

void UnicornCpu::boot(std::uint32_t eip) {
    check(uc_context_restore(engine_, fresh_), "restore its state");
    vector_ = Outcome::kCompleted;
    check(uc_emu_start(engine_, eip, kNowhere, 0, 0), "start up");
    if (vector_ != Outcome::kCompleted)
        throw std::runtime_error(fmt::format("unicorn: exception {} in start-up", vector_));
    check(uc_context_save(engine_, fresh_), "save its state");
}

void UnicornCpu::on_interrupt(uc_engine* engine, std::uint32_t number, void* self) {
    static_cast<UnicornCpu*>(self)->vector_ = static_cast<int>(number);
    uc_emu_stop(engine);
}

bool UnicornCpu::on_invalid(uc_engine*, void* self) {
    static_cast<UnicornCpu*>(self)->vector_ = kInvalidOpcode;
    return false;  // stops
}

Outcome UnicornCpu::execute(const Start& start) {
    // Paging is off while the code is removed: its page may not be present, and a fault now would
    // count as the first of two. For the same reason the last vector's exception has to be
    // forgotten.
    check(uc_context_restore(engine_, unpaged_), "restore its state");
    check(uc_ctl_remove_cache(engine_, layout::kCode,
                              layout::kCode + layout::kCodeRange + layout::kLongestWithLook),
          "forget code");
    check(uc_context_restore(engine_, fresh_), "restore its state");
    vector_ = Outcome::kCompleted;

    std::array<int, 9> names = test::names();
    std::array<std::uint32_t, 9> values{};
    std::array<void*, 9> places{};
    for (std::size_t n = 0; n < 9; ++n) {
        values[n] = n < 8 ? start.regs[n] : start.flags;
        places[n] = &values[n];
    }
    check(uc_reg_write_batch(engine_, names.data(), places.data(), 9), "set registers");

    Outcome outcome;
    const uc_err error = uc_emu_start(engine_, start.eip, kNowhere, 0, 0);
    check(uc_reg_read_batch(engine_, names.data(), places.data(), 9), "read registers");
    check(uc_reg_read(engine_, UC_X86_REG_EIP, &outcome.eip), "read eip");
    for (std::size_t n = 0; n < 8; ++n) outcome.regs[n] = values[n];
    outcome.flags = values[8];
    outcome.vector = vector_;
    if (error != UC_ERR_OK) outcome.complaint = uc_strerror(error);
    read_selectors(outcome);
    if (vector_ == Outcome::kCompleted) {
        --outcome.eip;  // eip is after the hlt
    } else {
        outcome.error_code = error_code_at_ != 0 ? dword_of_state(error_code_at_) : 0;
        if (vector_ == kPageFault)
            check(uc_reg_read(engine_, UC_X86_REG_CR2, &outcome.cr2), "read cr2");
    }
    return outcome;
}

void UnicornCpu::read_selectors(Outcome& outcome) {
    static constexpr std::array<int, 6> kNames = {UC_X86_REG_ES, UC_X86_REG_CS, UC_X86_REG_SS,
                                                  UC_X86_REG_DS, UC_X86_REG_FS, UC_X86_REG_GS};
    for (std::size_t n = 0; n < kNames.size(); ++n)
        check(uc_reg_read(engine_, kNames[n], &outcome.selectors[n]), "read a segment register");
}

}  // namespace symsim::test
