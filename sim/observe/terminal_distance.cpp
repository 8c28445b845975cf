// SPDX-License-Identifier: MIT
#include "sim/observe/terminal_summary.h"
#include "sim/observe/terminal_text.h"

namespace symsim {

std::string distance_text(const RunReport& report) {
    if (!report.distance) return "";
    const DistanceReport& distance = *report.distance;
    MissCounts all;
    std::vector<MissCounts> by_node(distance.topology.nodes);
    for (std::size_t p = 0; p < distance.misses.size(); ++p)
        by_node[p / distance.topology.processors_per_node] += sum(distance.misses[p]);
    for (const MissCounts& node : by_node) all += node;
    std::string text = fmt::format("\n{:<26}{:>14}{:>12}{:>14}\n", "misses", "count", "mean time",
                                   "share of time");
    const auto line = [&](const char* label, std::uint64_t misses, Time time) {
        text += fmt::format("  {:<24}{:>14}{:>12}{:>14}\n", label, grouped(misses),
                            short_time(mean(time, misses)), percent(time, all.time));
    };
    line("near, in the own node", all.near(), all.near_time());
    line("far, over links", all.far, all.far_time);
    if (all.far == 0) return text;
    const double links = static_cast<double>(all.links) / static_cast<double>(all.far);
    return text + fmt::format("  {:.2f} links per far miss\n", links);
}

}  // namespace symsim
