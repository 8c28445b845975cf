// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_packet.h"

#include <fmt/format.h>

#include <charconv>

namespace symsim {

namespace {

constexpr char kEscape = '}';
constexpr char kEscapeBit = 0x20;

bool needs_escape(char c) {
    return c == '$' || c == '#' || c == kEscape || c == '*';
}

std::uint8_t byte_of(char c) {
    return static_cast<std::uint8_t>(c);
}

}  // namespace

std::string gdb_frame(std::string_view payload) {
    std::string packet = "$";
    std::uint8_t sum = 0;
    const auto put = [&](char c) {
        packet += c;
        sum = static_cast<std::uint8_t>(sum + byte_of(c));
    };
    for (const char c : payload) {
        if (needs_escape(c)) put(kEscape);
        put(needs_escape(c) ? static_cast<char>(c ^ kEscapeBit) : c);
    }
    return packet + fmt::format("#{:02x}", sum);
}

std::string to_hex(std::string_view bytes) {
    std::string digits;
    for (const char c : bytes) digits += fmt::format("{:02x}", byte_of(c));
    return digits;
}

std::optional<std::string> from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        unsigned value = 0;
        const char* const end = digits.data() + i + 2;
        if (std::from_chars(digits.data() + i, end, value, 16).ptr != end) return std::nullopt;
        bytes += static_cast<char>(value);
    }
    return bytes;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool take(std::string_view& text, std::string_view prefix) {
    if (text.substr(0, prefix.size()) != prefix) return false;
    text.remove_prefix(prefix.size());
    return true;
}

GdbPacketReader::Seen GdbPacketReader::add(char c) {
    switch (at_) {
        case At::outside:
            if (c == kGdbInterrupt) return Seen::interrupt;
            if (c == '-') return Seen::again;
            if (c == '$') begin();
            return Seen::nothing;
        case At::payload:
            if (c == '$') {  // the rest of the packet before was lost: a payload has no such byte
                begin();
                return Seen::nothing;
            }
            if (c == '#') {
                at_ = At::first_digit;
                return Seen::nothing;
            }
            if (payload_.size() >= kMostPayload) {
                at_ = At::outside;
                return Seen::too_long;
            }
            sum_ = static_cast<std::uint8_t>(sum_ + byte_of(c));
            if (c == kEscape)
                at_ = At::escaped;
            else
                payload_ += c;
            return Seen::nothing;
        case At::escaped:
            sum_ = static_cast<std::uint8_t>(sum_ + byte_of(c));
            payload_ += static_cast<char>(c ^ kEscapeBit);
            at_ = At::payload;
            return Seen::nothing;
        case At::first_digit:
            digits_ += c;
            at_ = At::second_digit;
            return Seen::nothing;
        case At::second_digit:
            break;
    }
    digits_ += c;
    at_ = At::outside;
    return from_hex(digits_) == std::string(1, static_cast<char>(sum_)) ? Seen::packet
                                                                        : Seen::damaged;
}

void GdbPacketReader::begin() {
    payload_.clear();
    digits_.clear();
    sum_ = 0;
    at_ = At::payload;
}

}  // namespace symsim
