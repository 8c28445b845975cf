// SPDX-License-Identifier: MIT
// Memory for code of the host, allocated in chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
    // The next unused place with at least `bytes` bytes; null: the host does not give memory that
    // can be written and executed.
    std::uint8_t* room(std::size_t bytes);
    // The first `bytes` bytes of it are used now.
    void use(std::size_t bytes) { used_ += bytes; }
    // None of it is used any more.
    void clear();
    // The beginning of the chunk that room() is in.
    const std::uint8_t* chunk() const { return chunks_.empty() ? nullptr : chunks_.back(); }

  private:
    static constexpr std::size_t kChunk = 1 << 20;

    std::vector<std::uint8_t*> chunks_;
    std::size_t used_ = kChunk;  // bytes of the last chunk
    bool refused_ = false;
};

}  // namespace symsim
