// SPDX-License-Identifier: MIT
// The undo log of one cache: what its processor changes in it speculatively, with what was there
// before. A rollback undoes the changes.
//   uses     the times of last use of lines (UseLog)
//   stores   to own lines, undone the last one first. Only write-back and write-update caches have
//            own lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cache/store_log.h"

namespace symsim {

class UndoLog final : public StoreLog {
  public:
    // How much of the log precedes a rollback point.
    struct Mark {
        Time start = 0;
        std::size_t uses = 0, stores = 0;
    };

    explicit UndoLog(CacheController& cache) : cache_(cache), uses_(cache.cache().uses()) {
        cache.set_store_log(*this);
    }
    UndoLog(const UndoLog&) = delete;
    UndoLog& operator=(const UndoLog&) = delete;

    // Begins a window: what the processor does from `start` on can be undone, until the next call.
    Mark begin(Time start) {
        uses_.begin(start);
        stores_.clear();
        return {start, 0, 0};
    }
    // A rollback point within the window: what the processor does from `start` on can be undone
    // alone.
    Mark split(Time start) {
        uses_.go_on(start);
        return {start, uses_.size(), stores_.size()};
    }
    void roll_back(const Mark& to);
    // For a loop whose last iteration took from `begin` to `end`, and that was not executed
    // further: each line used in it, after `mark`, has been used again, the last time later by
    // `later`, which is zero or some iterations. A line whose use at the start of the window was
    // logged can be there twice.
    void repeat_uses(const Mark& mark, Time begin, Time end, Time later);

    void before_store(Line& line, Address address, unsigned size) override;

  private:
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
};

}  // namespace symsim
