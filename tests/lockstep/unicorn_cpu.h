// SPDX-License-Identifier: MIT
// The oracle: Unicorn's 486 or 686, flat and in ring 0.
//
// One instance executes many vectors: creating an instance takes a millisecond, a vector some 20
// microseconds, most of it translation. Unicorn caches translated code and does not notice that we
// write to its memory. So execute() removes the code's address range from that cache.
#pragma once

#include <unicorn/unicorn.h>

#include <memory>

#include "tests/lockstep/world.h"

namespace symsim::test {

class UnicornCpu {
  public:
    explicit UnicornCpu(Isa isa);
    ~UnicornCpu();
    UnicornCpu(const UnicornCpu&) = delete;
    UnicornCpu& operator=(const UnicornCpu&) = delete;

    std::uint8_t* memory() { return memory_.get(); }
    // Executes start-up code up to its hlt. Every vector starts from the state it leaves.
    void boot(std::uint32_t eip);
    // The vector's bytes and patches are in memory already.
    Outcome execute(const Start& start);
    // The exceptions that floating-point arithmetic has raised in the vector, as bits of the
    // coprocessor's status word. The status word itself does not show them (QEMU 5).
    std::uint8_t float_exceptions();

  private:
    static void on_interrupt(uc_engine* engine, std::uint32_t number, void* self);
    static bool on_invalid(uc_engine* engine, void* self);
    void find_error_code();
    void find_float_exceptions();
    void read_selectors(Outcome& outcome);
    std::uint32_t dword_of_state(std::size_t at);

    struct Free {
        void operator()(std::uint8_t* p) const;
    };
    uc_engine* engine_ = nullptr;
    uc_context* fresh_ = nullptr;    // the state from which each vector starts
    uc_context* unpaged_ = nullptr;  // the initial state, without paging
    uc_context* after_ = nullptr;
    std::unique_ptr<std::uint8_t[], Free> memory_;
    std::size_t error_code_at_ = 0;  // offsets in a saved state
    std::size_t float_exceptions_at_ = 0;
    int vector_ = Outcome::kCompleted;
};

}  // namespace symsim::test
