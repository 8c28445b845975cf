// SPDX-License-Identifier: MIT
// Something for each block of memory, made in pieces when it is first asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/types.h"

namespace symsim {

template <class T>
class BlockTable {
  public:
    BlockTable(std::uint64_t memory_bytes, std::uint32_t block_bytes)
        : shift_(static_cast<unsigned>(__builtin_ctz(block_bytes))),
          pieces_((memory_bytes >> shift_ >> kPieceShift) + 1) {}

    // The block's entry; one that is new is a copy of `initial`.
    T& of(Address block, const T& initial) {
        auto& piece = pieces_[block >> shift_ >> kPieceShift];
        if (!piece) piece = std::make_unique<Piece>();
        Entry& entry = (*piece)[block >> shift_ & (kPieceBlocks - 1)];
        if (!entry.used) entry = {true, initial};
        return entry.value;
    }
    // Null: the entry has not been asked for.
    const T* find(Address block) const {
        const auto& piece = pieces_[block >> shift_ >> kPieceShift];
        if (!piece) return nullptr;
        const Entry& entry = (*piece)[block >> shift_ & (kPieceBlocks - 1)];
        return entry.used ? &entry.value : nullptr;
    }
    // Calls visit(block, entry) for each entry that has been asked for, in order of address.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t n = 0; n < pieces_.size(); ++n) {
            if (!pieces_[n]) continue;
            for (std::size_t i = 0; i < kPieceBlocks; ++i)
                if ((*pieces_[n])[i].used)
                    visit(static_cast<Address>((n << kPieceShift | i) << shift_),
                          (*pieces_[n])[i].value);
        }
    }

  private:
    static constexpr unsigned kPieceShift = 6;
    static constexpr std::size_t kPieceBlocks = std::size_t{1} << kPieceShift;
    struct Entry {
        bool used = false;
        T value;
    };
    using Piece = std::array<Entry, kPieceBlocks>;

    unsigned shift_;
    std::vector<std::unique_ptr<Piece>> pieces_;
};

}  // namespace symsim
