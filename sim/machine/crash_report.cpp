// SPDX-License-Identifier: MIT
#include "sim/machine/crash_report.h"

#include <fmt/format.h>

#include "sim/machine/stack_walk.h"

namespace symsim {

namespace {

// The line is that of `looked_up`: of the call, where the address is behind it.
std::string place_text(Address address, Address looked_up, const Image& image,
                       const SourceLines& lines) {
    std::string text = fmt::format("{:#010x}", address);
    if (const Symbol* symbol = image.symbols.around(looked_up))
        text += address == symbol->address
                    ? " " + symbol->name
                    : fmt::format(" {}+{:#x}", symbol->name, address - symbol->address);
    if (const std::string line = lines.at(looked_up); !line.empty())
        text += fmt::format(" ({})", line);
    return text;
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

std::string place_text(Address address, const Image& image, const SourceLines& lines) {
    return place_text(address, address, image, lines);
}

std::vector<std::string> backtrace(const Context& context, const CacheController& cache,
                                   const Image& image, const SourceLines& lines) {
    StackView stack;
    stack.eip = context.eip;
    stack.esp = context.regs[esp];
    stack.ebp = context.regs[ebp];
    stack.read = [&](Address address, unsigned size) -> std::optional<std::uint32_t> {
        if (!cache.memory().contains(address, size)) return std::nullopt;
        return cache.peek(address, size);
    };
    std::vector<std::string> frames = {place_text(stack.eip, image, lines)};
    for (const Address back : walk_stack(stack, image))
        frames.push_back(place_text(back, back - 1, image, lines));
    return frames;
}

std::vector<BranchReport> branch_reports(const Branches& branches, const Image& image,
                                         const SourceLines& lines) {
    std::vector<BranchReport> reports;
    for (const auto& [from, to] : branches)
        reports.push_back({place_text(from, image, lines), place_text(to, image, lines)});
    return reports;
}

}  // namespace symsim
