// SPDX-License-Identifier: MIT
// Packets of GDB's remote protocol ("Debugging with GDB", appendix E): $payload#checksum, bytes as
// two hexadecimal digits each, least significant first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace symsim {

// Ctrl-C, between packets.
constexpr char kGdbInterrupt = 0x03;

// A packet as it goes over the line.
std::string gdb_frame(std::string_view payload);

std::string to_hex(std::string_view bytes);
// Empty if these are not pairs of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view digits);
// A number in hexadecimal digits that begins `text`, which loses them. Empty if there is none.
std::optional<std::uint64_t> take_number(std::string_view& text);
// Whether `text` began with `prefix`, which it loses.
bool take(std::string_view& text, std::string_view prefix);

// Makes packets of what comes over the line, byte by byte.
class GdbPacketReader {
  public:
    enum class Seen {
        nothing,    // yet
        packet,     // see payload()
        damaged,    // one whose checksum is wrong
        again,      // GDB got a damaged one
        interrupt,  // Ctrl-C, between packets
    };
    Seen add(char c);
    const std::string& payload() const { return payload_; }

  private:
    enum class At { outside, payload, escaped, first_digit, second_digit };
    At at_ = At::outside;
    std::string payload_;
    std::string digits_;
    std::uint8_t sum_ = 0;
};

}  // namespace symsim
