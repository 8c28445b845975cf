// SPDX-License-Identifier: MIT
#include "sim/image/probe_records.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

#include "sim/base/failure.h"

namespace symsim {
namespace {

struct RegisterName {
    std::string_view name;
    Reg reg;
    std::uint8_t size;
    std::uint8_t shift;
};
constexpr std::array<RegisterName, 24> kRegisters = {{
    {"eax", eax, 4, 0}, {"ecx", ecx, 4, 0}, {"edx", edx, 4, 0}, {"ebx", ebx, 4, 0},
    {"esp", esp, 4, 0}, {"ebp", ebp, 4, 0}, {"esi", esi, 4, 0}, {"edi", edi, 4, 0},
    {"ax", eax, 2, 0},  {"cx", ecx, 2, 0},  {"dx", edx, 2, 0},  {"bx", ebx, 2, 0},
    {"sp", esp, 2, 0},  {"bp", ebp, 2, 0},  {"si", esi, 2, 0},  {"di", edi, 2, 0},
    {"al", eax, 1, 0},  {"cl", ecx, 1, 0},  {"dl", edx, 1, 0},  {"bl", ebx, 1, 0},
    {"ah", eax, 1, 8},  {"ch", ecx, 1, 8},  {"dh", edx, 1, 8},  {"bh", ebx, 1, 8},
}};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

const RegisterName& register_named(std::string_view text) {
    if (!text.empty() && text.front() == '%')
        for (const RegisterName& r : kRegisters)
            if (r.name == text.substr(1)) return r;
    throw UserError(fmt::format("\"{}\" is not a general register of the 386", text));
}

// Only a 32-bit register can be part of an address.
Reg address_register(std::string_view text) {
    const RegisterName& r = register_named(text);
    if (r.size != 4) throw UserError(fmt::format("\"{}\" cannot be part of an address", text));
    return r.reg;
}

std::uint32_t number(std::string_view text) {
    int base = 10;
    std::string_view digits = text;
    if (digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X") {
        digits.remove_prefix(2);
        base = 16;
    }
    std::uint32_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, value, base);
    if (result.ec != std::errc{} || result.ptr != end)
        throw UserError(fmt::format("\"{}\" is not a 32-bit number", text));
    return value;
}

// What the text can name: in an image of several programs, first of all the record's own symbols.
struct Names {
    const Symbols& symbols;
    std::string_view program;
};

std::uint32_t term(std::string_view text, const Names& names) {
    const Symbols& symbols = names.symbols;
    if (text.empty()) throw UserError("a term is missing");
    if (text.front() >= '0' && text.front() <= '9') return number(text);
    if (!names.program.empty())
        if (const Symbol* symbol = symbols.find(fmt::format("{}.{}", names.program, text)))
            return symbol->address;
    if (const Symbol* symbol = symbols.find(text)) return symbol->address;
    if (symbols.ambiguous(text))
        throw UserError(
            fmt::format("several symbols are called \"{}\"; give each its own name", text));
    throw UserError(fmt::format("there is no symbol \"{}\"; keep it in the symbol table", text));
}

// Evaluates a sum or difference of numbers and symbols, which is what an assembler can leave to a
// linker.
std::uint32_t sum(std::string_view text, const Names& names) {
    std::uint32_t value = 0;
    std::size_t at = 0;
    do {
        const bool minus = text.substr(at, 1) == "-";
        if (minus || text.substr(at, 1) == "+") ++at;
        const std::size_t end = std::min(text.find_first_of("+-", at), text.size());
        const std::uint32_t t = term(trimmed(text.substr(at, end - at)), names);
        value = minus ? value - t : value + t;
        at = end;
    } while (at < text.size());
    return value;
}

// Parses the text between the parentheses of an address: base, index and scale.
void parse_registers(std::string_view text, ProbeOperand& op) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        parts.push_back(trimmed(text.substr(at, end - at)));
        at = end + 1;
    }
    if (parts.size() > 3) throw UserError("an address has a base, an index and a scale at most");
    if (!parts[0].empty()) op.base = address_register(parts[0]);
    if (parts.size() > 1) {
        op.index = address_register(parts[1]);
        if (op.index == esp) throw UserError("%esp cannot be an index");
    } else if (parts[0].empty()) {
        throw UserError("there is no register between the parentheses");
    }
    if (parts.size() > 2) {
        const std::uint32_t scale = number(parts[2]);
        if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
            throw UserError(fmt::format("{} is not a scale; 1, 2, 4 and 8 are", scale));
        op.scale = static_cast<std::uint8_t>(scale);
    }
}

}  // namespace

ProbeOperand parse_probe_operand(std::string_view text, const Symbols& symbols,
                                 std::string_view program) {
    const Names names{symbols, program};
    text = trimmed(text);
    ProbeOperand op;
    if (text.empty()) throw UserError("it is empty");
    if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
        const bool is_signed = text.front() == '-';
        const std::uint32_t size = number(text.substr(is_signed, at - is_signed));
        op = parse_probe_operand(text.substr(at + 1), symbols, program);
        if (op.kind == ProbeOperand::Kind::imm || size == 0) return op;
        op.size = static_cast<std::uint8_t>(std::min<std::uint32_t>(op.size, size));
        op.is_signed = is_signed;
        return op;
    }
    if (text.front() == '%' && text.find(':') == std::string_view::npos) {
        const RegisterName& r = register_named(text);
        op.kind = ProbeOperand::Kind::reg;
        op.base = r.reg;
        op.size = r.size;
        op.shift = r.shift;
        return op;
    }
    if (text.front() == '$') {
        op.kind = ProbeOperand::Kind::imm;
        op.disp = sum(text.substr(1), names);
        return op;
    }
    op.kind = ProbeOperand::Kind::mem;
    const std::size_t open = text.find('(');
    if (open != std::string_view::npos) {
        if (text.back() != ')') throw UserError("its parenthesis is not closed at the end");
        parse_registers(text.substr(open + 1, text.size() - open - 2), op);
        text = text.substr(0, open);
        if (text.empty()) return op;
    }
    op.disp = sum(text, names);
    return op;
}

}  // namespace symsim
