// SPDX-License-Identifier: MIT
// The machine's memory: its bytes, and which pages a guest may access. The interconnect models how
// long an access takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "sim/base/failure.h"
#include "sim/base/types.h"

namespace symsim {

// What an access to a page finds. An access to a page that is not open ends the run. Observers,
// such as a debugger, may read closed pages too.
enum class PageUse : std::uint8_t {
    absent,       // no memory
    open,         // memory
    null_page,    // the first page, closed: null pointers lead there (loaded_code.h)
    stack_guard,  // closed: a stack that has run over leads there
};

class Memory {
  public:
    // All zero. Pages take up host memory only once they are written.
    explicit Memory(std::uint64_t size_bytes);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    std::uint8_t* data() { return data_; }
    const std::uint8_t* data() const { return data_; }
    std::uint64_t size() const { return size_; }

    // Whether there are bytes, for observers. Accesses of a guest ask open().
    bool contains(Address address, unsigned size) const {
        return std::uint64_t{address} + size <= size_;
    }

    PageUse page(Address address) const { return pages_[address >> kPageShift]; }
    // An access of a processor lies within an aligned dword, so all of it is in one page.
    bool open(Address address) const { return page(address) == PageUse::open; }
    // To be called for a page in memory. A page that has been closed opens again.
    void set_page(Address address, PageUse use) { pages_[address >> kPageShift] = use; }

    // Starts to bring bytes that will be read soon into the host's caches.
    void prefetch(Address address) const { __builtin_prefetch(data_ + address); }
    // Little-endian access to 1 to 4 bytes; 3 occurs as a part of a split access. The caller has
    // checked contains(). Compilers join the bytewise code into one host access.
    std::uint32_t read(Address address, unsigned size) const {
        check(address, size);
        const std::uint8_t* p = data_ + address;
        switch (size) {
            case 1:
                return p[0];
            case 2:
                return p[0] | std::uint32_t{p[1]} << 8;
            case 3:
                return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16;
            default:
                return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 |
                       std::uint32_t{p[3]} << 24;
        }
    }
    void write(Address address, unsigned size, std::uint32_t value) {
        check(address, size);
        std::uint8_t* p = data_ + address;
        switch (size) {
            case 4:
                p[0] = static_cast<std::uint8_t>(value);
                p[1] = static_cast<std::uint8_t>(value >> 8);
                p[2] = static_cast<std::uint8_t>(value >> 16);
                p[3] = static_cast<std::uint8_t>(value >> 24);
                break;
            case 3:
                p[2] = static_cast<std::uint8_t>(value >> 16);
                [[fallthrough]];
            case 2:
                p[1] = static_cast<std::uint8_t>(value >> 8);
                [[fallthrough]];
            default:
                p[0] = static_cast<std::uint8_t>(value);
        }
    }

  private:
    // Every guest access comes through here, so only builds with assertions check.
    void check([[maybe_unused]] Address address, [[maybe_unused]] unsigned size) const {
#ifndef NDEBUG
        if (size < 1 || size > 4 || !contains(address, size))
            impossible("access of {} bytes at {:#010x} in a memory of {} bytes", size, address,
                       size_);
#endif
    }

    static constexpr unsigned kPageShift = 12;
    static constexpr std::uint64_t kPageBytes = std::uint64_t{1} << kPageShift;
    static constexpr std::size_t kPages = std::size_t{1} << (32 - kPageShift);

    struct Free {
        void operator()(PageUse* pages) const { std::free(pages); }
    };
    std::unique_ptr<PageUse[], Free> pages_;  // for each page of the address space
    std::uint8_t* data_ = nullptr;
    std::uint64_t size_ = 0;
};

}  // namespace symsim
