// SPDX-License-Identifier: MIT
#include "sim/observe/distance_meter.h"

#include <string>
#include <utility>

#include "sim/observe/numbers.h"

namespace symsim {

namespace {
ResourceTable links_of(const ResourceTable& resources) {
    ResourceTable links;
    for (const NamedResource& resource : resources)
        if (resource.kind == NamedResource::Kind::link) links.push_back(resource);
    return links;
}
}  // namespace

// With as many intervals at most as bus.csv has at one time, so that both have the same.
DistanceMeter::DistanceMeter(unsigned processors, Time interval, const Topology& topology,
                             const ResourceTable& resources)
    : topology_(topology),
      table_(links_of(resources)),
      first_link_(static_cast<unsigned>(resources.size() - table_.size())),
      links_(processors, interval, static_cast<unsigned>(table_.size()),
             kMaxIntervals / resources.size() * table_.size()),
      misses_(processors, topology),
      handoffs_(processors, topology) {}

void DistanceMeter::close(Time end) {
    links_.close(end);
    check_bus(links_.totals(), links_.intervals(), end);
    misses_.close();
    handoffs_.close();
}

DistanceReport DistanceMeter::report(const SymbolOf& symbol_of) const {
    DistanceReport report{
        topology_,      table_, links_.interval(), links_.intervals(), misses_.processors(),
        misses_.pages()};
    // What has no symbol is described by its address.
    for (PageMisses& page : report.pages) {
        std::string symbol = symbol_of ? symbol_of(page.page) : std::string();
        if (symbol != hex_text(page.page)) page.symbol = std::move(symbol);
    }
    return report;
}

}  // namespace symsim
