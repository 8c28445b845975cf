// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_port.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio.hpp>
#include <chrono>
#include <deque>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/standard_streams.h"
#include "sim/debug/gdb_packet.h"

namespace symsim {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// How often GiveUp is asked, and so how soon a Ctrl-C at symsim's own terminal is noticed.
constexpr std::chrono::milliseconds kPatience{200};
// GDB sends no packet before it has the reply to the last one, except at the start.
constexpr std::size_t kMostPackets = 16;

}  // namespace

struct GdbPort::Line {
    using Seen = GdbPacketReader::Seen;

    explicit Line(GiveUp give) : give_up(std::move(give)), acceptor(context), socket(context) {}

    void listen(std::uint16_t port) {
        const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
        acceptor.open(here.protocol());
        acceptor.set_option(tcp::acceptor::reuse_address(true));
        acceptor.bind(here);
        acceptor.listen(1);
        number = acceptor.local_endpoint().port();
    }
    // The first connection has come: others are refused.
    void connected() {
        boost::system::error_code ignored;
        acceptor.close(ignored);
        // Fails only if the connection is already lost, which the next read will notice.
        socket.set_option(tcp::no_delay(true), ignored);
        unread.clear();
        packets.clear();
        last.clear();
        reader = {};
        acknowledges = true;
        interrupted = false;
    }
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
    void read_more() {
        std::optional<boost::system::error_code> result;
        std::size_t count = 0;
        socket.async_read_some(asio::buffer(buffer), [&](const auto& error, std::size_t n) {
            result = error;
            count = n;
        });
        if (wait_for(result))
            unread.assign(buffer.data(), count);
        else
            close();
    }
    // The same without a wait.
    void read_arrived() {
        boost::system::error_code error, ignored;
        socket.non_blocking(true, ignored);
        const std::size_t count = socket.read_some(asio::buffer(buffer), error);
        socket.non_blocking(false, ignored);
        if (!error)
            unread.append(buffer.data(), count);
        else if (error != asio::error::would_block && error != asio::error::interrupted)
            close();
    }
    // Takes unread bytes up to the end of a packet, and notes a Ctrl-C among them. False: no packet
    // is complete.
    bool next() {
        while (!unread.empty()) {
            const Seen seen = reader.add(unread.front());
            unread.erase(0, 1);
            switch (seen) {
                case Seen::packet:
                    if (acknowledges) write("+");
                    return true;
                case Seen::damaged:
                    if (acknowledges) write("-");
                    break;
                case Seen::again:
                    if (acknowledges) write(last);
                    break;
                case Seen::interrupt:
                    interrupted = true;
                    break;
                case Seen::too_long:
                    refuse(fmt::format("a packet of more than {} bytes",
                                       GdbPacketReader::kMostPayload));
                    break;
                case Seen::nothing:
                    break;
            }
        }
        return false;
    }
    void keep_packet() {
        packets.push_back(reader.payload());
        if (packets.size() > kMostPackets)
            refuse(fmt::format("more than {} packets while the machine runs", kMostPackets));
    }
    void refuse(const std::string& what) {
        print_error(fmt::format("symsim: GDB has sent {}; its connection is closed\n", what));
        close();
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
        unread.clear();
        context.restart();
        context.poll();
    }

    GiveUp give_up;
    asio::io_context context;
    tcp::acceptor acceptor;
    tcp::socket socket;
    std::uint16_t number = 0;
    std::array<char, 4096> buffer{};
    std::string unread;
    std::deque<std::string> packets;  // that have come while the machine ran
    std::string last;                 // the packet sent last
    GdbPacketReader reader;
    bool acknowledges = true;
    bool interrupted = false;  // a Ctrl-C has come
};

GdbPort::GdbPort(std::uint16_t number, GiveUp give_up)
    : line_(std::make_unique<Line>(std::move(give_up))) {
    try {
        line_->listen(number);
    } catch (const boost::system::system_error& error) {
        throw UserError(fmt::format("--gdb {}: {}; give another port, or 0 for any that is free",
                                    number, error.code().message()));
    }
}

GdbPort::~GdbPort() = default;

std::uint16_t GdbPort::number() const {
    return line_->number;
}

bool GdbPort::accept() {
    std::optional<boost::system::error_code> result;
    line_->acceptor.async_accept(line_->socket, [&](const auto& error) { result = error; });
    if (!line_->wait_for(result)) return false;
    line_->connected();
    return true;
}

void GdbPort::listen_again() {
    try {
        line_->listen(line_->number);
    } catch (const boost::system::system_error& error) {
        print_error(fmt::format("symsim: GDB cannot connect again at port {}: {}\n", line_->number,
                                error.code().message()));
    }
}

bool GdbPort::accepted() {
    if (!line_->acceptor.is_open()) return false;
    boost::system::error_code error, ignored;
    line_->acceptor.non_blocking(true, ignored);
    line_->acceptor.accept(line_->socket, error);
    line_->acceptor.non_blocking(false, ignored);
    if (error) return false;
    line_->connected();
    return true;
}

bool GdbPort::connected() const {
    return line_->socket.is_open();
}

void GdbPort::close() {
    line_->close();
}

std::optional<std::string> GdbPort::receive() {
    while (connected()) {
        if (!line_->packets.empty()) {
            std::string first = std::move(line_->packets.front());
            line_->packets.pop_front();
            return first;
        }
        if (line_->next()) return line_->reader.payload();
        if (connected()) line_->read_more();
    }
    return std::nullopt;
}

void GdbPort::send(std::string_view payload) {
    if (!connected()) return;
    line_->last = gdb_frame(payload);
    line_->write(line_->last);
}

void GdbPort::look() {
    if (!connected()) return;
    line_->read_arrived();
    while (line_->next()) line_->keep_packet();
}

bool GdbPort::take_interrupt() {
    return std::exchange(line_->interrupted, false);
}

void GdbPort::stop_acknowledging() {
    line_->acknowledges = false;
}

}  // namespace symsim
