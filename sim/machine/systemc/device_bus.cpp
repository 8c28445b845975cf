// SPDX-License-Identifier: MIT
#include "sim/machine/systemc/device_bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/failure.h"
#include "sim/machine/systemc/kernel_time.h"

namespace symsim {

DeviceBus::DeviceBus(const sc_core::sc_module_name& name) : sc_module(name) {}

void DeviceBus::attach(Address base, Address size, tlm::tlm_target_socket<32>& target) {
    if (base < kDeviceSpace)
        throw UserError(fmt::format("device {} at {:#x}: devices stand at {:#x} and above",
                                    target.name(), base, kDeviceSpace));
    for (const Range& other : ranges_)
        if (base - other.base < other.size || other.base - base < size)
            throw UserError(fmt::format("device {} at {:#x} overlaps the one at {:#x}",
                                        target.name(), base, other.base));
    const auto name = fmt::format("to_{:08x}", base);
    ranges_.push_back({base, size, std::make_unique<Plug>(name.c_str())});
    ranges_.back().plug->socket.bind(target);
}

DeviceReply DeviceBus::read(Address address, unsigned size, Time at) {
    return transport(tlm::TLM_READ_COMMAND, address, size, 0, at);
}

DeviceReply DeviceBus::write(Address address, unsigned size, std::uint32_t value, Time at) {
    return transport(tlm::TLM_WRITE_COMMAND, address, size, value, at);
}

DeviceReply DeviceBus::transport(tlm::tlm_command command, Address address, unsigned size,
                                 std::uint32_t value, Time at) {
    for (Range& range : ranges_) {
        if (address - range.base >= range.size) continue;
        // Bytes beyond the device go to where there is nothing, as of a word to a port.
        size = std::min(size, range.size - (address - range.base));
        std::array<unsigned char, 4> bytes{};
        for (unsigned i = 0; i < size; ++i)
            bytes[i] = static_cast<unsigned char>(value >> 8 * i & 0xff);
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address - range.base);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(size);
        payload.set_streaming_width(size);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        // The fast engine's bus may be ahead of the kernel. No other process is due before `at`.
        if (at > kernel_now()) sc_core::wait(kernel_time(at - kernel_now()));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        range.plug->socket->b_transport(payload, delay);
        if (callback_) callback_();
        DeviceReply reply;
        reply.answered = payload.is_response_ok();
        for (unsigned i = 0; i < size; ++i)
            reply.value |= static_cast<std::uint32_t>(bytes[i]) << 8 * i;
        reply.delay = to_time(delay);
        return reply;
    }
    return {};
}

}  // namespace symsim
