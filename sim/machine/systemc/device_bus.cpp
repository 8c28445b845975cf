// SPDX-License-Identifier: MIT
#include "sim/machine/systemc/device_bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/failure.h"
#include "sim/machine/systemc/kernel_time.h"

namespace symsim {

DeviceBus::DeviceBus(const sc_core::sc_module_name& name) : sc_module(name), socket_("socket") {}

void DeviceBus::attach(Address base, Address size, tlm::tlm_target_socket<32>& target) {
    if (base < kDeviceSpace)
        throw UserError(fmt::format("device {} at {:#x}: devices stand at {:#x} and above",
                                    target.name(), base, kDeviceSpace));
    for (const DeviceRange& other : ranges_)
        if (base - other.base < other.size || other.base - base < size)
            throw UserError(fmt::format("device {} at {:#x} overlaps the one at {:#x}",
                                        target.name(), base, other.base));
    ranges_.push_back({base, size});
    socket_.bind(target);
}

void DeviceBus::attach(Device& device) {
    const DeviceRange& range = device.range();
    const auto name = fmt::format("device_{:08x}", range.base);
    targets_.push_back(std::make_unique<Target>(name.c_str(), device));
    attach(range.base, range.size, targets_.back()->socket);
}

DeviceBus::Target::Target(const sc_core::sc_module_name& name, Device& its_device)
    : sc_module(name), socket("socket"), device(its_device) {
    socket.register_b_transport(this, &Target::b_transport);
}

void DeviceBus::Target::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const unsigned size = payload.get_data_length();
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), size);
    const auto offset = static_cast<Address>(payload.get_address());
    const DeviceAccess access{0, device.range().base + offset, size, kernel_now() + to_time(delay)};
    const DeviceReply reply =
        payload.is_write() ? device.write(access, value) : device.read(access);
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &reply.value, size);
    payload.set_response_status(reply.answered ? tlm::TLM_OK_RESPONSE
                                               : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    delay += kernel_time(reply.delay);
}

DeviceReply DeviceBus::read(Address address, unsigned size, Time at) {
    return transport(tlm::TLM_READ_COMMAND, address, size, 0, at);
}

DeviceReply DeviceBus::write(Address address, unsigned size, std::uint32_t value, Time at) {
    return transport(tlm::TLM_WRITE_COMMAND, address, size, value, at);
}

DeviceReply DeviceBus::transport(tlm::tlm_command command, Address address, unsigned size,
                                 std::uint32_t value, Time at) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
        const DeviceRange& range = ranges_[i];
        if (!range.contains(address)) continue;
        // Bytes beyond the device go to where there is nothing, as of a word to a port.
        size = std::min(size, range.size - (address - range.base));
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address - range.base);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(size);
        payload.set_streaming_width(size);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        // The fast engine's bus may be ahead of the kernel. No other process is due before `at`.
        if (at > kernel_now()) sc_core::wait(kernel_time(at - kernel_now()));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket_[static_cast<int>(i)]->b_transport(payload, delay);
        if (callback_) callback_();
        return {payload.is_response_ok(), value, to_time(delay)};
    }
    return {};
}

}  // namespace symsim
