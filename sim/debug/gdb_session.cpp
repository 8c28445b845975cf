// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/standard_streams.h"
#include "sim/debug/gdb_packet.h"
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
    attach();
    interrupt_ = target_.now() > 0;
}

void GdbSession::attach() {
    attached_ = true;
    first_stop_reported_ = sends_swbreak_ = sends_hwbreak_ = false;
    current_ = 0;
    continues_alone_.reset();
    for (Processor* processor : target_.processors) processor->set_debug_hook(this);
}

void GdbSession::detach() {
    attached_ = false;
    interrupt_ = false;
    stops_.clear();
    held_ = {};
    target_.hold(held_);
    for (Processor* processor : target_.processors) processor->set_debug_hook(nullptr);
}

// A part of the run without a debugger begins. GDB can connect again later.
void GdbSession::detach_and_listen() {
    detach();
    port_.close();
    port_.listen_again();
}

bool GdbSession::begins(ProcessorId processor) {
    if (!attached_) return true;
    if (++begun_ >= kLookEvery) {
        begun_ = 0;
        look();
        if (!attached_) return true;
    }
    std::optional<Stop> stop = stops_.at_begin(*target_.processors[processor]);
    if (!stop && (interrupt_ || !first_stop_reported_)) stop = asked_for(processor);
    if (!stop) return true;
    changed_ = false;
    serve_until_resumed(*stop);
    return !changed_ && !held_.contains(processor);
}

// The stop that GDB has asked for, by a Ctrl-C or by connecting.
Stop GdbSession::asked_for(ProcessorId processor) const {
    Stop stop;
    stop.why = first_stop_reported_ ? Stop::Why::interrupt : Stop::Why::attached;
    stop.processor = processor;
    return stop;
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

// Usually a processor begins an instruction soon after a Ctrl-C, and the machine stops there. If
// none has begun one since the last call, all that may execute are halted or wait for ever, and the
// machine stops here.
void GdbSession::look_between_instructions() {
    const bool overdue = interrupt_;
    look();
    if (!overdue || !interrupt_) return;
    const auto all = ProcessorSet::first(static_cast<unsigned>(target_.processors.size()));
    serve_until_resumed(asked_for((all - held_).lowest()));
}

void GdbSession::look() {
    if (!attached_) {
        if (!port_.accepted()) return;
        attach();
        interrupt_ = true;
        return;
    }
    // What GDB sends before the first stop is for that stop, also a Ctrl-C after a packet.
    if (!first_stop_reported_) return;
    port_.look();
    interrupt_ = port_.take_interrupt() || interrupt_;
    if (!port_.connected()) lose_connection();
}

void GdbSession::lose_connection() {
    print_error("symsim: the connection to GDB is lost; the run continues without it\n");
    detach_and_listen();
}

// A Ctrl-C that comes while the machine has stopped for another reason is kept: GDB may resume the
// machine without showing that stop, as at a breakpoint whose condition does not hold.
void GdbSession::serve_until_resumed(const Stop& stop) {
    stop_ = stop;
    current_ = stop.processor;
    stops_.stopped(current());
    if (first_stop_reported_) port_.send(stop_reply());
    first_stop_reported_ = true;
    while (attached_) {
        const auto command = port_.receive();
        if (!command) return lose_connection();
        const auto reply = answer(*command);
        if (!reply) break;
        port_.send(*reply);
    }
    const bool shown = stop.why == Stop::Why::attached || stop.why == Stop::Why::interrupt;
    interrupt_ = (port_.take_interrupt() || interrupt_) && attached_ && !shown;
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
        case 'H':
            return select(command);
        case 'T':
            return is_thread(command) ? "OK" : kNotPossible;
        case 'c':
        case 'C':
        case 's':
        case 'S':
            return resume_one(letter, command);
        case 'D':
            port_.send("OK");
            detach_and_listen();
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
            if (take(command, "Cont;")) return resume_each(command);
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
            if (stop_.breakpoint == Stop::Breakpoint::software && sends_swbreak_)
                what = "swbreak:;";
            if (stop_.breakpoint == Stop::Breakpoint::hardware && sends_hwbreak_)
                what = "hwbreak:;";
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
