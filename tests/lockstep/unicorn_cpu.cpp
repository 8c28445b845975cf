// SPDX-License-Identifier: MIT
#include "tests/lockstep/unicorn_cpu.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace symsim::test {
namespace {

constexpr int kInvalidOpcode = 6;
// Translations that were forgotten still take memory, half a kilobyte a vector. (uc_ctl_flush_tlb
// would free them, but first touches all of the gigabyte reserved for them.)
constexpr std::uint64_t kFreshEvery = 100'000;

void check(uc_err error, const char* what) {
    if (error != UC_ERR_OK)
        throw std::runtime_error(fmt::format("unicorn: {}: {}", what, uc_strerror(error)));
}

// In the order of the instruction encoding, then the flags.
std::array<int, 9> names() {
    return {UC_X86_REG_EAX, UC_X86_REG_ECX, UC_X86_REG_EDX, UC_X86_REG_EBX,   UC_X86_REG_ESP,
            UC_X86_REG_EBP, UC_X86_REG_ESI, UC_X86_REG_EDI, UC_X86_REG_EFLAGS};
}

}  // namespace

void UnicornCpu::Free::operator()(std::uint8_t* p) const {
    std::free(p);
}

UnicornCpu::UnicornCpu() {
    memory_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(4096, layout::kMemory)));
    open();
}

UnicornCpu::~UnicornCpu() {
    close();
}

void UnicornCpu::open() {
    check(uc_open(UC_ARCH_X86, UC_MODE_32, &engine_), "open");
    check(uc_ctl_set_cpu_model(engine_, UC_CPU_X86_486), "choose the 486");
    check(uc_mem_map_ptr(engine_, 0, layout::kMemory, UC_PROT_ALL, memory_.get()), "map memory");
    uc_hook hook;
    check(uc_hook_add(engine_, &hook, UC_HOOK_INTR, reinterpret_cast<void*>(on_interrupt), this, 1,
                      0),
          "hook interrupts");
    check(uc_hook_add(engine_, &hook, UC_HOOK_INSN_INVALID, reinterpret_cast<void*>(on_invalid),
                      this, 1, 0),
          "hook invalid instructions");
    check(uc_context_alloc(engine_, &fresh_), "make room for its state");
    check(uc_context_save(engine_, fresh_), "save its state");
}

void UnicornCpu::close() {
    uc_context_free(fresh_);
    uc_close(engine_);
}

void UnicornCpu::on_interrupt(uc_engine* engine, std::uint32_t number, void* self) {
    static_cast<UnicornCpu*>(self)->vector_ = static_cast<int>(number);
    uc_emu_stop(engine);
}

bool UnicornCpu::on_invalid(uc_engine*, void* self) {
    static_cast<UnicornCpu*>(self)->vector_ = kInvalidOpcode;
    return false;  // stops
}

Outcome UnicornCpu::execute(const Vector& vector) {
    if (++executed_ % kFreshEvery == 0) {
        close();
        open();
    }
    // It would take the next fault for a second one within the first.
    if (vector_ != Outcome::kCompleted) check(uc_context_restore(engine_, fresh_), "restore");
    vector_ = Outcome::kCompleted;
    check(uc_ctl_remove_cache(engine_, layout::kCode, layout::kCode + layout::kCodeRange + 16),
          "forget code");

    std::array<int, 9> names = test::names();
    std::array<std::uint32_t, 9> values{};
    std::array<void*, 9> places{};
    for (std::size_t n = 0; n < 9; ++n) {
        values[n] = n < 8 ? vector.regs[n] : vector.flags;
        places[n] = &values[n];
    }
    check(uc_reg_write_batch(engine_, names.data(), places.data(), 9), "set registers");

    Outcome outcome;
    const uc_err error = uc_emu_start(engine_, vector.eip, 0xffff'ffff, 0, 0);
    check(uc_reg_read_batch(engine_, names.data(), places.data(), 9), "read registers");
    check(uc_reg_read(engine_, UC_X86_REG_EIP, &outcome.eip), "read eip");
    for (std::size_t n = 0; n < 8; ++n) outcome.regs[n] = values[n];
    outcome.flags = values[8];
    outcome.vector = vector_;
    if (error != UC_ERR_OK) outcome.complaint = uc_strerror(error);
    if (vector_ == Outcome::kCompleted) --outcome.eip;  // it stands behind the hlt
    return outcome;
}

}  // namespace symsim::test
