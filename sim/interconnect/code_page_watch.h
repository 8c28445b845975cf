// SPDX-License-Identifier: MIT
// Someone who keeps something derived from memory's bytes (decoded instructions) and must know
// when they change. Most stores are to pages of which nothing is kept: a byte for each page says so
// at once, to everyone who stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class CodePageWatch {
  public:
    virtual ~CodePageWatch() = default;

    // Whether anything derived from these bytes, or from their neighbours in the line, is kept.
    bool covers(Address address, unsigned size) const {
        return may_cover(address, size) && covers_bytes(address, size);
    }
    // Memory has been written.
    void written(Address address, unsigned size) {
        if (may_cover(address, size)) bytes_written(address, size);
    }
    // False: neither of the two has anything to do.
    bool may_cover(Address address, unsigned size) const {
        const std::size_t first = address >> kPageShift;
        const std::size_t last = (address + size - 1) >> kPageShift;
        return last < watched_.size() && (watched_[first] | watched_[last]);
    }

  protected:
    static constexpr unsigned kPageShift = 12;
    static constexpr Address kPageMask = (1u << kPageShift) - 1;

    // Before the first page is watched.
    void set_memory_size(std::uint64_t bytes) {
        watched_.resize((bytes + kPageMask) >> kPageShift);
    }
    void watch_page_of(Address address) { watched_[address >> kPageShift] = 1; }

  private:
    // Of watched pages.
    virtual bool covers_bytes(Address address, unsigned size) const = 0;
    virtual void bytes_written(Address address, unsigned size) = 0;

    std::vector<std::uint8_t> watched_;
};

}  // namespace symsim
