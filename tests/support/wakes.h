// SPDX-License-Identifier: MIT
// The waits of a processor that a test drives itself: reported at once, and when it may ask again.
#pragma once

#include "sim/engine/engine.h"

namespace symsim::test {

class Wakes final : public InOrderWaiter {
  public:
    // `at` gets the time at which the processor may ask again.
    Wakes(ProcessorId id, Observer& observer, Time& at) : InOrderWaiter(id, observer), at_(at) {}
    void wake(Time at) override { at_ = at; }

  private:
    Time& at_;
};

}  // namespace symsim::test
