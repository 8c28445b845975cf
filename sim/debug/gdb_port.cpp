// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_port.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio.hpp>
#include <chrono>

#include "sim/base/failure.h"
#include "sim/debug/gdb_packet.h"

namespace symsim {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {
// How often GiveUp is asked, and so how soon a Ctrl-C at symsim's own terminal is noticed.
constexpr std::chrono::milliseconds kPatience{200};
}  // namespace

struct GdbPort::Line {
    explicit Line(GiveUp give) : give_up(std::move(give)), acceptor(context), socket(context) {}

    // Waits until the asynchronous operation that was begun before sets `result`. False: GiveUp
    // ended the wait, or the operation failed.
    bool wait_for(const std::optional<boost::system::error_code>& result) {
        while (!result) {
            context.restart();
            context.run_for(kPatience);
            if (!result && give_up()) {
                close();
                return false;
            }
        }
        return !*result;
    }
    bool read_more() {
        std::optional<boost::system::error_code> result;
        std::size_t count = 0;
        socket.async_read_some(asio::buffer(buffer), [&](const auto& error, std::size_t n) {
            result = error;
            count = n;
        });
        const bool fine = wait_for(result);
        if (!fine) close();
        unread.assign(buffer.data(), fine ? count : 0);
        return fine;
    }
    // Takes unread bytes up to the end of a packet or a Ctrl-C.
    GdbPacketReader::Seen next() {
        while (!unread.empty()) {
            const auto seen = reader.add(unread.front());
            unread.erase(0, 1);
            if (seen != GdbPacketReader::Seen::nothing) return seen;
        }
        return GdbPacketReader::Seen::nothing;
    }
    // Takes a Ctrl-C, and leaves a packet unread until the machine stops: GDB may send a packet
    // before the first stop.
    bool take_interrupt() {
        unread.erase(0, unread.find_first_not_of('+'));
        if (unread.empty() || unread.front() != kGdbInterrupt) return false;
        unread.erase(0, 1);
        return true;
    }
    void write(std::string_view bytes) {
        boost::system::error_code error;
        asio::write(socket, asio::buffer(bytes), error);
        if (error) close();
    }
    // Cancels a pending operation and runs its handler now. The handler writes to local variables
    // of the function that began the operation, which are gone later.
    void close() {
        boost::system::error_code ignored;
        socket.close(ignored);
        acceptor.close(ignored);
        context.restart();
        context.poll();
    }

    GiveUp give_up;
    asio::io_context context;
    tcp::acceptor acceptor;
    tcp::socket socket;
    std::array<char, 4096> buffer{};
    std::string unread;
    std::string last;  // the packet sent last
    GdbPacketReader reader;
    bool acknowledges = true;
};

GdbPort::GdbPort(std::uint16_t number, GiveUp give_up)
    : line_(std::make_unique<Line>(std::move(give_up))) {
    try {
        const tcp::endpoint here(asio::ip::address_v4::loopback(), number);
        line_->acceptor.open(here.protocol());
        line_->acceptor.set_option(tcp::acceptor::reuse_address(true));
        line_->acceptor.bind(here);
        line_->acceptor.listen(1);
    } catch (const boost::system::system_error& error) {
        throw UserError(fmt::format("--gdb {}: {}; give another port, or 0 for any that is free",
                                    number, error.code().message()));
    }
}

GdbPort::~GdbPort() = default;

std::uint16_t GdbPort::number() const {
    return line_->acceptor.local_endpoint().port();
}

bool GdbPort::accept() {
    std::optional<boost::system::error_code> result;
    line_->acceptor.async_accept(line_->socket, [&](const auto& error) { result = error; });
    if (!line_->wait_for(result)) return false;
    line_->acceptor.close();
    // Fails only if the connection is already lost, which receive() will notice.
    boost::system::error_code ignored;
    line_->socket.set_option(tcp::no_delay(true), ignored);
    return true;
}

bool GdbPort::connected() const {
    return line_->socket.is_open();
}

void GdbPort::close() {
    line_->close();
}

std::optional<std::string> GdbPort::receive() {
    using Seen = GdbPacketReader::Seen;
    while (connected()) {
        switch (line_->next()) {
            case Seen::packet:
                if (line_->acknowledges) line_->write("+");
                return line_->reader.payload();
            case Seen::damaged:
                line_->write("-");
                break;
            case Seen::again:
                line_->write(line_->last);
                break;
            case Seen::interrupt:  // the machine has stopped already
                break;
            case Seen::too_long:
                fmt::print(stderr,
                           "symsim: GDB has sent a packet of more than {} bytes; its connection is "
                           "closed\n",
                           GdbPacketReader::kMostPayload);
                line_->close();
                break;
            case Seen::nothing:
                line_->read_more();
        }
    }
    return std::nullopt;
}

void GdbPort::send(std::string_view payload) {
    if (!connected()) return;
    line_->last = gdb_frame(payload);
    line_->write(line_->last);
}

bool GdbPort::interrupted() {
    boost::system::error_code error;
    if (!connected() || (line_->socket.available(error) == 0 && line_->unread.empty()))
        return false;
    if (line_->unread.empty() && !line_->read_more()) return false;
    return line_->take_interrupt();
}

void GdbPort::stop_acknowledging() {
    line_->acknowledges = false;
}

}  // namespace symsim
