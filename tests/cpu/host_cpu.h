// SPDX-License-Identifier: MIT
// Executes single 32-bit instructions on the host, in a 32-bit code segment of the 64-bit test
// process (Linux on x86-64 keeps one for 32-bit programs).
#pragma once

#if defined(__x86_64__) && defined(__linux__)

#include <csignal>
#include <cstdint>
#include <vector>

#include "sim/cpu/state/registers.h"

namespace symsim::test {

class HostCpu {
  public:
    // Memory that the process and the 32-bit segment see at the same addresses.
    static constexpr std::uint32_t kBase = 0x200000;
    static constexpr std::uint32_t kSize = 0x10000;

    HostCpu();
    ~HostCpu();
    HostCpu(const HostCpu&) = delete;
    HostCpu& operator=(const HostCpu&) = delete;

    // False if this host has no 32-bit segments, or if the address range is already in use.
    bool available() const { return available_; }
    std::uint8_t* at(std::uint32_t address);

    struct State {
        Registers regs;
        std::uint32_t flags = 2;
        bool faulted = false;  // the instruction raised an exception; the others are then undefined
    };
    // Copies the bytes to `address` and executes them there.
    State execute(std::uint32_t address, const std::vector<std::uint8_t>& bytes,
                  const State& before);

  private:
    void write_bridge();

    bool available_ = false;
    std::vector<std::uint8_t> signal_stack_;
    stack_t old_stack_{};
    struct sigaction old_actions_[4] = {};
};

}  // namespace symsim::test

#endif
