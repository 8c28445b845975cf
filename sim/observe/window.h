// SPDX-License-Identifier: MIT
// The trace window: which part of the run the traces show. The config sets it with observe.window,
// and it is the same for all traces. It has nothing to do with the speculation window of a
// processor.
//
// A bus use is shown whole if the bus granted it within the window. States, activities, waits and
// holds of locks, and threads are cut at the borders of the window, so that sums over a window are
// exact.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/observer.h"
#include "sim/base/time.h"

namespace symsim {

// The times from `from` on, before `to`.
struct Window {
    Time from = 0;
    Time to = kNever;

    bool contains(Time at) const { return at >= from && at < to; }
};

// A window around the first probe point of a kind.
struct WindowAround {
    ProbeKind kind = ProbeKind::message;
    std::optional<std::uint32_t> value;  // the operand that the probe point must have; absent: any
    Time span = 0;                       // length of the window before, and after, the probe point
};

// The window that the config requests. It is either known from the start or looks back: a window
// that looks back is known only after it began, so past events must be kept for it.
struct WindowConfig {
    Window fixed;  // the window, unless it looks back
    std::optional<WindowAround> around;
    Time last = 0;  // the window is the last part of the run, this long; 0: not requested

    bool looks_back() const { return around || last > 0; }
};

}  // namespace symsim
