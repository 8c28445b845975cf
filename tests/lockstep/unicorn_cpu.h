// SPDX-License-Identifier: MIT
// The oracle: Unicorn's 486, flat and in ring 0.
//
// One instance executes many vectors: making one takes a millisecond, a vector some 20
// microseconds, most of it translation. Unicorn keeps what it has translated and does not notice
// that we write to its memory, so the code's place is forgotten by name before each vector.
#pragma once

#include <unicorn/unicorn.h>

#include <memory>

#include "tests/lockstep/vector.h"

namespace symsim::test {

class UnicornCpu {
  public:
    UnicornCpu();
    ~UnicornCpu();

    std::uint8_t* memory() { return memory_.get(); }
    // The vector's bytes and patches are in memory already.
    Outcome execute(const Vector& vector);

  private:
    void open();
    void close();
    static void on_interrupt(uc_engine* engine, std::uint32_t number, void* self);
    static bool on_invalid(uc_engine* engine, void* self);

    struct Free {
        void operator()(std::uint8_t* p) const;
    };
    uc_engine* engine_ = nullptr;
    uc_context* fresh_ = nullptr;  // as it was when made
    std::unique_ptr<std::uint8_t[], Free> memory_;
    int vector_ = Outcome::kCompleted;
    std::uint64_t executed_ = 0;
};

}  // namespace symsim::test
