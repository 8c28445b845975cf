// SPDX-License-Identifier: MIT
// A set of processors, or of their ports: one bit for each processor that a machine can have. With
// kMaxProcessors = 64 a set is one 64-bit word, and all functions compile to a few host
// instructions on it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace symsim {

// `kMost`: processors are numbered from 0 to kMost - 1.
template <unsigned kMost>
class BasicProcessorSet {
    static constexpr unsigned kWordBits = 64;
    static_assert(kMost > 0 && kMost % kWordBits == 0, "a set consists of whole words");

  public:
    constexpr BasicProcessorSet() = default;
    static constexpr BasicProcessorSet only(ProcessorId processor) {
        BasicProcessorSet set;
        set.add(processor);
        return set;
    }
    // The processors 0 to count - 1.
    static constexpr BasicProcessorSet first(unsigned count) {
        BasicProcessorSet set;
        for (ProcessorId p = 0; p < count; ++p) set.add(p);
        return set;
    }

    constexpr void add(ProcessorId processor) { word(processor) |= bit(processor); }
    constexpr void remove(ProcessorId processor) { word(processor) &= ~bit(processor); }
    constexpr void set(ProcessorId processor, bool contained) {
        remove(processor);
        if (contained) add(processor);
    }
    constexpr bool contains(ProcessorId processor) const {
        return words_[index_of(processor)] >> processor % kWordBits & 1;
    }
    constexpr bool empty() const {
        Word any = 0;
        for (const Word word : words_) any |= word;
        return any == 0;
    }

    // Union, intersection, difference.
    constexpr BasicProcessorSet& operator|=(const BasicProcessorSet& other) {
        for (unsigned n = 0; n < kWords; ++n) words_[n] |= other.words_[n];
        return *this;
    }
    constexpr BasicProcessorSet& operator&=(const BasicProcessorSet& other) {
        for (unsigned n = 0; n < kWords; ++n) words_[n] &= other.words_[n];
        return *this;
    }
    constexpr BasicProcessorSet& operator-=(const BasicProcessorSet& other) {
        for (unsigned n = 0; n < kWords; ++n) words_[n] &= ~other.words_[n];
        return *this;
    }
    friend constexpr BasicProcessorSet operator|(BasicProcessorSet a, const BasicProcessorSet& b) {
        return a |= b;
    }
    friend constexpr BasicProcessorSet operator&(BasicProcessorSet a, const BasicProcessorSet& b) {
        return a &= b;
    }
    friend constexpr BasicProcessorSet operator-(BasicProcessorSet a, const BasicProcessorSet& b) {
        return a -= b;
    }
    constexpr BasicProcessorSet without(ProcessorId processor) const {
        BasicProcessorSet others = *this;
        others.remove(processor);
        return others;
    }
    friend constexpr bool operator==(const BasicProcessorSet& a, const BasicProcessorSet& b) {
        for (unsigned n = 0; n < kWords; ++n)
            if (a.words_[n] != b.words_[n]) return false;
        return true;
    }
    friend constexpr bool operator!=(const BasicProcessorSet& a, const BasicProcessorSet& b) {
        return !(a == b);
    }

    // Of a set that is not empty.
    constexpr ProcessorId lowest() const {
        const unsigned n = first_word();
        return n * kWordBits + static_cast<ProcessorId>(__builtin_ctzll(words_[n]));
    }
    constexpr void remove_lowest() {
        Word& word = words_[first_word()];
        word &= word - 1;
    }

    // Iteration, from the lowest processor to the highest. The set may change meanwhile: the
    // iteration goes through the processors that were in it at the start.
    struct End {};
    class Iterator {
      public:
        constexpr explicit Iterator(const BasicProcessorSet& set) : left_(set) {}
        constexpr ProcessorId operator*() const { return left_.lowest(); }
        constexpr Iterator& operator++() {
            left_.remove_lowest();
            return *this;
        }
        constexpr bool operator!=(End) const { return !left_.empty(); }

      private:
        BasicProcessorSet left_;
    };
    constexpr Iterator begin() const { return Iterator(*this); }
    constexpr End end() const { return {}; }

    // The same set in rotation: its processors from `start` on to the highest, then from the lowest
    // on to start - 1. As a set, it has processor start + n in the place of processor n.
    class Rotation {
      public:
        class Iterator {
          public:
            constexpr Iterator(const BasicProcessorSet& places, ProcessorId start)
                : left_(places), start_(start) {}
            constexpr ProcessorId operator*() const { return (left_.lowest() + start_) % kMost; }
            constexpr Iterator& operator++() {
                left_.remove_lowest();
                return *this;
            }
            constexpr bool operator!=(End) const { return !left_.empty(); }

          private:
            BasicProcessorSet left_;
            ProcessorId start_;
        };

        constexpr Rotation(const BasicProcessorSet& set, ProcessorId start)
            : places_(set.rotated(start)), start_(start) {}
        constexpr Iterator begin() const { return {places_, start_}; }
        constexpr End end() const { return {}; }

      private:
        BasicProcessorSet places_;
        ProcessorId start_;
    };
    constexpr Rotation in_turn(ProcessorId start) const { return {*this, start}; }
    // The processors in the places from `start` on, before that of the processor.
    static constexpr BasicProcessorSet places_before(ProcessorId processor, ProcessorId start) {
        return start <= processor ? below(processor) - below(start)
                                  : below(processor) | (below(kMost) - below(start));
    }
    // How many places after `start` the processor is in the rotation.
    static constexpr unsigned place_in_turn(ProcessorId processor, ProcessorId start) {
        return (processor + kMost - start) % kMost;
    }

  private:
    using Word = std::uint64_t;
    static constexpr unsigned kWords = kMost / kWordBits;

    static constexpr unsigned index_of(ProcessorId processor) {
        return kWords == 1 ? 0 : processor / kWordBits;
    }
    static constexpr Word bit(ProcessorId processor) { return Word{1} << processor % kWordBits; }
    constexpr Word& word(ProcessorId processor) { return words_[index_of(processor)]; }
    // The processors with lower numbers.
    static constexpr BasicProcessorSet below(ProcessorId processor) {
        BasicProcessorSet set;
        for (unsigned n = 0; n < kWords; ++n)
            if (processor >= (n + 1) * kWordBits)
                set.words_[n] = ~Word{0};
            else if (processor > n * kWordBits)
                set.words_[n] = bit(processor) - 1;
        return set;
    }
    // The first word that has a processor. Of a set that is not empty.
    constexpr unsigned first_word() const {
        unsigned n = 0;
        while (n + 1 < kWords && words_[n] == 0) ++n;
        return n;
    }
    // The set with processor start + n in the place of processor n.
    constexpr BasicProcessorSet rotated(ProcessorId start) const {
        const unsigned shift = start % kWordBits;
        BasicProcessorSet result;
        for (unsigned n = 0; n < kWords; ++n) {
            const Word low = words_[(n + index_of(start)) % kWords];
            const Word high = words_[(n + index_of(start) + 1) % kWords];
            // With one word, low and high are the same.
            result.words_[n] = kWords > 1 && shift == 0
                                   ? low
                                   : low >> shift | high << (kWordBits - shift) % kWordBits;
        }
        return result;
    }

    std::array<Word, kWords> words_{};
};

using ProcessorSet = BasicProcessorSet<kMaxProcessors>;

}  // namespace symsim
