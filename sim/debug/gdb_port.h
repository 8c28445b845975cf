// SPDX-License-Identifier: MIT
// The line to GDB: a TCP port of this host, which nobody else's host can reach.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace symsim {

class GdbPort {
  public:
    // Asked every now and then while nothing comes; true: stop waiting.
    using GiveUp = std::function<bool()>;

    // Listens. Number 0 is any that is free. Throws UserError if that one is taken or not allowed.
    GdbPort(std::uint16_t number, GiveUp give_up);
    ~GdbPort();

    std::uint16_t number() const;
    // Waits for GDB to connect. False: given up.
    bool accept();
    bool connected() const;
    void close();

    // The payload of the next packet. Empty: the connection is lost, or given up.
    std::optional<std::string> receive();
    void send(std::string_view payload);
    // Whether Ctrl-C has come, without waiting for it.
    bool interrupted();
    // GDB has asked for this: neither side acknowledges packets any more.
    void stop_acknowledging();

  private:
    struct Line;
    std::unique_ptr<Line> line_;
};

}  // namespace symsim
