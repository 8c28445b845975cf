// SPDX-License-Identifier: MIT
// The parts a Bus needs around it, empty: no device answers, and no memory contains code.
#pragma once

#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/device_space.h"

namespace symsim::test {

class NoDevices final : public DeviceSpace {
  public:
    DeviceReply read(Address, unsigned, Time) override { return {}; }
    DeviceReply write(Address, unsigned, std::uint32_t, Time) override { return {}; }
};

class NoCode final : public CodePageWatch {
    bool covers_bytes(Address, unsigned) const override { return false; }
    void bytes_written(Address, unsigned) override {}
};

}  // namespace symsim::test
