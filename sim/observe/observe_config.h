// SPDX-License-Identifier: MIT
// The keys of [observe]: what a run writes beside its results; and the part of the run that traces
// show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/probe_point.h"
#include "sim/base/time.h"

namespace symsim {

// The trace window: which part of the run the traces show. The config sets it with observe.window,
// and it is the same for all traces. It has nothing to do with the speculation window of a
// processor.
//
// A bus use is shown whole if the bus granted it within the window. States, activities, waits and
// holds of locks, and threads are cut at the borders of the window, so that sums over a window are
// exact.
//
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

// [observe.window]
struct ObserveWindowConfig {
    double from_us = 0.0;
    double to_us = 0.0;  // 0: the end of the run
    std::optional<ProbeKind> around;
    std::string around_value;  // empty: any
    double around_us = 1000.0;
    double last_ms = 0.0;  // 0: not asked for
};

// "none" and each kind of kProbePoints.
inline std::vector<std::pair<std::string, std::optional<ProbeKind>>> named_probes() {
    std::vector<std::pair<std::string, std::optional<ProbeKind>>> named{{"none", std::nullopt}};
    for (const ProbePoint& point : kProbePoints) named.emplace_back(point.name, point.kind);
    return named;
}

template <class Visit>
void for_each_field(ObserveWindowConfig& window, Visit&& visit) {
    visit("from_us", "us", window.from_us, fits::Numbers{0.0, 9e9},
          "Simulated time at which traces begin.");
    visit("to_us", "us", window.to_us, fits::Numbers{0.0, 9e9},
          "Simulated time at which traces end; 0: the end of the run.");
    visit("around", "", window.around, fits::OneOf<std::optional<ProbeKind>>{named_probes()},
          "Instead of fixed times: traces show the run around the first probe point of this kind.");
    visit("around_value", "", window.around_value, fits::Text{},
          "Operand of that probe point: a symbol of the guest or a number; empty: any.");
    visit("around_us", "us", window.around_us, fits::Numbers{0.001, 1e9},
          "Time that traces show before and after that probe point.");
    visit("last_ms", "ms", window.last_ms, fits::Numbers{0.0, 9e6},
          "Instead of fixed times: traces show this long before the end of the run, for example "
          "before a failure; 0: off.");
}

struct ObserveConfig {
    double interval_us = 100.0;
    bool vcd = false;
    double profile_us = 0.0;
    bool transactions = false;
    std::uint32_t transactions_limit_mb = 4096;
    bool perfetto = false;
    std::uint32_t perfetto_limit_mb = 300;
    ObserveWindowConfig window;

    Time interval() const { return nearest_tick(interval_us * kMicrosecond); }
    Time profile_period() const { return nearest_tick(profile_us * kMicrosecond); }  // 0: none
};

template <class Visit>
void for_each_field(ObserveConfig& observe, Visit&& visit) {
    visit("interval_us", "us", observe.interval_us, fits::Numbers{0.1, 1e9},
          "Length of the intervals of bus.csv.");
    visit("vcd", "", observe.vcd, fits::Flag{},
          "Whether to write every bus transaction to trace.vcd.");
    visit("profile_us", "us", observe.profile_us, fits::Numbers{0.0, 1e9},
          "Time between two samples of every processor in profile.folded; 0: no samples.");
    visit("transactions", "", observe.transactions, fits::Flag{},
          "Whether to write every use of the bus, mark and state to bus.log.zst.");
    visit("transactions_limit_mb", "MB", observe.transactions_limit_mb, fits::Integers{1, 1048576},
          "Size of the records, before compression, at which bus.log.zst stops.");
    visit("perfetto", "", observe.perfetto, fits::Flag{},
          "Whether to write processors, threads, locks, bus and interrupts to trace.pftrace.");
    visit("perfetto_limit_mb", "MB", observe.perfetto_limit_mb, fits::Integers{4, 1048576},
          "Size at which trace.pftrace ends, in 2^20 bytes.");
}

}  // namespace symsim
