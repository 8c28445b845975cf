// SPDX-License-Identifier: MIT
// Which ports may hold something of a line, so that others need not be asked. A port is added when
// it reads the line over the bus, the only way to come by it, and removed when it says so. And
// which lines are settled (BusPort::reads_become_silent()): of these nobody need be asked about a
// read.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class SnoopFilter {
  public:
    SnoopFilter(std::uint64_t memory_bytes, std::uint32_t line_bytes) {
        while (1u << line_shift_ < line_bytes) ++line_shift_;
        pages_.resize((memory_bytes >> line_shift_ >> kPageShift) + 1);
    }

    unsigned line_shift() const { return line_shift_; }

    std::uint64_t of(Address a) const {
        const auto& page = pages_[a >> line_shift_ >> kPageShift];
        return page ? page->ports[a >> line_shift_ & kPageMask] : 0;
    }
    // What the bus will ask of a line when it comes to it, the host's caches fetch meanwhile.
    // Devices have none.
    void prefetch(Address a) const {
        const std::size_t number = a >> line_shift_ >> kPageShift;
        if (number >= pages_.size() || !pages_[number]) return;
        __builtin_prefetch(&pages_[number]->ports[a >> line_shift_ & kPageMask]);
        __builtin_prefetch(&pages_[number]->silent);
    }
    void add(Address a, ProcessorId port) {
        page_of(a).ports[a >> line_shift_ & kPageMask] |= std::uint64_t{1} << port;
    }
    // Of a line that some port holds.
    void remove(Address a, ProcessorId port) {
        pages_[a >> line_shift_ >> kPageShift]->ports[a >> line_shift_ & kPageMask] &=
            ~(std::uint64_t{1} << port);
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

    template <class Archive>
    void serialize(Archive& archive) {
        archive(pages_);
    }

  private:
    static constexpr unsigned kPageShift = 8;  // lines
    static constexpr Address kPageMask = (1u << kPageShift) - 1;
    struct Page {
        std::array<std::uint64_t, 1u << kPageShift> ports{};
        std::bitset<1u << kPageShift> silent;

        // What is settled is found out again.
        template <class Archive>
        void serialize(Archive& archive) {
            archive(ports);
        }
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
