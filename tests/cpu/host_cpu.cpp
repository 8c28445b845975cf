// SPDX-License-Identifier: MIT
#include "tests/cpu/host_cpu.h"

#if defined(__x86_64__) && defined(__linux__)

#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>

namespace symsim::test {
namespace {

// The first page of the memory is the bridge between the test's 64-bit code and the instruction: it
// contains the code that enters and leaves 32-bit mode, and the processor state.
constexpr std::uint32_t kEnter64 = HostCpu::kBase;         // called by the test
constexpr std::uint32_t kEnter32 = HostCpu::kBase + 0x80;  // loads the state
constexpr std::uint32_t kLeave32 = HostCpu::kBase + 0x100;
constexpr std::uint32_t kLeave64 = HostCpu::kBase + 0x180;
constexpr std::uint32_t kHostStack = HostCpu::kBase + 0x200;  // 8 bytes
constexpr std::uint32_t kFarPointer = HostCpu::kBase + 0x210;
constexpr std::uint32_t kRegisters = HostCpu::kBase + 0x220;
constexpr std::uint32_t kFlags = HostCpu::kBase + 0x240;
constexpr std::uint32_t kEntry = HostCpu::kBase + 0x244;

// Linux's selectors for user code, arch/x86/include/asm/segment.h.
constexpr std::uint16_t kCode32 = 0x23;
constexpr std::uint16_t kCode64 = 0x33;
constexpr std::uint16_t kData32 = 0x2b;

constexpr int kSignals[] = {SIGFPE, SIGSEGV, SIGILL, SIGTRAP};

volatile std::sig_atomic_t faulted = 0;

// Continues at kLeave64, the end of the bridge, in 64-bit code. Clears the direction flag.
void on_fault(int, siginfo_t*, void* context) {
    faulted = 1;
    auto& regs = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    regs[REG_RIP] = kLeave64;
    regs[REG_CSGSFS] = (regs[REG_CSGSFS] & ~0xffffLL) | kCode64;
    regs[REG_EFL] &= ~0x400LL;
}

class Assembler {
  public:
    explicit Assembler(std::uint32_t at) : at_(at) {}
    Assembler& bytes(std::initializer_list<int> values) {
        for (const int value : values)
            *reinterpret_cast<std::uint8_t*>(std::uintptr_t{at_++}) =
                static_cast<std::uint8_t>(value);
        return *this;
    }
    Assembler& dword(std::uint32_t value) {
        std::memcpy(reinterpret_cast<void*>(std::uintptr_t{at_}), &value, 4);
        at_ += 4;
        return *this;
    }
    Assembler& jump(std::uint32_t target) {
        bytes({0xe9});
        return dword(target - (at_ + 4));
    }

  private:
    std::uint32_t at_;
};

bool has_code_segment(std::uint16_t selector) {
    std::uint32_t rights = 0;
    unsigned char valid = 0;
    asm("lar %2, %0; setz %1" : "+r"(rights), "=q"(valid) : "r"(std::uint32_t{selector}) : "cc");
    return valid;
}

}  // namespace

HostCpu::HostCpu() : signal_stack_(64 * 1024) {
    if (!has_code_segment(kCode32) || !has_code_segment(kCode64)) return;
    void* const wanted = reinterpret_cast<void*>(std::uintptr_t{kBase});
    void* const got = mmap(wanted, kSize, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) return;
    available_ = true;
    write_bridge();
    stack_t stack{};
    stack.ss_sp = signal_stack_.data();
    stack.ss_size = signal_stack_.size();
    sigaltstack(&stack, &old_stack_);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int n = 0; n < 4; ++n) sigaction(kSignals[n], &action, &old_actions_[n]);
}

HostCpu::~HostCpu() {
    if (!available_) return;
    for (int n = 0; n < 4; ++n) sigaction(kSignals[n], &old_actions_[n], nullptr);
    sigaltstack(&old_stack_, nullptr);
    munmap(reinterpret_cast<void*>(std::uintptr_t{kBase}), kSize);
}

std::uint8_t* HostCpu::at(std::uint32_t address) {
    return reinterpret_cast<std::uint8_t*>(std::uintptr_t{address});
}

void HostCpu::write_bridge() {
    // push rbx, rbp, r12-r15; mov [kHostStack], rsp; jmp far [kFarPointer]
    Assembler(kEnter64)
        .bytes({0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57})
        .bytes({0x48, 0x89, 0x24, 0x25})
        .dword(kHostStack)
        .bytes({0xff, 0x2c, 0x25})
        .dword(kFarPointer);
    Assembler(kFarPointer).dword(kEnter32).bytes({kCode32, 0});
    // mov eax, data; mov ds, eax; mov es, eax; mov esp, kFlags; popfd; mov reg, [its place] for
    // each register; jmp [kEntry]
    Assembler in(kEnter32);
    in.bytes({0xb8, kData32, 0, 0, 0, 0x8e, 0xd8, 0x8e, 0xc0, 0xbc}).dword(kFlags).bytes({0x9d});
    for (std::uint32_t reg = 0; reg < 8; ++reg)
        in.bytes({0x8b, static_cast<int>(0x05 | reg << 3)}).dword(kRegisters + 4 * reg);
    in.bytes({0xff, 0x25}).dword(kEntry);
    // mov [its place], reg for each register; mov esp, kFlags + 4; pushfd; cld; jmp far kLeave64
    Assembler out(kLeave32);
    for (std::uint32_t reg = 0; reg < 8; ++reg)
        out.bytes({0x89, static_cast<int>(0x05 | reg << 3)}).dword(kRegisters + 4 * reg);
    out.bytes({0xbc}).dword(kFlags + 4).bytes({0x9c, 0xfc, 0xea}).dword(kLeave64);
    out.bytes({kCode64, 0});
    // mov rsp, [kHostStack]; pop r15-r12, rbp, rbx; ret
    Assembler(kLeave64)
        .bytes({0x48, 0x8b, 0x24, 0x25})
        .dword(kHostStack)
        .bytes({0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3});
}

HostCpu::State HostCpu::execute(std::uint32_t address, const std::vector<std::uint8_t>& bytes,
                                const State& before) {
    std::memcpy(at(address), bytes.data(), bytes.size());
    Assembler(address + static_cast<std::uint32_t>(bytes.size())).jump(kLeave32);
    std::memcpy(at(kRegisters), before.regs.r.data(), 32);
    std::memcpy(at(kFlags), &before.flags, 4);
    std::memcpy(at(kEntry), &address, 4);
    faulted = 0;
    reinterpret_cast<void (*)()>(std::uintptr_t{kEnter64})();
    State state;
    std::memcpy(state.regs.r.data(), at(kRegisters), 32);
    std::memcpy(&state.flags, at(kFlags), 4);
    state.faulted = faulted;
    return state;
}

}  // namespace symsim::test

#endif
