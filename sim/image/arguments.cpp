// SPDX-License-Identifier: MIT
#include "sim/image/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/base/sha256.h"
#include "sim/base/standard_streams.h"
#include "sim/image/linux_program.h"

namespace symsim {
namespace {

constexpr std::string_view kBuffer = "symsim_boot_args";
// Size of the buffer in guest/lib/arguments.c, for images whose symbols have no size.
constexpr std::uint32_t kBufferBytes = 4096;

// The guest reads two NULs after the text: the end of the last line, and the end of the text.
constexpr std::uint32_t kTerminators = 2;

// Of the standard input: no guest has memory for more.
constexpr std::uint64_t kMostInputBytes = std::uint64_t{1} << 30;

constexpr std::string_view kMemoryBytes = "symsim_memory_bytes";  // guest/lib/heap.c

// Returns where it lies in memory. `definition`: what makes it lie there.
Address place_of(const Image& image, const Symbol& symbol, std::uint32_t bytes,
                 const Memory& memory, const std::string& definition) {
    const Address place = symbol.address - image.linked_above;
    const LoadSegment* segment = image.segment_at(place);
    const std::uint64_t end = std::uint64_t{place} + bytes;
    if (segment == nullptr || end > segment->end() || end > memory.size())
        throw UserError(
            fmt::format("guest image {}: {} at {:#010x} is not in memory; define it as {} in .data",
                        image.path.string(), symbol.name, symbol.address, definition));
    return place;
}

}  // namespace

std::string argument_text(unsigned processors, std::uint32_t seed, const GuestArguments& args) {
    std::string text = fmt::format("processors={}\nseed={}\n", processors, seed);
    for (const auto& [name, value] : args) text += fmt::format("{}={}\n", name, value);
    return text;
}

std::string word_lines(const Image& image, const std::string& argv, const std::string& env) {
    if (image.linux_program) return "";
    const auto refuse = [&](std::string_view key, std::string_view why) {
        throw UserError(fmt::format("{}: {} {}", key, image.path.string(), why));
    };
    const std::vector<std::string> words = split_words(argv, "guest.argv");
    if (!env.empty())
        refuse("guest.env", "is not a Linux program, and has no environment; take guest.args");
    if (!words.empty() && image.symbols.find("arguments_words") == nullptr)
        refuse("guest.argv",
               "passes no words to main(), as Linux programs do and programs that symlab cc builds "
               "of your files without --kernel and --space; take guest.args");
    std::string lines;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].find('\n') != std::string::npos)
            refuse("guest.argv", "cannot get a word with a line break; take it out");
        lines += fmt::format("{}={}\n", i + 1, words[i]);
    }
    return lines;
}

void write_arguments(const Image& image, const std::string& text, Memory& memory) {
    if (const Symbol* size = image.symbols.find(kMemoryBytes)) {
        const Address place = place_of(image, *size, 4, memory, "a 32-bit word");
        memory.write(place, 4, static_cast<std::uint32_t>(memory.size()));
    }
    const Symbol* buffer = image.symbols.find(kBuffer);
    if (buffer == nullptr) return;
    const std::uint32_t room = buffer->size == 0 ? kBufferBytes : buffer->size;
    const Address place =
        place_of(image, *buffer, room, memory, fmt::format("char {}[{}]", kBuffer, kBufferBytes));
    if (text.size() + kTerminators > room)
        throw UserError(
            fmt::format("guest.args: the guest has room for {} bytes of \"name=value\" "
                        "lines, and these are {}; shorten them",
                        room < kTerminators ? 0 : room - kTerminators, text.size()));
    std::uint8_t* to = memory.data() + place;
    std::fill(std::copy(text.begin(), text.end(), to), to + room, std::uint8_t{0});
}

StandardInput callers_standard_input() {
    const std::string text = read_all(kMostInputBytes);
    StandardInput input = {{text.begin(), text.end()}, ""};
    if (!text.empty()) input.sha256 = sha256(input.bytes);
    return input;
}

StandardInput load_standard_input(const std::filesystem::path& path) {
    if (path.empty()) return {};
    const InputFile file(path, "guest.stdin", "name a smaller file that you may read");
    StandardInput input;
    input.bytes = file.bytes(kMostInputBytes);
    input.sha256 = sha256(input.bytes);
    return input;
}

}  // namespace symsim
