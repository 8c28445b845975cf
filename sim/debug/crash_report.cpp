// SPDX-License-Identifier: MIT
#include "sim/debug/crash_report.h"

#include <fmt/format.h>

#include "sim/debug/stack_walk.h"

namespace symsim {

namespace {

std::string segment_text(const char* name, const Segment& s) {
    return fmt::format("{:<4}{:04x}  base {:08x}  limit {:08x}  access {:02x}{}", name, s.selector,
                       s.base, s.limit, s.access, s.big ? "  32-bit" : "");
}

}  // namespace

Address CrashSite::linear(Offset eip) const {
    return processor_.system().segments[cs].base + eip;
}

std::string place_text(const CodePlace& place, const Image& image, const SourceLines& lines) {
    std::string text = fmt::format("{:#010x}", place.shown);
    if (const Symbol* symbol = image.symbols.around(place.looked_up))
        text += place.linear == symbol->address
                    ? " " + symbol->shown()
                    : fmt::format(" {}+{:#x}", symbol->shown(), place.linear - symbol->address);
    if (const std::string line = lines.at(place.looked_up); !line.empty())
        text += fmt::format(" ({})", line);
    return text;
}

std::string CrashSite::place(Offset eip, Address looked_up) const {
    return place_text({eip, linear(eip), linear(looked_up)}, image_, lines_);
}

std::string CrashSite::registers() const {
    const Context& context = processor_.context();
    const System& system = processor_.system();
    const Registers& r = context.regs;
    std::string text = fmt::format(
        "eax {:08x}  ecx {:08x}  edx {:08x}  ebx {:08x}\n"
        "esp {:08x}  ebp {:08x}  esi {:08x}  edi {:08x}\n"
        "eip {:08x}  eflags {:08x}  ring {}\n",
        r[eax], r[ecx], r[edx], r[ebx], r[esp], r[ebp], r[esi], r[edi], context.eip,
        context.flags.value(), system.cpl);
    const char* const names[] = {"es", "cs", "ss", "ds", "fs", "gs"};
    for (unsigned s = 0; s < kSegments; ++s)
        text += segment_text(names[s], system.segments[s]) + "\n";
    text += segment_text("ldt", system.ldtr) + "\n" + segment_text("tr", system.tr) + "\n";
    text += fmt::format(
        "gdt base {:08x}  limit {:04x}\n"
        "idt base {:08x}  limit {:04x}\n"
        "cr0 {:08x}  cr2 {:08x}  cr3 {:08x}  dr6 {:08x}  dr7 {:08x}",
        system.gdtr.base, system.gdtr.limit, system.idtr.base, system.idtr.limit, system.cr0,
        system.cr2, system.cr3, system.dr[6], system.dr[7]);
    return text;
}

std::vector<std::string> CrashSite::backtrace() const {
    const Context& context = processor_.context();
    const Address base = processor_.system().segments[cs].base;
    std::vector<std::string> frames = {place(context.eip, context.eip)};
    for (const Address back : calls_of(processor_, cache_, image_)) {
        const Offset eip = back - base;
        frames.push_back(place(eip, eip - 1));
    }
    return frames;
}

std::vector<BranchReport> CrashSite::branches() const {
    std::vector<BranchReport> reports;
    for (const Branch& branch : processor_.last_branches())
        reports.push_back({place(branch.from, branch.from), place(branch.to, branch.to)});
    return reports;
}

}  // namespace symsim
