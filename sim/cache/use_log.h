// SPDX-License-Identifier: MIT
// The first use of each line since a time, with the time of the line's last use before. The cache
// adds the uses. An engine that may have to restore the earlier times reads them.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/time.h"

namespace symsim {

struct Line;

class UseLog {
  public:
    struct Use {
        Line* line = nullptr;
        Time before = 0;
    };

    // Begins an empty log of uses later than `since`.
    void begin(Time since) {
        next_ = uses_.data();
        since_ = since;
    }
    // From now on a use later than `since` is a first use again.
    void continue_from(Time since) { since_ = since; }
    // Shortens the log to its first `size` uses. It is then of uses later than `since`.
    void cut(std::size_t size, Time since) {
        next_ = uses_.data() + size;
        since_ = since;
    }
    std::size_t size() const { return static_cast<std::size_t>(next_ - uses_.data()); }
    const Use& operator[](std::size_t number) const { return uses_[number]; }

    // For the cache: a line that was last used at `used` is about to be used again. Adds that use
    // if it is a first use. Returns false and does nothing if there is no room.
    bool add(Line* line, Time used) {
        if (used > since_) return true;
        if (next_ == end_) return false;
        *next_++ = {line, used};
        return true;
    }
    // Afterwards add() has room.
    void make_room() {
        if (next_ == end_) grow();
    }

  private:
    void grow();

    std::vector<Use> uses_;  // up to `next_`
    Use* next_ = nullptr;
    Use* end_ = nullptr;
    Time since_ = -1;  // -1: nothing is logged, since no use is that early
};

}  // namespace symsim
