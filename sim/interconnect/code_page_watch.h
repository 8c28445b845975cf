// SPDX-License-Identifier: MIT
// The code-page watch: the interface through which stores reach the decode cache, which keeps
// decoded instructions and must know when their bytes change. Every store to memory asks it. Most
// stores go to pages of which nothing is kept; one byte per page makes that test cheap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

class CodePageWatch {
  public:
    virtual ~CodePageWatch() = default;

    // Whether something is kept that was derived from these bytes or from other bytes of their
    // line.
    bool covers(Address address, unsigned size) const {
        return may_cover(address, size) && covers_bytes(address, size);
    }
    // These bytes of memory have been written.
    void written(Address address, unsigned size) {
        if (may_cover(address, size)) bytes_written(address, size);
    }
    // The cheap test. False: nothing is kept of these pages, so covers() is false and written()
    // does nothing.
    bool may_cover(Address address, unsigned size) const {
        const std::size_t first = address >> kPageShift;
        const std::size_t last = (address + size - 1) >> kPageShift;
        return last < watched_.size() && (watched_[first] | watched_[last]);
    }

  protected:
    static constexpr unsigned kPageShift = 12;
    static constexpr Address kPageMask = (1u << kPageShift) - 1;

    // Called before the first page is watched.
    void set_memory_size(std::uint64_t bytes) {
        watched_.resize((bytes + kPageMask) >> kPageShift);
    }
    void watch_page_of(Address address) { watched_[address >> kPageShift] = 1; }

  private:
    // As covers() and written(), called only for watched pages.
    virtual bool covers_bytes(Address address, unsigned size) const = 0;
    virtual void bytes_written(Address address, unsigned size) = 0;

    std::vector<std::uint8_t> watched_;  // for each page: 1 if something of it is or was kept
};

}  // namespace symsim
