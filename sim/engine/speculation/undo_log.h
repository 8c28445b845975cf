// SPDX-License-Identifier: MIT
// The undo log of one cache: what its processor changes in it speculatively, with what was there
// before. A rollback undoes the changes.
//   uses     the times of last use of lines (UseLog)
//   stores   to own lines, undone the last one first. Only write-back and write-update caches have
//            own lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cache/hooks.h"
#include "sim/engine/speculation/speculative_state.h"

namespace symsim {

class UndoLog final : public StoreLog, public SpeculativeState {
  public:
    explicit UndoLog(CacheController& cache) : cache_(cache), uses_(cache.cache().uses()) {
        cache.set_store_log(*this);
    }
    UndoLog(const UndoLog&) = delete;
    UndoLog& operator=(const UndoLog&) = delete;

    void save(std::size_t number, Time start) override {
        if (number == 0) {
            uses_.begin(start);
            stores_.clear();
        } else {
            uses_.continue_from(start);
        }
        points_[number % kKept] = {start, uses_.size(), stores_.size()};
    }
    void restore(std::size_t number) override;
    Time start(std::size_t number) const { return points_[number % kKept].start; }
    // For a loop whose last iteration took from `begin` to `end`, and that was not executed
    // further: each line used in it, after rollback point `number`, has been used again, the last
    // time later by `later`, which is zero or some iterations.
    void repeat_uses(std::size_t number, Time begin, Time end, Time later);

    void before_store(Line& line, Address address, unsigned size) override;

  private:
    // How much of the logs precedes a rollback point.
    struct Point {
        Time start = 0;
        std::size_t uses = 0, stores = 0;
    };
    struct Store {
        Line* line;
        LineState state;
        Address address;
        unsigned size;
        std::uint32_t before;
    };

    CacheController& cache_;
    UseLog& uses_;
    std::vector<Store> stores_;
    std::array<Point, kKept> points_;
};

}  // namespace symsim
