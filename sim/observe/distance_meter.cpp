// SPDX-License-Identifier: MIT
#include "sim/observe/distance_meter.h"

#include <utility>

#include "sim/base/failure.h"
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

MissCounts& MissCounts::operator+=(const MissCounts& other) {
    misses += other.misses;
    far += other.far;
    time += other.time;
    far_time += other.far_time;
    links += other.links;
    return *this;
}

MissCounts sum(const ProcessorMisses& misses) {
    MissCounts all;
    for (const auto& by_supplier : misses)
        for (const MissCounts& counts : by_supplier) all += counts;
    return all;
}

std::vector<MissCounts> DistanceReport::misses_by_node() const {
    std::vector<MissCounts> nodes(topology.nodes);
    for (std::size_t p = 0; p < misses.size(); ++p)
        nodes[p / topology.processors_per_node] += sum(misses[p]);
    return nodes;
}

// With as many intervals at most as bus.csv has at one time, so that both have the same.
DistanceMeter::DistanceMeter(unsigned processors, Time interval, const Topology& topology,
                             const ResourceTable& resources)
    : topology_(topology),
      table_(links_of(resources)),
      first_link_(static_cast<unsigned>(resources.size() - table_.size())),
      links_(processors, interval, static_cast<unsigned>(table_.size()),
             kMaxIntervals / resources.size() * table_.size()),
      misses_(processors) {}

void DistanceMeter::missed(const Miss& miss) {
    if (miss.processor >= misses_.size() || miss.home >= topology_.nodes ||
        miss.posted > miss.arrived)
        impossible("processor {} misses a line of node {} from {} ps to {} ps", miss.processor,
                   miss.home, miss.posted, miss.arrived);
    const Time time = miss.arrived - miss.posted;
    const bool far = miss.links > 0;
    misses_[miss.processor][index(miss.activity)][index(miss.supplier)] +=
        MissCounts{1, far, time, far ? time : 0, miss.links};
    PageMisses& page = pages_[miss.line - miss.line % kMissPageBytes];
    page.home = miss.home;
    page.by_node.resize(topology_.nodes);
    ++page.by_node[miss.processor / topology_.processors_per_node];
}

// An acquisition without a release before it, such as the first one, is not a handoff.
void DistanceMeter::passed(ProcessorId processor, const Mark& mark) {
    if (mark.what != Mark::What::probe) return;
    if (mark.probe == ProbeKind::lock_release) released_by_[mark.value] = processor;
    if (mark.probe != ProbeKind::lock_acquired) return;
    const auto released = released_by_.find(mark.value);
    if (released == released_by_.end()) return;
    const ProcessorId from = released->second;
    released_by_.erase(released);
    const unsigned links = topology_.links(from, processor);
    Handoffs& handoffs = handoffs_[{mark.value, processor}];
    ++handoffs.count;
    handoffs.links += links;
    if (from == processor)
        ++handoffs.own_processor;
    else if (links == 0)
        ++handoffs.own_node;
}

void DistanceMeter::close(Time end) {
    links_.close(end);
    check_bus(links_.totals(), links_.intervals(), end);
    std::uint64_t by_processor = 0, by_page = 0;
    for (const ProcessorMisses& misses : misses_) by_processor += sum(misses).misses;
    for (const auto& [address, page] : pages_) by_page += sum(page.by_node);
    if (by_processor != by_page)
        impossible("processors missed {} lines, but {} by page", by_processor, by_page);
}

DistanceReport DistanceMeter::report(const SymbolOf& symbol_of) const {
    DistanceReport report{topology_, table_, links_.interval(), links_.intervals(), misses_};
    for (const auto& [address, misses] : pages_) {
        PageMisses& page = report.pages.emplace_back(misses);
        page.page = address;
        // What has no symbol is described by its address.
        std::string symbol = symbol_of ? symbol_of(address) : std::string();
        if (symbol != hex_text(address)) page.symbol = std::move(symbol);
    }
    return report;
}

}  // namespace symsim
