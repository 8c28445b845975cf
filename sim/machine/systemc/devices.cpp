// SPDX-License-Identifier: MIT
#include "sim/machine/systemc/devices.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace symsim {

namespace {

// Whether the payload writes the register at offset 0, which has `size` bytes, and is written
// whole. A read there returns 0: these devices are always ready.
bool writes_at_start(tlm::tlm_generic_payload& payload, unsigned size) {
    payload.set_response_status(payload.get_address() != 0 ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                : payload.is_write() && payload.get_data_length() != size
                                    ? tlm::TLM_BURST_ERROR_RESPONSE
                                    : tlm::TLM_OK_RESPONSE);
    return payload.is_response_ok() && payload.is_write();
}

// Puts the bytes of `word` into a payload that reads.
void reply(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
        payload.get_data_ptr()[i] = static_cast<unsigned char>(word >> 8 * i & 0xff);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

Time time_of_access(const sc_core::sc_time& delay) {
    return static_cast<Time>((sc_core::sc_time_stamp() + delay).value());
}

}  // namespace

Console::Console(const sc_core::sc_module_name& name, std::function<void(char)> out)
    : sc_module(name), socket("socket"), out_(std::move(out)) {
    socket.register_b_transport(this, &Console::b_transport);
}

void Console::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (payload.get_address() == 4 && payload.is_read()) {
        const std::uint64_t left = input_.size() - taken_;
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        reply(payload, static_cast<std::uint32_t>(std::min(left, most)));
    } else if (writes_at_start(payload, 1)) {
        out_(static_cast<char>(*payload.get_data_ptr()));
    } else if (payload.is_response_ok()) {
        reply(payload, take());
    }
}

std::uint8_t Console::take() {
    return taken_ < input_.size() ? input_[taken_++] : 0;
}

TextPort::TextPort(const sc_core::sc_module_name& name, std::function<void(char)> out)
    : sc_module(name), socket("socket"), out_(std::move(out)) {
    socket.register_b_transport(this, &TextPort::b_transport);
}

void TextPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (writes_at_start(payload, 1)) out_(static_cast<char>(*payload.get_data_ptr()));
}

PostPort::PostPort(const sc_core::sc_module_name& name, std::function<void(Time, std::uint8_t)> out)
    : sc_module(name), socket("socket"), out_(std::move(out)) {
    socket.register_b_transport(this, &PostPort::b_transport);
}

void PostPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (writes_at_start(payload, 1)) out_(time_of_access(delay), *payload.get_data_ptr());
}

Power::Power(const sc_core::sc_module_name& name, std::function<void(Time, std::uint32_t)> off)
    : sc_module(name), socket("socket"), off_(std::move(off)) {
    socket.register_b_transport(this, &Power::b_transport);
}

void Power::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (!writes_at_start(payload, 4)) return;
    std::uint32_t status = 0;
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
        status |= static_cast<std::uint32_t>(payload.get_data_ptr()[i]) << 8 * i;
    off_(time_of_access(delay), status);
}

}  // namespace symsim
