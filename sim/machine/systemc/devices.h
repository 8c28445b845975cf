// SPDX-License-Identifier: MIT
// The devices that every machine has, as TLM-2.0 targets: console, results, power-off, and the port
// for progress codes of a BIOS.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

constexpr Address kConsoleBase = 0xD000'0000;
constexpr Address kPowerBase = 0xD000'1000;
constexpr Address kResultsBase = 0xD000'2000;
constexpr Address kDeviceSize = 0x1000;

// The console. A byte written to offset 0 is passed on as text. The guest's standard input is read
// from the same register: each read takes the next byte. Offset 4 is read-only.
//
//   0   write 8: a byte of text; read 8: the next byte of the input, 0 at its end
//   4   read 32: how many bytes of the input are left
//
// Reads of offset 0 change the device. The bus grants them at commit time, so each is made once.
class Console final : public sc_core::sc_module {
  public:
    Console(const sc_core::sc_module_name& name, std::function<void(char)> out);
    // Called before the machine runs. Without it, the input is empty.
    void set_input(std::vector<std::uint8_t> bytes) { input_ = std::move(bytes); }
    tlm_utils::simple_target_socket<Console> socket;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    std::uint8_t take();
    std::function<void(char)> out_;
    std::vector<std::uint8_t> input_;
    std::uint64_t taken_ = 0;  // bytes of the input that the guest has read
};

// A byte written to offset 0 is passed on as text. The results are such a port.
class TextPort final : public sc_core::sc_module {
  public:
    TextPort(const sc_core::sc_module_name& name, std::function<void(char)> out);
    tlm_utils::simple_target_socket<TextPort> socket;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    std::function<void(char)> out_;
};

// A byte written to offset 0 is a progress code, as a BIOS writes during its power-on self test
// (POST). A read returns 0.
class PostPort final : public sc_core::sc_module {
  public:
    PostPort(const sc_core::sc_module_name& name, std::function<void(Time, std::uint8_t code)> out);
    tlm_utils::simple_target_socket<PostPort> socket;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    std::function<void(Time, std::uint8_t)> out_;
};

// A dword written to offset 0 is the exit status and ends the run.
class Power final : public sc_core::sc_module {
  public:
    Power(const sc_core::sc_module_name& name, std::function<void(Time, std::uint32_t status)> off);
    tlm_utils::simple_target_socket<Power> socket;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    std::function<void(Time, std::uint32_t)> off_;
};

}  // namespace symsim
