// SPDX-License-Identifier: MIT
// Random guests like RandomGuest, with what an operating system does: segment and page tables,
// rings, gates, tasks, exceptions that handlers skip or repair, interrupts, and the 80387. They are
// text for an assembler. The program depends on the seed and the number of processors alone.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace symsim::test {

class RandomSystemGuest {
  public:
    static constexpr std::uint32_t kCodeBase = 0x0010'0000;

    RandomSystemGuest(std::uint32_t seed, unsigned processors);
    // One program for all processors, entered at its first byte.
    const std::string& source() const { return source_; }

  private:
    // Registers with a fixed use: ebx address of shared data, ebp processor number, edi iterations
    // left, ecx where to continue after a fault that is skipped.
    void prologue();
    void epilogue();
    void barrier();
    void item();
    void user_item();
    void memory_item();
    void locked_item();
    void waiting_item();
    void string_item();
    void code_item();
    void stack_item();
    void float_item();
    void segment_item();
    void alias_item();
    void unmap_item();
    void software_item();
    void fault_item();
    void privileged_item();
    void ring_3_item();
    void gate_item();
    void task_item();
    void narrow_item();
    void interrupt_item();
    void message_item();
    void monitor_item(unsigned number);

    template <class... Values>
    void emit(const char* text, const Values&... values);
    // Emits an instruction that may fault; the fault handler then skips it.
    void skippable(const std::string& instruction);
    std::string label() { return "l" + std::to_string(labels_++); }
    // A random address in shared data, as an operand.
    std::string shared(unsigned size);
    std::string accumulator() { return pick(2) ? "eax" : "edx"; }
    unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }

    std::mt19937 random_;
    unsigned processors_;
    bool paging_;
    bool timers_;
    unsigned barriers_ = 0;
    unsigned labels_ = 0;
    unsigned patchable_ = 0;
    std::string source_;
};

}  // namespace symsim::test
