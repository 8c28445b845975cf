// SPDX-License-Identifier: MIT
// The undo log of one cache: the stores that the processor has made speculatively to own lines,
// with what was there before. A rollback undoes them, the last one first. Only write-back and
// write-update caches have own lines. No other cache has the line, so nobody has seen the stores.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cache/cache.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/memory.h"

namespace symsim {

class UndoLog {
  public:
    void clear() { stores_.clear(); }
    std::size_t size() const { return stores_.size(); }
    // To be called before the store.
    void add(Line& line, Address address, unsigned size, const Memory& memory) {
        stores_.push_back({&line, line.state, address, size, memory.read(address, size)});
    }
    void roll_back(std::size_t down_to, Memory& memory, CodePageWatch& code) {
        for (; stores_.size() > down_to; stores_.pop_back()) {
            const Store& last = stores_.back();
            last.line->state = last.state;
            memory.write(last.address, last.size, last.before);
            code.written(last.address, last.size);
        }
    }

  private:
    struct Store {
        Line* line;
        LineState state;
        Address address;
        unsigned size;
        std::uint32_t before;
    };
    std::vector<Store> stores_;
};

}  // namespace symsim
