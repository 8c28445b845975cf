// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/standard_streams.h"
#include "sim/debug/gdb_packet.h"
#include "sim/debug/gdb_protocol.h"
#include "sim/debug/gdb_registers.h"

namespace symsim {

namespace {

// A Ctrl-C from GDB is looked for each time this many instructions have begun.
constexpr unsigned kLookEvery = 1024;
// GDB's signal numbers, which equal those of Unix.
constexpr unsigned kSigInt = 2, kSigIll = 4, kSigTrap = 5, kSigAbort = 6, kSigFpe = 8,
                   kSigSegv = 11;

unsigned signal_of(const GuestFailure& failure) {
    switch (static_cast<Fault>(failure.vector.value_or(0xff))) {
        case Fault::divide_error:
        case Fault::coprocessor_error:
            return kSigFpe;
        case Fault::undefined_opcode:
            return kSigIll;
        case Fault::stack:
        case Fault::general_protection:
        case Fault::page:
            return kSigSegv;
        default:
            return kSigAbort;
    }
}

}  // namespace

GdbSession::GdbSession(GdbPort& port, DebugTarget target)
    : port_(port), target_(std::move(target)) {
    for (Processor* processor : target_.processors) processor->set_debug_hook(this);
}

bool GdbSession::begins(ProcessorId processor) {
    if (!attached_) return true;
    if (++begun_ >= kLookEvery) {
        begun_ = 0;
        look_for_interrupt();
    }
    std::optional<Stop> stop = stops_.at_begin(*target_.processors[processor]);
    if (!stop && (interrupt_ || !first_stop_reported_)) {
        stop.emplace();
        stop->why = first_stop_reported_ ? Stop::Why::interrupt : Stop::Why::attached;
        // The first stop comes before any instruction, and is reported for processor 0.
        if (first_stop_reported_) stop->processor = processor;
    }
    if (!stop) return true;
    changed_ = false;
    serve_until_resumed(*stop);
    return !changed_;
}

void GdbSession::accessed(ProcessorId processor, const OperandAccess& access) {
    stops_.accessed(processor, access.address, access.size, access.write);
}

void GdbSession::failed(ProcessorId processor) {
    if (!attached_) return;
    Stop stop;
    stop.why = Stop::Why::failed;
    stop.processor = processor;
    serve_until_resumed(stop);
}

void GdbSession::ended(Exit exit) {
    if (attached_) port_.send(fmt::format("W{:02x}", static_cast<unsigned>(exit)));
    port_.close();
}

void GdbSession::serve_until_resumed(const Stop& stop) {
    stop_ = stop;
    current_ = stop.processor;
    interrupt_ = false;
    if (first_stop_reported_) port_.send(stop_reply());
    first_stop_reported_ = true;
    while (const auto command = port_.receive()) {
        const auto reply = answer(*command);
        if (!reply) return;
        port_.send(*reply);
    }
    if (!attached_) return;
    print_error("symsim: the connection to GDB is lost; the run goes on without it\n");
    detach();
}

void GdbSession::detach() {
    attached_ = false;
    stops_.clear();
    for (Processor* processor : target_.processors) processor->set_debug_hook(nullptr);
}

std::optional<std::string> GdbSession::answer(std::string_view command) {
    const std::string_view whole = command;
    if (command.empty()) return "";
    const char letter = command.front();
    command.remove_prefix(1);
    switch (letter) {
        case '?':
            return stop_reply();
        case 'g':
            return read_registers();
        case 'G':
            return write_registers(command);
        case 'p': {
            const auto number = take_number(command);
            if (!number || *number >= kGdbRegisters) return kNotPossible;
            return to_hex(gdb_register(current(), static_cast<unsigned>(*number)));
        }
        case 'P': {
            const auto number = take_number(command);
            const bool assigned = number && take(command, "=");
            const auto bytes = from_hex(command);
            if (!assigned || !bytes) return kNotPossible;
            changed_ = true;
            return set_gdb_register(current(), static_cast<unsigned>(*number), *bytes)
                       ? "OK"
                       : kNotPossible;
        }
        case 'm':
            return read_memory(command);
        case 'M':
        case 'X': {
            const std::size_t colon = std::min(command.find(':'), command.size());
            const std::string_view data = command.substr(std::min(colon + 1, command.size()));
            return write_memory(command.substr(0, colon),
                                letter == 'M' ? from_hex(data) : std::string(data));
        }
        case 'Z':
        case 'z':
            return set_stop_point(command, letter == 'Z');
        case 'H': {
            Processor* const processor =
                processor_of(command.substr(std::min<std::size_t>(command.size(), 1)));
            if (!processor) return kNotPossible;
            if (command.front() == 'g') current_ = processor->id();
            return "OK";
        }
        case 'T':
            return processor_of(command) ? "OK" : kNotPossible;
        case 'c':
            return go_on(nullptr);
        case 's':
            return go_on(&current());
        case 'D':
            port_.send("OK");
            detach();
            return std::nullopt;
        case 'k':
            killed_ = true;
            detach();
            return std::nullopt;
        case 'q':
            return query(command);
        case 'Q':
            if (whole != "QStartNoAckMode") return "";
            port_.stop_acknowledging();
            return "OK";
        case 'v':
            if (whole == "vCont?") return "vCont;c;C;s;S";
            if (take(command, "Cont;")) return resume(command);
            if (take(command, "Kill")) {
                port_.send("OK");
                killed_ = true;
                detach();
                return std::nullopt;
            }
            return "";
        default:
            return "";
    }
}

// Resumes as a vCont packet asks. Only its first action counts, for the processor that the action
// names. All other processors continue too, whatever the further actions say.
std::optional<std::string> GdbSession::resume(std::string_view actions) {
    const char letter = actions.empty() ? ' ' : actions.front();
    const std::string_view first = actions.substr(0, actions.find(';'));
    const std::size_t colon = first.find(':');
    const Processor* const named =
        colon == std::string_view::npos ? &current() : processor_of(first.substr(colon + 1));
    if (!named) return kNotPossible;
    switch (letter) {
        case 'c':
        case 'C':
            return go_on(nullptr);
        case 's':
        case 'S':
            return go_on(named);
        default:
            return kNotPossible;
    }
}

std::optional<std::string> GdbSession::go_on(const Processor* stepping) {
    stops_.go_on(stepping, *target_.processors[stop_.processor]);
    return std::nullopt;
}

std::string GdbSession::stop_reply() const {
    const Processor& processor = *target_.processors[stop_.processor];
    std::string what;
    unsigned signal = kSigTrap;
    switch (stop_.why) {
        case Stop::Why::attached:
        case Stop::Why::step:
            break;
        case Stop::Why::interrupt:
            signal = kSigInt;
            break;
        case Stop::Why::breakpoint:
            if (sends_swbreak_) what = "swbreak:;";
            break;
        case Stop::Why::watchpoint: {
            constexpr const char* names[] = {"watch", "rwatch", "awatch"};
            what = fmt::format("{}:{:x};", names[static_cast<int>(stop_.watch)], stop_.address);
            break;
        }
        case Stop::Why::failed:
            signal = signal_of(processor.failure());
            break;
    }
    return fmt::format("T{:02x}{}thread:{:x};", signal, what, stop_.processor + 1);
}

}  // namespace symsim
