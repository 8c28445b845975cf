// SPDX-License-Identifier: MIT
// The connection to GDB: a TCP port at 127.0.0.1, which other hosts cannot reach. The caller
// constructs a GdbPort, waits in accept(), then sends and receives. While the machine runs, look()
// takes what GDB sends. After a connection has ended, the port can listen for the next one.
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
    // Asked repeatedly while the port waits for GDB; true: stop waiting.
    using GiveUp = std::function<bool()>;

    // Listens. Number 0 means any free port. Throws UserError if the port is taken or not allowed.
    GdbPort(std::uint16_t number, GiveUp give_up);
    ~GdbPort();

    std::uint16_t number() const;
    // Waits for GDB to connect. False: GiveUp ended the wait, or the connection failed.
    bool accept();
    // Listens for the next connection, once the last one has been closed.
    void listen_again();
    // Whether GDB has connected again. Does not wait.
    bool accepted();
    bool connected() const;
    void close();

    // Waits for the next packet and returns its payload. Empty: the connection is lost, or GiveUp
    // ended the wait.
    std::optional<std::string> receive();
    void send(std::string_view payload);
    // Takes what has arrived, without waiting. Packets are kept for receive().
    void look();
    // Whether a Ctrl-C has come since the last call, by receive() or look().
    bool take_interrupt();
    // GDB has asked for no-acknowledgement mode: from now on neither side acknowledges packets.
    void stop_acknowledging();

  private:
    struct Line;
    std::unique_ptr<Line> line_;
};

}  // namespace symsim
