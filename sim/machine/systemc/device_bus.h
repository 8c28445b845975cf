// SPDX-License-Identifier: MIT
// The TLM-2.0 side of the bus. Each device access becomes a generic payload, which b_transport
// brings to the target at its address. Targets see addresses relative to their base.
//
// A target may be a device of symsim, or any TLM model, attached by attach(base, size, its_socket).
// It is called at the kernel time of the access. The time it adds to the delay is what the access
// takes beyond the bus's own time. A target must not call wait() in b_transport, because the bus
// cannot pause.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "sim/devices/device.h"
#include "sim/interconnect/device_space.h"

namespace symsim {

class DeviceBus final : public sc_core::sc_module, public DeviceSpace {
  public:
    explicit DeviceBus(const sc_core::sc_module_name& name);

    // Throws UserError if the range overlaps another's or lies below kDeviceSpace.
    void attach(Address base, Address size, tlm::tlm_target_socket<32>& target);
    void attach(Device& device);

    DeviceReply read(Address address, unsigned size, Time at) override;
    DeviceReply write(Address address, unsigned size, std::uint32_t value, Time at) override;

    // `callback` is called after each access: the device may have scheduled activity in the kernel.
    void on_access(std::function<void()> callback) { callback_ = std::move(callback); }

  private:
    // A device of symsim as a target.
    struct Target final : public sc_core::sc_module {
        Target(const sc_core::sc_module_name& name, Device& device);
        void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
        tlm_utils::simple_target_socket<Target> socket;
        Device& device;
    };
    DeviceReply transport(tlm::tlm_command command, Address address, unsigned size,
                          std::uint32_t value, Time at);

    std::vector<DeviceRange> ranges_;  // in the order of the targets
    tlm_utils::multi_passthrough_initiator_socket<DeviceBus> socket_;
    std::vector<std::unique_ptr<Target>> targets_;
    std::function<void()> callback_;
};

}  // namespace symsim
