// SPDX-License-Identifier: MIT
// Measures the misses of processors on a machine of nodes: how many there were, how long they took
// and how many links their messages took, by processor, activity and supplier of the line; and how
// often each node missed lines of each page. The numbers come from Observer::missed.
//
// A miss is near if its messages took no link, else far. A miss of a line that the own node has is
// far too if other nodes have to give up their copies first.
//
// A page is one of the 386, whatever nodes.page_bytes is. Only pages of which a line was missed are
// kept, at 8 bytes for each node.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"

namespace symsim {

constexpr std::uint32_t kMissPageBytes = 4096;

struct MissCounts {
    std::uint64_t misses = 0;
    std::uint64_t far = 0;  // of misses
    Time time = 0;          // from posting the requests until the lines were there: sum
    Time far_time = 0;      // of time: of far misses
    std::uint64_t links = 0;

    std::uint64_t near() const { return misses - far; }
    Time near_time() const { return time - far_time; }
    MissCounts& operator+=(const MissCounts& other);
};

// The misses of one processor.
using ProcessorMisses = std::array<std::array<MissCounts, kSuppliers>, kActivities>;
MissCounts sum(const ProcessorMisses& misses);

struct PageMisses {
    Address page = 0;
    std::string symbol = {};  // at its first byte; may be empty
    std::uint8_t home = 0;    // node of the line that was missed last
    std::vector<std::uint64_t> by_node = {};
};

// The Recorder calls missed() for each miss, then close() once, then the others.
class MissMeter {
  public:
    MissMeter(unsigned processors, const Topology& topology)
        : topology_(topology), processors_(processors) {}

    void missed(const Miss& miss);
    // Aborts unless the misses of pages are as many as those of processors.
    void close() const;

    // By processor.
    const std::vector<ProcessorMisses>& processors() const { return processors_; }
    // In order of address.
    std::vector<PageMisses> pages() const;

  private:
    std::uint64_t misses_of_pages() const;

    Topology topology_;
    std::vector<ProcessorMisses> processors_;
    std::vector<PageMisses> pages_;  // in order of their first misses
    std::unordered_map<Address, std::size_t> places_;
};

}  // namespace symsim
