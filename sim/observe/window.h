// SPDX-License-Identifier: MIT
// Which part of a run its traces show: observe.window, decided once and for all traces alike.
//
// A use of the bus belongs to the window it is granted in, and is shown whole; what lasts (states,
// activities, locks, threads) is cut at the window's borders, so that sums over a window are exact.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/time.h"
#include "sim/events/observer.h"

namespace symsim {

// From `from` on, before `to`.
struct Window {
    Time from = 0;
    Time to = kNever;

    bool contains(Time at) const { return at >= from && at < to; }
};

// Around the first event of a kind.
struct WindowAround {
    ProbeKind kind = ProbeKind::message;
    std::optional<std::uint32_t> value;  // of the probe's operand; nothing: any
    Time span = 0;                       // before it, and behind it
};

// What the config asks for: a window that is known from the start, or one that is only known when
// it has begun long ago, for which the events of the past are kept.
struct WindowConfig {
    Window fixed;  // one that looks back begins no earlier
    std::optional<WindowAround> around;
    Time last = 0;  // before the end of the run; 0: not asked for

    bool looks_back() const { return around || last > 0; }
};

}  // namespace symsim
