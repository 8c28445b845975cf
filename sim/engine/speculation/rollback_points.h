// SPDX-License-Identifier: MIT
// Rollback points of a processor, and what they save of all that it changes speculatively: its own
// state and the marks it has passed (SavedProcessor), and what it has changed in its cache
// (UndoLog). The literature calls a rollback point a checkpoint.
//
// save() saves the state as rollback point `number`. Number 0 begins a window: all earlier points
// are discarded. restore() undoes all that has been done since rollback point `number`, which
// remains.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/cache/access.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"

namespace symsim {

// So many rollback points are kept, the last ones. A window has at most three that can still be
// restored: at its beginning, after a wait in it, and after a store posted speculatively.
constexpr std::size_t kKeptPoints = 4;

// The undo log of one cache: what its processor changes in it speculatively, with what was there
// before. A rollback undoes the changes.
//   uses     the times of last use of lines (UseLog)
//   stores   to own lines, undone the last one first. Only write-back and write-update caches have
//            own lines.
class UndoLog final : public StoreLog {
  public:
    explicit UndoLog(CacheController& cache) : cache_(cache), uses_(cache.cache().uses()) {
        cache.set_store_log(*this);
    }
    UndoLog(const UndoLog&) = delete;
    UndoLog& operator=(const UndoLog&) = delete;

    // What the processor does from `start` on can then be undone alone.
    void save(std::size_t number, Time start) {
        if (number == 0) {
            uses_.begin(start);
            stores_.clear();
        } else {
            uses_.continue_from(start);
        }
        points_[number % kKeptPoints] = {start, uses_.size(), stores_.size()};
    }
    void restore(std::size_t number);
    Time start(std::size_t number) const { return points_[number % kKeptPoints].start; }
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
    std::array<Point, kKeptPoints> points_;
};

// The processor's own state at each rollback point: its Context, the 80387, how far the instruction
// under way has come, and the marks (changes of activity, probe points) that it had passed and that
// observers had not been notified of, since a rollback may undo them.
class SavedProcessor {
  public:
    explicit SavedProcessor(Processor& processor) : processor_(processor) {}

    void save(std::size_t number) {
        Point& saved = points_[number % kKeptPoints];
        saved.marks = processor_.marks().size();
        const Context& context = processor_.context();
        saved.context = context;
        if (context.accesses > 0 || context.latched ||
            saved.fpu_version != processor_.fpu_version())
            save_more(saved);
    }
    void restore(std::size_t number);
    const Context& context(std::size_t number) const {
        return points_[number % kKeptPoints].context;
    }

  private:
    struct alignas(64) Point {
        std::uint64_t fpu_version = 0;
        std::size_t marks = 0;  // number of them
        Context context;
        Fpu fpu;
        Processor::AccessLog log{};
        Op latched;
    };
    void save_more(Point& saved);

    Processor& processor_;
    std::array<Point, kKeptPoints> points_;
};

// The rollback points of one processor's window, in order of time. They save all that the processor
// changes speculatively. Commit time makes them the window's beginning, one after the other.
class RollbackPoints {
  public:
    RollbackPoints(Processor& processor, CacheController& cache, Observer& observer)
        : processor_(processor), observer_(observer), undo_log_(cache), saved_(processor) {}

    // Begins a window at `start`, with a rollback point there. There are no earlier ones any more.
    void begin_window(Time start) {
        first_ = 0;
        end_ = 1;
        save_as(0, start, start);
    }
    // Saves a rollback point: what the processor does from `start` on can be rolled back alone.
    // When commit time has reached `reached`, all that the processor did before is committed.
    void save(Time start, Time reached) {
        if (end_ - first_ == kKeptPoints) no_place(start);
        save_as(end_++, start, reached);
    }
    // The window now begins at the last rollback point that commit time `at` has reached.
    void commit_up_to(Time at) {
        while (first_ + 1 < end_ && reached_[(first_ + 1) % kKeptPoints] <= at) ++first_;
    }
    // All that the processor has done is committed, and observers are notified of it.
    void commit() {
        if (!processor_.marks().empty()) report_marks();
    }
    // Rolls back to the beginning of the window.
    void restore() {
        undo_log_.restore(first_);
        saved_.restore(first_);
    }

    // The beginning of the window.
    Time start() const { return undo_log_.start(first_); }
    const Context& context() const { return saved_.context(first_); }
    // Whether `test` is true of the Context at a rollback point.
    template <class Test>
    bool any(Test&& test) const {
        for (std::size_t n = first_; n < end_; ++n)
            if (test(saved_.context(n))) return true;
        return false;
    }
    std::size_t first() const { return first_; }
    std::size_t last() const { return end_ - 1; }

    // The loop in which the processor slept has used its lines again (UndoLog::repeat_uses).
    void repeat_uses(Time begin, Time end, Time later) {
        undo_log_.repeat_uses(first_, begin, end, later);
    }

  private:
    [[noreturn]] void no_place(Time start) const;
    [[gnu::noinline]] void report_marks() {
        observer_.passed(processor_.id(), processor_.marks());
        processor_.marks().clear();
    }
    // Inline, so that the compiler knows the number at the beginning of a window.
    [[gnu::always_inline]] void save_as(std::size_t number, Time start, Time reached) {
        reached_[number % kKeptPoints] = reached;
        undo_log_.save(number, start);
        saved_.save(number);
    }

    Processor& processor_;
    Observer& observer_;
    std::size_t first_ = 0, end_ = 0;  // the window's rollback points are first_ to end_ - 1
    std::array<Time, kKeptPoints> reached_{};
    UndoLog undo_log_;
    SavedProcessor saved_;
};

}  // namespace symsim
