// SPDX-License-Identifier: MIT
// Memory for code of the host, allocated in chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cpu/translate/block.h"

namespace symsim {

class CodeMemory {
  public:
    CodeMemory() = default;
    CodeMemory(const CodeMemory&) = delete;
    CodeMemory& operator=(const CodeMemory&) = delete;
    ~CodeMemory();

    // Whether the host is one that code is emitted for.
    static constexpr bool available() {
#ifdef __x86_64__
        return true;
#else
        return false;
#endif
    }
    // The next unused `bytes` bytes; none: the host does not give memory that can be written and
    // executed.
    CodeRoom room(std::size_t bytes);
    // Code has been emitted at the beginning of the last room().
    void use(const CodeRoom& room) {
        used_ += room.used;
    }
    // None of it is used any more.
    void clear();
    // The beginning of the chunk that room() is in.
    const std::uint8_t* chunk() const {
        return chunks_.empty() ? nullptr : chunks_.back();
    }

  private:
    static constexpr std::size_t kChunk = 1 << 20;

    std::vector<std::uint8_t*> chunks_;
    std::size_t used_ = kChunk;  // bytes of the last chunk
    bool refused_ = false;
};

}  // namespace symsim
