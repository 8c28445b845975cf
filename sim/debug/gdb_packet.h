// SPDX-License-Identifier: MIT
// Packets of GDB's remote protocol ("Debugging with GDB", appendix E), written and parsed. A packet
// is $payload#checksum. Memory and registers are sent as two hexadecimal digits per byte, least
// significant byte first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace symsim {

// GDB sends this byte, outside of any packet, when its user types Ctrl-C.
constexpr char kGdbInterrupt = 0x03;

// The packet with this payload, as it is sent: escaped, and with its checksum.
std::string gdb_frame(std::string_view payload);

std::string to_hex(std::string_view bytes);
// Empty if `digits` is not pairs of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view digits);
// Removes a hexadecimal number from the start of `text` and returns it. Empty if there is none.
std::optional<std::uint64_t> take_number(std::string_view& text);
// Removes `prefix` from the start of `text`. False: `text` does not begin with it.
bool take(std::string_view& text, std::string_view prefix);

// Finds packets in the bytes received from GDB, which GdbPort adds one by one.
class GdbPacketReader {
  public:
    enum class Seen {
        nothing,    // no packet is complete yet
        packet,     // a whole packet: see payload()
        damaged,    // a packet whose checksum is wrong
        again,      // GDB has received a damaged packet, and wants the last one again
        interrupt,  // Ctrl-C, outside of any packet
        too_long,   // a packet of more than kMostPayload bytes has begun
    };
    // Four times what the debug session announces to GDB (kLongestPacket).
    static constexpr std::size_t kMostPayload = 16384;
    Seen add(char c);
    const std::string& payload() const { return payload_; }

  private:
    void begin();

    enum class At { outside, payload, escaped, first_digit, second_digit };
    At at_ = At::outside;
    std::string payload_;
    std::string digits_;
    std::uint8_t sum_ = 0;
};

}  // namespace symsim
