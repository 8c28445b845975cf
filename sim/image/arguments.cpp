// SPDX-License-Identifier: MIT
#include "sim/image/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {
namespace {

constexpr std::string_view kBuffer = "symsim_boot_args";
// Size of the buffer in guest/lib/arguments.c, for images whose symbols have no size.
constexpr std::uint32_t kBufferBytes = 4096;

// The guest reads two NULs after the text: the end of the last line, and the end of the text.
constexpr std::uint32_t kTerminators = 2;

constexpr std::string_view kMemoryBytes = "symsim_memory_bytes";  // guest/lib/heap.c

void write_memory_size(const Image& image, Memory& memory) {
    const Symbol* symbol = image.symbols.find(kMemoryBytes);
    if (symbol == nullptr) return;
    const LoadSegment* segment = image.segment_at(symbol->address);
    if (segment == nullptr || std::uint64_t{symbol->address} + 4 > segment->end() ||
        std::uint64_t{symbol->address} + 4 > memory.size())
        throw UserError(
            fmt::format("guest image {}: {} at {:#010x} is not in memory; define it as "
                        "a 32-bit word in .data",
                        image.path.string(), kMemoryBytes, symbol->address));
    for (unsigned i = 0; i < 4; ++i)
        memory.data()[symbol->address + i] = static_cast<std::uint8_t>(memory.size() >> 8 * i);
}

}  // namespace

std::string argument_text(unsigned processors, std::uint32_t seed, const GuestArguments& args) {
    std::string text = fmt::format("processors={}\nseed={}\n", processors, seed);
    for (const auto& [name, value] : args) {
        if (name == "processors" || name == "seed")
            throw UserError(
                fmt::format("guest.args.{0}: every guest gets {0} anyway; set {1} "
                            "or choose another name",
                            name, name == "seed" ? "run.seed" : "machine.processors"));
        if (value.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
            throw UserError(
                fmt::format("guest.args.{}: a value is one line; take the line break "
                            "or NUL out",
                            name));
        text += fmt::format("{}={}\n", name, value);
    }
    return text;
}

void write_arguments(const Image& image, const std::string& text, Memory& memory) {
    write_memory_size(image, memory);
    const Symbol* buffer = image.symbols.find(kBuffer);
    if (buffer == nullptr) return;
    const std::uint32_t room = buffer->size == 0 ? kBufferBytes : buffer->size;
    const LoadSegment* segment = image.segment_at(buffer->address);
    if (segment == nullptr || std::uint64_t{buffer->address} + room > segment->end() ||
        std::uint64_t{buffer->address} + room > memory.size())
        throw UserError(
            fmt::format("guest image {}: {} at {:#010x} is not in memory; define it as "
                        "char {}[{}] in .data",
                        image.path.string(), kBuffer, buffer->address, kBuffer, kBufferBytes));
    if (text.size() + kTerminators > room)
        throw UserError(
            fmt::format("guest.args: the guest has room for {} bytes of \"name=value\" "
                        "lines, and these are {}; shorten them",
                        room < kTerminators ? 0 : room - kTerminators, text.size()));
    std::uint8_t* to = memory.data() + buffer->address;
    std::fill(std::copy(text.begin(), text.end(), to), to + room, std::uint8_t{0});
}

}  // namespace symsim
