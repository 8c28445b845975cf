// SPDX-License-Identifier: MIT
#include "sim/image/foreign_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/cpu/isa/decoder.h"

namespace symsim {
namespace {

bool is_of_the_program(const Symbol& symbol) {
    const std::string_view name = symbol.name;
    const bool reserved = name.substr(0, 1) == "_" && name.substr(0, 2) != "_Z";
    return symbol.function && symbol.size > 0 && !reserved;
}

struct Found {
    Address at = 0;
    Complaint complaint;
};

// The first instruction of later processors in these bytes. What is not an instruction ends the
// search: it may be data.
std::optional<Found> search(const Decoder& decoder, const std::uint8_t* bytes, std::size_t size,
                            Address address) {
    for (std::size_t at = 0; at < size;) {
        Op op;
        op.address = address + static_cast<Address>(at);
        const auto complaint = decoder.decode(bytes + at, size - at, true, op);
        if (complaint && complaint->by_options) return Found{op.address, *complaint};
        if (complaint) return std::nullopt;
        at += op.length;
    }
    return std::nullopt;
}

}  // namespace

std::string foreign_code(const Image& image, Isa isa) {
    const Decoder decoder(isa);
    std::optional<Found> first;
    unsigned functions = 0;
    std::uint64_t searched = 0;  // up to here: a function may have several names
    for (const ProgramCode& code : image.program_code)
        for (const Symbol& symbol : image.symbols.all()) {
            if (!is_of_the_program(symbol) || symbol.address < code.address) continue;
            const std::uint64_t from = symbol.address - code.address;
            if (from + symbol.size > code.bytes || symbol.address < searched) continue;
            searched = symbol.end;
            const auto found = search(decoder, image.file.data() + code.offset + from, symbol.size,
                                      symbol.address);
            if (!found) continue;
            if (functions++ == 0) first = found;
        }
    if (!first) return "";
    const std::string others =
        functions > 1 ? fmt::format(", the first of {} functions with such code", functions) : "";
    return fmt::format("{}: {} in {}{}; {}", image.path.string(), first->complaint.what,
                       image.symbols.describe(first->at), others, first->complaint.fix);
}

}  // namespace symsim
