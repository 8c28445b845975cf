// SPDX-License-Identifier: MIT
#include "sim/debug/stack_walk.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace symsim {

namespace {

constexpr unsigned kStackDwordsSearched = 1024;
constexpr std::uint32_t kMostCodeSearched = 4096;
constexpr std::size_t kMostCalls = 24;
// `push %ebp` is looked for in this many bytes from the start of a function, since gcc may move a
// few instructions before it.
constexpr unsigned kProlog = 16;

class Walk {
  public:
    Walk(const StackView& stack, const Image& image)
        : stack_(stack), image_(image), pc_(stack.eip), top_(stack.esp), frame_(stack.ebp) {
        code_ = image.program_sections;
        for (CodeSection section : image.code) {
            section.address += image.linked_above;
            code_.push_back(std::move(section));
        }
        for (const CodeSection& section : code_) {
            code_begin_ = std::min(code_begin_, section.address);
            code_end_ = std::max(code_end_, section.address + section.size);
        }
    }

    std::vector<Address> run() {
        std::vector<Address> calls;
        while (calls.size() < kMostCalls && (by_frame() || by_search())) {
            calls.push_back(pc_);
            // Into the call instruction, which may be the last instruction of its function: the
            // return address may belong to the next one.
            --pc_;
        }
        return calls;
    }

  private:
    bool in_code(Address a) const {
        for (const CodeSection& section : code_)
            if (a - section.address < section.size) return true;
        return false;
    }
    const std::uint8_t* bytes_at(Address a) const {
        const Address page = a & ~(kStackPage - 1);
        if (page != page_ || !asked_) {
            page_ = page;
            bytes_ = stack_.page(page);
            asked_ = true;
        }
        return bytes_ ? bytes_ + (a - page) : nullptr;
    }
    std::optional<std::uint32_t> byte(Address a) const {
        const std::uint8_t* const at = bytes_at(a);
        return at ? std::optional<std::uint32_t>(*at) : std::nullopt;
    }
    std::optional<std::uint32_t> read(Address a, unsigned size) const {
        // Fast case, since a search reads up to 1024 dwords: the dword lies within one page.
        if (size == 4 && (a & (kStackPage - 1)) <= kStackPage - 4) {
            const std::uint8_t* const at = bytes_at(a);
            if (!at) return std::nullopt;
            return at[0] | at[1] << 8 | at[2] << 16 | std::uint32_t{at[3]} << 24;
        }
        std::uint32_t value = 0;
        for (unsigned i = 0; i < size; ++i) {
            const auto next = byte(a + i);
            if (!next) return std::nullopt;
            value |= *next << 8 * i;
        }
        return value;
    }

    // Whether a call instruction ends right before `a`: E8 rel32, or FF /2 with any addressing
    // form.
    bool after_a_call(Address a) const {
        if (!in_code(a - 1)) return false;
        if (byte(a - 5) == 0xe8) return true;
        for (unsigned length = 2; length <= 7; ++length)
            if (byte(a - length) == 0xff && (byte(a - length + 1).value_or(0) >> 3 & 7) == 2)
                return true;
        return false;
    }

    // How well the call before `a` explains that the function at pc_ runs.
    enum class Fit : std::uint8_t { calls_it, indirect, calls_another };
    Fit fit(Address a) const {
        if (byte(a - 5) != 0xe8) return Fit::indirect;
        const Symbol* const function = image_.symbols.around(pc_);
        const Address target = a + read(a - 4, 4).value_or(0);
        const bool it = function && (target == function->address || jumps(target, *function));
        return it ? Fit::calls_it : Fit::calls_another;
    }
    // Whether the function at `target` may end with a jump to the other function.
    bool jumps(Address target, const Symbol& function) const {
        const Symbol* const from = image_.symbols.around(target);
        if (!from) return false;
        const Address end = from->address + std::min(from->size, kMostCodeSearched);
        for (Address a = from->address; a < end; ++a)
            if (byte(a) == 0xe9 && a + 5 + read(a + 1, 4).value_or(0) == function.address)
                return true;
        return false;
    }

    // Whether the function at pc_ has a frame now: it has executed `push %ebp; mov %esp,%ebp`, and
    // is not yet at the `ret` after the frame's removal.
    bool has_frame() const {
        const Symbol* const function = image_.symbols.around(pc_);
        if (!function || byte(pc_) == 0xc3 || byte(pc_) == 0xc2) return false;
        for (Address a = function->address; a < function->address + kProlog && a + 3 <= pc_; ++a) {
            if (byte(a) != 0x55) continue;
            const auto mov = read(a + 1, 2);
            if (mov == 0xe589 || mov == 0xec8b) return true;  // both encodings of the mov
        }
        return false;
    }

    bool by_frame() {
        if (!has_frame() || frame_ < top_ || frame_ % 4 != 0) return false;
        const auto outer = read(frame_, 4);
        const auto back = read(frame_ + 4, 4);
        if (!outer || !back || !after_a_call(*back)) return false;
        top_ = frame_ + 8;
        frame_ = *outer;
        pc_ = *back;
        return true;
    }

    bool by_search() {
        std::array<std::optional<Address>, 3> first;  // by Fit: its slot
        for (unsigned i = 0; i < kStackDwordsSearched; ++i) {
            const Address slot = top_ + 4 * i;
            const auto value = slot < top_ ? std::nullopt : read(slot, 4);
            if (!value) break;
            if (*value < code_begin_ || *value > code_end_ || !after_a_call(*value)) continue;
            const Fit how = stack_.by_target ? fit(*value) : Fit::calls_it;
            if (how == Fit::calls_it) return found(slot);
            if (!first[index(how)]) first[index(how)] = slot;
        }
        for (const std::optional<Address>& slot : first)
            if (slot) return found(*slot);
        return false;
    }
    bool found(Address slot) {
        top_ = slot + 4;
        pc_ = *read(slot, 4);
        return true;
    }

    const StackView& stack_;
    const Image& image_;
    Address pc_;
    Address top_;                    // the stack below this address belongs to calls already found
    Address frame_;                  // ebp of the function at pc_, if the function uses frames
    std::vector<CodeSection> code_;  // at linear addresses
    Address code_begin_ = ~Address{0}, code_end_ = 0;
    mutable Address page_ = 0;  // the page read last
    mutable const std::uint8_t* bytes_ = nullptr;
    mutable bool asked_ = false;  // page_ and bytes_ are set
};

}  // namespace

std::vector<Address> walk_stack(const StackView& stack, const Image& image) {
    return Walk(stack, image).run();
}

Address linear_eip(const Processor& processor) {
    return processor.system().segments[cs].base + processor.context().eip;
}

namespace {

// The memory that the processor sees, a page at a time.
StackView memory_of(const Processor& processor, const CacheController& cache) {
    StackView stack;
    stack.page = [&, seen = std::map<Address, std::vector<std::uint8_t>>()](
                     Address page) mutable -> const std::uint8_t* {
        const auto physical = processor.look_up(page);
        if (!physical) return nullptr;
        const Address there = cache.decoded(*physical);
        if (!cache.memory().contains(there, kStackPage)) return nullptr;
        const auto [place, is_new] = seen.try_emplace(page);
        if (is_new) {
            place->second.resize(kStackPage);
            cache.peek_bytes(there, place->second.data(), kStackPage);
        }
        return place->second.data();
    };
    return stack;
}

std::uint32_t word_at(const StackView& stack, Address address) {
    const std::uint8_t* const page = stack.page(address & ~(kStackPage - 1));
    const Address at = address & (kStackPage - 1);
    return page && at % 4 == 0 ? boost::endian::load_little_u32(page + at) : 0;
}

}  // namespace

std::vector<Address> calls_of(const Processor& processor, const CacheController& cache,
                              const Image& image) {
    const Context& context = processor.context();
    const System& system = processor.system();
    const Address stack_base = system.segments[ss].base;
    StackView stack = memory_of(processor, cache);
    stack.eip = linear_eip(processor);
    stack.esp = stack_base + (context.regs[esp] & system.stack_mask);
    stack.ebp = stack_base + (context.regs[ebp] & system.stack_mask);
    return walk_stack(stack, image);
}

std::vector<Address> callers_of_kernel(const Processor& processor, const CacheController& cache,
                                       const Image& image) {
    StackView stack = memory_of(processor, cache);
    stack.by_target = true;
    std::tie(stack.eip, stack.esp) = ring_3_of(processor, cache);
    std::vector<Address> calls = walk_stack(stack, image);
    calls.insert(calls.begin(), stack.eip);
    return calls;
}

std::pair<Address, Address> ring_3_of(const Processor& processor, const CacheController& cache) {
    constexpr Address kStack = 4;  // in the task state segment: where the stack of ring 0 begins
    const StackView stack = memory_of(processor, cache);
    const Address top = word_at(stack, processor.system().tr.base + kStack);
    return {word_at(stack, top - 20), word_at(stack, top - 8)};
}

}  // namespace symsim
