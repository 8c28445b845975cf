// SPDX-License-Identifier: MIT
// The processor's own state at each rollback point: its Context, the 80387, and how far the
// instruction under way has come.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cpu/core/processor.h"
#include "sim/engine/speculation/speculative_state.h"

namespace symsim {

class SavedProcessor final : public SpeculativeState {
  public:
    explicit SavedProcessor(Processor& processor) : processor_(processor) {}

    void save(std::size_t number, Time) override {
        Point& saved = points_[number % kKept];
        const Context& context = processor_.context();
        saved.context = context;
        if (context.accesses > 0 || context.latched ||
            saved.fpu_version != processor_.fpu_version())
            save_more(saved);
    }
    void restore(std::size_t number) override;
    const Context& context(std::size_t number) const { return points_[number % kKept].context; }

  private:
    struct alignas(64) Point {
        std::uint64_t fpu_version = 0;
        Context context;
        Fpu fpu;
        Processor::AccessLog log{};
        Op latched;
    };
    void save_more(Point& saved);

    Processor& processor_;
    std::array<Point, kKept> points_;
};

}  // namespace symsim
