// SPDX-License-Identifier: MIT
#include "sim/machine/crash_report.h"

#include <fmt/format.h>

namespace symsim {

namespace {

constexpr unsigned kStackDwordsSearched = 1024;
constexpr std::size_t kLongestBacktrace = 24;

bool in_code(Address a, const Image& image) {
    for (const CodeSection& section : image.code)
        if (a - section.address < section.size) return true;
    return false;
}

// E8 rel32, or FF /2 with one of its address forms, ends right before `a`.
bool behind_a_call(Address a, const CacheController& cache, const Image& image) {
    if (!in_code(a - 1, image)) return false;
    if (cache.peek(a - 5, 1) == 0xe8) return true;
    for (unsigned length = 2; length <= 7; ++length)
        if (cache.peek(a - length, 1) == 0xff && (cache.peek(a - length + 1, 1) >> 3 & 7) == 2)
            return true;
    return false;
}

}  // namespace

std::string registers_text(const Context& context) {
    const Registers& r = context.regs;
    return fmt::format(
        "eax {:08x}  ecx {:08x}  edx {:08x}  ebx {:08x}\n"
        "esp {:08x}  ebp {:08x}  esi {:08x}  edi {:08x}\n"
        "eip {:08x}  eflags {:08x}",
        r[eax], r[ecx], r[edx], r[ebx], r[esp], r[ebp], r[esi], r[edi], context.eip,
        context.flags.value());
}

std::vector<std::string> backtrace(const Context& context, const CacheController& cache,
                                   const Image& image) {
    std::vector<std::string> frames;
    frames.push_back(fmt::format("{:#010x} {}", context.eip, image.symbols.describe(context.eip)));
    for (unsigned i = 0; i < kStackDwordsSearched && frames.size() < kLongestBacktrace; ++i) {
        const Address slot = context.regs[esp] + 4 * i;
        if (slot < context.regs[esp] || !cache.memory().contains(slot, 4)) break;
        const Address value = cache.peek(slot, 4);
        if (!behind_a_call(value, cache, image)) continue;
        frames.push_back(fmt::format("{:#010x} {}", value, image.symbols.describe(value - 1)));
    }
    return frames;
}

}  // namespace symsim
