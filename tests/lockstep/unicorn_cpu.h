// SPDX-License-Identifier: MIT
// The oracle: Unicorn's 486, flat and in ring 0.
//
// One instance executes many vectors: making one takes a millisecond, a vector some 20
// microseconds, most of it translation. Unicorn keeps what it has translated and does not notice
// that we write to its memory, so the code's place is forgotten by name before each vector.
#pragma once

#include <unicorn/unicorn.h>

#include <memory>

#include "tests/lockstep/world.h"

namespace symsim::test {

class UnicornCpu {
  public:
    UnicornCpu();
    ~UnicornCpu();
    UnicornCpu(const UnicornCpu&) = delete;
    UnicornCpu& operator=(const UnicornCpu&) = delete;

    std::uint8_t* memory() { return memory_.get(); }
    // Executes start-up code up to its hlt. From what it leaves every vector starts.
    void boot(std::uint32_t eip);
    // The vector's bytes and patches are in memory already.
    Outcome execute(const Start& start);
    // What arithmetic has raised since then, as bits of the coprocessor's status word. That it
    // itself does not tell (QEMU 5).
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
    uc_context* fresh_ = nullptr;    // what each vector starts from
    uc_context* unpaged_ = nullptr;  // as it was made
    uc_context* after_ = nullptr;
    std::unique_ptr<std::uint8_t[], Free> memory_;
    std::size_t error_code_at_ = 0;  // in a saved state
    std::size_t float_exceptions_at_ = 0;
    int vector_ = Outcome::kCompleted;
};

}  // namespace symsim::test
