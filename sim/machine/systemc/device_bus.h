// SPDX-License-Identifier: MIT
// The TLM-2.0 side of the bus: device accesses become generic payloads, and go by b_transport to
// the target that stands at their address. Targets see addresses relative to their base.
//
// A target may be any TLM model: attach(base, size, its_socket) is all it takes. It is called at
// the kernel time of the access; what it adds to the delay is what the access takes beyond the
// bus's own time. A target must not wait() in b_transport: the bus has no time to stand still.
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

    // Called behind each access: a device may have something pending now.
    void on_access(std::function<void()> told) { callback_ = std::move(told); }

  private:
    // A module of its own around each socket: one can be added once this module is complete.
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
