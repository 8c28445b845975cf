// SPDX-License-Identifier: MIT
// One kind of state that a processor changes speculatively. RollbackPoints saves, restores and
// commits all kinds together: the processor's own state (SavedProcessor), the marks it has passed
// (PendingMarks), and what it has changed in its cache (UndoLog). The literature calls a rollback
// point a checkpoint.
#pragma once

#include <cstddef>

#include "sim/base/time.h"

namespace symsim {

class SpeculativeState {
  public:
    // So many rollback points are kept, the last ones. A window has at most three that can still be
    // restored: at its beginning, after a wait in it, and after a store posted speculatively.
    static constexpr std::size_t kKept = 4;

    virtual ~SpeculativeState() = default;
    // Saves the state as rollback point `number`. What the processor does from `start` on can then
    // be undone alone. Number 0 begins a window: all earlier points are discarded.
    virtual void save(std::size_t number, Time start) = 0;
    // Undoes all that has been done since rollback point `number`, which remains.
    virtual void restore(std::size_t number) = 0;
    // All that has been done is committed: it will not be undone, and is reported to observers.
    virtual void commit() {}
};

}  // namespace symsim
