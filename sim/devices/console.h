// SPDX-License-Identifier: MIT
// The devices through which a guest talks to the user, which every machine has: console, results,
// power-off, and the I/O ports for progress codes and for text. Their registers are at the base. A
// write has the register's size; a read has any size, and returns 0 where there is nothing to read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/device.h"

namespace symsim {

// The console. A byte written to offset 0 is passed on as text. The guest's standard input is read
// from the same register: each read takes the next byte. Offset 4 is read-only.
//
//   0   write 8: a byte of text; read 8: the next byte of the input, 0 at its end
//   4   read 32: how many bytes of the input are left
class Console final : public Device {
  public:
    Console(const Nothing&, const DeviceHost& host)
        : Device({0xD000'0000, 0x1000}), out_(host.outlets.console), read_(host.outlets.input) {}

    DeviceReply read(const DeviceAccess& access) override {
        const Address offset = access.address - range().base;
        if (read_) input_ = std::exchange(read_, nullptr)();
        if (offset == 0) return {true, taken_ < input_.size() ? input_[taken_++] : 0u, 0};
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        const std::uint64_t left = std::min(input_.size() - taken_, most);
        return {offset == 4, static_cast<std::uint32_t>(left), 0};
    }
    DeviceReply write(const DeviceAccess& access, std::uint32_t value) override {
        if (access.address != range().base || access.size != 1) return {};
        out_(static_cast<char>(value));
        return {true, 0, 0};
    }

  private:
    std::function<void(char)> out_;
    std::function<std::vector<std::uint8_t>()> read_;  // null: it has been called
    std::vector<std::uint8_t> input_;
    std::uint64_t taken_ = 0;  // bytes of the input that the guest has read
};

// A device with one register of `bytes` bytes, to be written.
class OutputRegister : public Device {
  public:
    using Out = std::function<void(Time, std::uint32_t value)>;
    OutputRegister(Address base, Address size, unsigned bytes, Out out)
        : Device({base, size}), bytes_(bytes), out_(std::move(out)) {}

    DeviceReply read(const DeviceAccess& access) override {
        return {access.address == range().base, 0, 0};
    }
    DeviceReply write(const DeviceAccess& access, std::uint32_t value) override {
        if (access.address != range().base || access.size != bytes_) return {};
        out_(access.at, value);
        return {true, 0, 0};
    }

  private:
    unsigned bytes_;
    Out out_;
};

inline OutputRegister::Out text_to(const std::function<void(char)>& out) {
    return [out](Time, std::uint32_t value) { out(static_cast<char>(value)); };
}

// A byte is passed on as text of the results.
struct ResultsPort final : OutputRegister {
    ResultsPort(const Nothing&, const DeviceHost& host)
        : OutputRegister(0xD000'2000, 0x1000, 1, text_to(host.outlets.results)) {}
};

// A dword is the exit status, and ends the run.
struct Power final : OutputRegister {
    Power(const Nothing&, const DeviceHost& host)
        : OutputRegister(0xD000'1000, 0x1000, 4, host.power_off) {}
};

// A byte is a progress code, as a BIOS writes during its power-on self test (POST).
struct PostPort final : OutputRegister {
    PostPort(const Nothing&, const DeviceHost& host)
        : OutputRegister(kPortSpace + host.post_port, 1, 1, host.outlets.post) {}
};

// A byte is passed on as text of the console.
struct OutputPort final : OutputRegister {
    OutputPort(const Nothing&, const DeviceHost& host)
        : OutputRegister(kPortSpace + host.output_port, 1, 1, text_to(host.outlets.console)) {}
};

}  // namespace symsim
