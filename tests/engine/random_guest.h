// SPDX-License-Identifier: MIT
// Random small guests for the comparison of the two engines. The processors read, write and
// exchange the same few lines, wait for each other, change each other's code, and end. The program
// depends on the seed and the number of processors alone.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace symsim::test {

class RandomGuest {
  public:
    static constexpr std::uint32_t kCodeBase = 0x0010'0000;

    // Whether the guest reads the performance monitor, which its machine must have.
    static bool reads_monitor(std::uint32_t seed) { return seed % 4 == 3; }

    RandomGuest(std::uint32_t seed, unsigned processors);
    const std::vector<std::uint8_t>& code() const { return code_; }

  private:
    // Registers with a fixed use: ebx address of shared data, ebp processor number, edi iterations
    // left.
    void emit(std::initializer_list<int> bytes);
    void emit32(std::uint32_t value);
    void prologue();
    void epilogue();
    void barrier();
    void item();
    void memory_item();
    void register_item();
    void locked_item();
    void waiting_item();
    void stack_item();
    void string_item();
    void code_item();
    void skip_item();
    void device_item();
    void monitor_item();

    unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
    std::uint32_t shared(unsigned size);
    std::uint32_t here() const { return kCodeBase + static_cast<std::uint32_t>(code_.size()); }

    std::mt19937 random_;
    unsigned processors_;
    bool reads_monitor_;
    unsigned barriers_ = 0;
    std::vector<std::uint8_t> code_;
    std::vector<std::uint32_t>
        patchable_;  // addresses of immediates that code_item() may overwrite
};

}  // namespace symsim::test
