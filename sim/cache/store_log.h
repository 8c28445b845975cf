// SPDX-License-Identifier: MIT
// Notes stores that a cache makes in its own lines before commit time has reached them, so that
// they can be undone. No other cache has the line, so nobody has seen them. Implemented by UndoLog
// (sim/engine/speculation/undo_log.h), which calls StorePath::undo_store().
#pragma once

#include "sim/base/types.h"

namespace symsim {

struct Line;

class StoreLog {
  public:
    virtual ~StoreLog() = default;
    // Called before line and memory change.
    virtual void before_store(Line& line, Address address, unsigned size) = 0;
};

}  // namespace symsim
