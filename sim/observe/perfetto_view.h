// SPDX-License-Identifier: MIT
// What the parts of the Perfetto trace share: the file, the trace window (observe.window), and the
// interned names of activities and states.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "sim/base/activity.h"
#include "sim/base/processor_state.h"
#include "sim/base/types.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/window.h"

namespace symsim {

// A processor's track has its number as rank; the machine's other tracks come after them.
constexpr unsigned kRankAfterProcessors = (kMaxProcessors / 100 + 1) * 100;

struct PerfettoView {
    explicit PerfettoView(const std::filesystem::path& path) : file(path) {
        using perfetto::Table;
        machine = file.add_track({0, "machine"});
        for (std::size_t a = 0; a < kActivities; ++a) {
            activity_names[a] = file.intern(Table::names, kActivityNames[a]);
            activity_categories[a] = file.intern(Table::categories, kActivityNames[a]);
        }
        for (std::size_t s = 0; s < kProcessorStates; ++s)
            state_names[s] = file.intern(Table::names, kProcessorStateNames[s]);
    }

    // Writes the part of a slice that is within the window. A slice of zero length is shown whole
    // or not at all. `begin` is the begin event, complete except for its time.
    void slice(perfetto::Event& begin, Time from, Time to, perfetto::Track track) {
        if (!shows(from, to)) return;
        file.slice(begin, std::max(from, window.from), std::min(to, window.to), track);
    }
    bool shows(Time from, Time to) const {
        return from == to ? window.contains(from)
                          : std::max(from, window.from) < std::min(to, window.to);
    }

    PerfettoFile file;
    Window window{kNever, kNever};  // until begin(): nothing is shown
    perfetto::Track machine = 0;    // the parent of all tracks
    std::array<perfetto::Name, kActivities> activity_names{};
    std::array<perfetto::Name, kActivities> activity_categories{};
    std::array<perfetto::Name, kProcessorStates> state_names{};
};

}  // namespace symsim
