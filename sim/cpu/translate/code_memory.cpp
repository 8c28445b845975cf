// SPDX-License-Identifier: MIT
#include "sim/cpu/translate/code_memory.h"

#include <sys/mman.h>

namespace symsim {

CodeRoom CodeMemory::room(std::size_t bytes) {
    if (used_ + bytes > kChunk) {
        if (refused_) return {};
        void* const chunk = mmap(nullptr, kChunk, PROT_READ | PROT_WRITE | PROT_EXEC,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        refused_ = chunk == MAP_FAILED;
        if (refused_) return {};
        chunks_.push_back(static_cast<std::uint8_t*>(chunk));
        used_ = 0;
    }
    return {chunks_.back() + used_, bytes, 0};
}

// Keeps one chunk.
void CodeMemory::clear() {
    for (; chunks_.size() > 1; chunks_.pop_back()) munmap(chunks_.back(), kChunk);
    used_ = chunks_.empty() ? kChunk : 0;
}

CodeMemory::~CodeMemory() {
    for (std::uint8_t* const chunk : chunks_) munmap(chunk, kChunk);
}

}  // namespace symsim
