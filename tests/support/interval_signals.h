// SPDX-License-Identifier: MIT
// While an object of this class lives, a signal interrupts the process again and again. Its handler
// does nothing, and no call of the host is resumed by itself after it (no SA_RESTART).
#pragma once

#include <sys/time.h>

#include <csignal>

namespace symsim::test {

class IntervalSignals {
  public:
    explicit IntervalSignals(suseconds_t period_us) {
        struct sigaction action {};
        action.sa_handler = [](int) { ++count; };
        sigaction(SIGALRM, &action, &before_);
        count = 0;
        const itimerval timer = {{0, period_us}, {0, period_us}};
        setitimer(ITIMER_REAL, &timer, nullptr);
    }
    ~IntervalSignals() {
        const itimerval off = {};
        setitimer(ITIMER_REAL, &off, nullptr);
        sigaction(SIGALRM, &before_, nullptr);
    }
    IntervalSignals(const IntervalSignals&) = delete;
    IntervalSignals& operator=(const IntervalSignals&) = delete;
    int seen() const { return count; }

  private:
    static inline volatile std::sig_atomic_t count = 0;
    struct sigaction before_ {};
};

}  // namespace symsim::test
