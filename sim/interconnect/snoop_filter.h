// SPDX-License-Identifier: MIT
// The snoop filter records which ports may have bytes of each line, so that the interconnect asks
// no other port to snoop. A port is added when it reads the line over the interconnect, or installs
// it by a store (Port::installs_stored()). It is removed when its answer to a snoop says that it
// has nothing of the line.
//
// The filter also records which lines are silent: no cache needs to snoop further reads of such a
// line (Port::reads_become_silent()).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/types.h"

namespace symsim {

// Addresses are those of memory, except for prefetch(). Pages of the
// table are made when a port first reads a line in them.
class SnoopFilter {
  public:
    SnoopFilter(std::uint64_t memory_bytes, std::uint32_t line_bytes) {
        while (1u << line_shift_ < line_bytes) ++line_shift_;
        pages_.resize((memory_bytes >> line_shift_ >> kPageShift) + 1);
    }

    unsigned line_shift() const { return line_shift_; }

    // The ports that may have bytes of the line.
    ProcessorSet of(Address a) const {
        const auto& page = pages_[a >> line_shift_ >> kPageShift];
        return page ? page->ports[a >> line_shift_ & kPageMask] : ProcessorSet();
    }
    // Starts to bring the line's entry into the host's caches, before it is needed. Device
    // addresses have no entry.
    void prefetch(Address a) const {
        const std::size_t number = a >> line_shift_ >> kPageShift;
        if (number >= pages_.size() || !pages_[number]) return;
        __builtin_prefetch(&pages_[number]->ports[a >> line_shift_ & kPageMask]);
        __builtin_prefetch(&pages_[number]->silent);
    }
    void add(Address a, ProcessorId port) {
        page_of(a).ports[a >> line_shift_ & kPageMask].add(port);
    }
    // Only for a line that some port has read: its page exists.
    void remove(Address a, ProcessorId port) {
        pages_[a >> line_shift_ >> kPageShift]->ports[a >> line_shift_ & kPageMask].remove(port);
    }

    bool silent(Address a) const {
        const auto& page = pages_[a >> line_shift_ >> kPageShift];
        return page && page->silent[a >> line_shift_ & kPageMask];
    }
    void set_silent(Address a) { page_of(a).silent[a >> line_shift_ & kPageMask] = true; }
    void clear_silent(Address a) {
        if (const auto& page = pages_[a >> line_shift_ >> kPageShift])
            page->silent[a >> line_shift_ & kPageMask] = false;
    }

  private:
    static constexpr unsigned kPageShift = 8;  // a page is 256 lines
    static constexpr Address kPageMask = (1u << kPageShift) - 1;
    struct Page {
        std::array<ProcessorSet, 1u << kPageShift> ports;
        std::bitset<1u << kPageShift> silent;
    };
    Page& page_of(Address a) {
        auto& page = pages_[a >> line_shift_ >> kPageShift];
        if (!page) page = std::make_unique<Page>();
        return *page;
    }

    unsigned line_shift_ = 0;
    std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace symsim
