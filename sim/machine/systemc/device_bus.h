// SPDX-License-Identifier: MIT
// The TLM-2.0 side of the bus. Each device access becomes a generic payload, which b_transport
// brings to the target at its address. Targets see addresses relative to their base.
//
// A target may be any TLM model, attached by attach(base, size, its_socket). It is called at the
// kernel time of the access. The time it adds to the delay is what the access takes beyond the
// bus's own time. A target must not call wait() in b_transport, because the bus cannot pause.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "sim/interconnect/device_space.h"

namespace symsim {

class DeviceBus final : public sc_core::sc_module, public DeviceSpace {
  public:
    explicit DeviceBus(const sc_core::sc_module_name& name);

    // Throws UserError if the range overlaps another's or lies below kDeviceSpace.
    void attach(Address base, Address size, tlm::tlm_target_socket<32>& target);

    DeviceReply read(Address address, unsigned size, Time at) override;
    DeviceReply write(Address address, unsigned size, std::uint32_t value, Time at) override;

    // `callback` is called after each access: the device may have scheduled activity in the kernel.
    void on_access(std::function<void()> callback) { callback_ = std::move(callback); }

  private:
    // Each socket has a module of its own, because sockets cannot be added to DeviceBus itself once
    // it is constructed.
    struct Plug final : public sc_core::sc_module {
        explicit Plug(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}
        tlm_utils::simple_initiator_socket<Plug> socket;
    };
    struct Range {
        Address base;
        Address size;
        std::unique_ptr<Plug> plug;
    };
    DeviceReply transport(tlm::tlm_command command, Address address, unsigned size,
                          std::uint32_t value, Time at);

    std::vector<Range> ranges_;
    std::function<void()> callback_;
};

}  // namespace symsim
