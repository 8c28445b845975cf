// SPDX-License-Identifier: MIT
// Rollback points of a processor, and the state that they save.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/cpu/core/processor.h"
#include "sim/engine/speculation/speculative_state.h"
#include "sim/engine/speculation/undo_log.h"

namespace symsim {

// The processor's own state at each rollback point: its Context, the 80387, and how far the
// instruction under way has come.
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

// The marks (changes of activity, probe points) that a processor has passed, and that observers
// have not been notified of, since a rollback may still undo them.
class PendingMarks final : public SpeculativeState {
  public:
    PendingMarks(Processor& processor, Observer& observer)
        : processor_(processor), observer_(observer) {}

    void save(std::size_t number, Time) override {
        made_before_[number % kKept] = processor_.marks().size();
    }
    void restore(std::size_t number) override {
        processor_.marks().resize(made_before_[number % kKept]);
    }
    void commit() override {
        if (!processor_.marks().empty()) report();
    }
    ProcessorId processor() const { return processor_.id(); }
    bool none() const { return processor_.marks().empty(); }

  private:
    [[gnu::noinline]] void report() {
        observer_.passed(processor_.id(), processor_.marks());
        processor_.marks().clear();
    }

    Processor& processor_;
    Observer& observer_;
    std::array<std::size_t, kKept> made_before_{};
};

// The rollback points of one processor's window, in order of time. They save all that the processor
// changes speculatively. Commit time makes them the window's beginning, one after the other.
class RollbackPoints {
  public:
    RollbackPoints(Processor& processor, CacheController& cache, Observer& observer)
        : undo_log_(cache), marks_(processor, observer), processor_(processor) {}

    // Begins a window at `start`, with a rollback point there. There are no earlier ones any more.
    void begin_window(Time start) {
        first_ = 0;
        end_ = 1;
        save_as(0, start, start);
    }
    // Saves a rollback point: what the processor does from `start` on can be rolled back alone.
    // When commit time has reached `reached`, all that the processor did before is committed.
    void save(Time start, Time reached) {
        if (end_ - first_ == SpeculativeState::kKept) no_place(start);
        save_as(end_++, start, reached);
    }
    // The window now begins at the last rollback point that commit time `at` has reached.
    void commit_up_to(Time at) {
        while (first_ + 1 < end_ && reached_[(first_ + 1) % SpeculativeState::kKept] <= at)
            ++first_;
    }
    // All that the processor has done is committed, and observers are notified of it.
    void commit() {
        undo_log_.commit();
        marks_.commit();
        processor_.commit();
    }
    // Rolls back to the beginning of the window.
    void restore() {
        undo_log_.restore(first_);
        marks_.restore(first_);
        processor_.restore(first_);
    }

    // The beginning of the window.
    Time start() const { return undo_log_.start(first_); }
    const Context& context() const { return processor_.context(first_); }
    // Whether `test` is true of the Context at a rollback point.
    template <class Test>
    bool any(Test&& test) const {
        for (std::size_t n = first_; n < end_; ++n)
            if (test(processor_.context(n))) return true;
        return false;
    }
    std::size_t first() const { return first_; }
    std::size_t last() const { return end_ - 1; }

    const PendingMarks& marks() const { return marks_; }
    // The loop in which the processor slept has used its lines again (UndoLog::repeat_uses).
    void repeat_uses(Time begin, Time end, Time later) {
        undo_log_.repeat_uses(first_, begin, end, later);
    }

  private:
    [[noreturn]] void no_place(Time start) const;
    // Inline, so that the compiler knows the number at the beginning of a window.
    [[gnu::always_inline]] void save_as(std::size_t number, Time start, Time reached) {
        reached_[number % SpeculativeState::kKept] = reached;
        undo_log_.save(number, start);
        marks_.save(number, start);
        processor_.save(number, start);
    }

    std::size_t first_ = 0, end_ = 0;  // the window's rollback points are first_ to end_ - 1
    std::array<Time, SpeculativeState::kKept> reached_{};
    UndoLog undo_log_;
    PendingMarks marks_;
    SavedProcessor processor_;
};

}  // namespace symsim
