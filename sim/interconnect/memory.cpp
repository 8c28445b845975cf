// SPDX-License-Identifier: MIT
#include "sim/interconnect/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace symsim {

// `pages_` too takes up host memory only where it is written: calloc() maps a table of this size.
// The memory is mapped, not allocated: the host gives it zero pages on first write. So a machine
// with 1 GB starts at once, however much of it the guest uses.
Memory::Memory(std::uint64_t size_bytes)
    : pages_(static_cast<PageUse*>(std::calloc(kPages, sizeof(PageUse)))), size_(size_bytes) {
    if (pages_ == nullptr) throw std::bad_alloc();
    if (size_bytes == 0) throw UserError("memory.size_mb: the machine needs memory; give it 1 MB");
    void* pages = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        throw UserError(
            fmt::format("memory.size_mb: this computer has no room for {} MB of "
                        "simulated memory; lower it",
                        size_bytes >> 20));
    data_ = static_cast<std::uint8_t*>(pages);
    std::fill_n(pages_.get(), (size_bytes + kPageBytes - 1) >> kPageShift, PageUse::open);
}

Memory::~Memory() {
    munmap(data_, size_);
}

}  // namespace symsim
