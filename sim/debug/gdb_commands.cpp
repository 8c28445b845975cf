// SPDX-License-Identifier: MIT
// GdbSession's answers to the commands that GDB sends while the machine is stopped: registers,
// memory, stop points, queries.
#include <fmt/format.h>

#include "sim/debug/gdb_packet.h"
#include "sim/debug/gdb_registers.h"
#include "sim/debug/gdb_session.h"

namespace symsim {

namespace {

// The part "offset,length" of a long answer, for a qXfer packet. The reply begins with "m" if more
// follows, and with "l" if this part is the last.
std::string part_of(std::string_view whole, std::string_view range) {
    const auto offset = take_number(range);
    const bool both = offset && take(range, ",");
    const auto length = take_number(range);
    if (!both || !length) return kNotPossible;
    if (*offset >= whole.size()) return "l";
    const std::string_view part = whole.substr(*offset, *length);
    return (*offset + part.size() < whole.size() ? "m" : "l") + std::string(part);
}

// What a guest names its threads is any text.
std::string as_xml(std::string text) {
    for (char& c : text)
        if (c == '<' || c == '>' || c == '&' || c == '"' || c < ' ' || c > '~') c = '?';
    return text;
}

struct Range {
    Address first;
    std::uint32_t size;
};
// Parses "address,length". Empty if the length is more than a packet holds.
std::optional<Range> take_range(std::string_view& text) {
    const auto first = take_number(text);
    const bool both = first && take(text, ",");
    const auto size = take_number(text);
    if (!both || !size || *first > 0xffff'ffff || *size > kLongestPacket) return std::nullopt;
    return Range{static_cast<Address>(*first), static_cast<std::uint32_t>(*size)};
}

}  // namespace

std::string GdbSession::read_registers() const {
    std::string bytes;
    for (unsigned number = 0; number < kGdbRegisters; ++number)
        bytes += gdb_register(current(), number);
    return to_hex(bytes);
}

std::string GdbSession::write_registers(std::string_view digits) {
    const auto bytes = from_hex(digits);
    if (!bytes) return kNotPossible;
    changed_ = true;
    std::string_view left = *bytes;
    for (unsigned number = 0; number < kGdbRegisters && !left.empty(); ++number) {
        const std::size_t size = gdb_register(current(), number).size();
        if (!set_gdb_register(current(), number, left.substr(0, size))) return kNotPossible;
        left.remove_prefix(size);
    }
    return "OK";
}

// Reads memory as the current processor sees it: through its page tables, and with its stores that
// still wait for the bus.
std::string GdbSession::read_memory(std::string_view text) const {
    const auto range = take_range(text);
    if (!range) return kNotPossible;
    std::string bytes;
    for (std::uint32_t n = 0; n < range->size; ++n) {
        const auto physical = current().look_up(range->first + n);
        if (!physical || !target_.memory->contains(*physical, 1)) break;
        bytes += static_cast<char>(target_.caches[current_]->peek(*physical, 1));
    }
    return bytes.empty() && range->size > 0 ? kNoMemory : to_hex(bytes);
}

std::string GdbSession::write_memory(std::string_view text, std::optional<std::string> bytes) {
    const auto range = take_range(text);
    if (!range || !bytes || bytes->size() != range->size) return kNotPossible;
    std::vector<Address> physical;
    for (std::uint32_t n = 0; n < range->size; ++n) {
        const auto at = current().look_up(range->first + n);
        if (!at || !target_.memory->contains(*at, 1)) return kNoMemory;
        physical.push_back(*at);
    }
    for (std::uint32_t n = 0; n < range->size; ++n) {
        target_.memory->write(physical[n], 1, static_cast<std::uint8_t>((*bytes)[n]));
        target_.code->written(physical[n], 1);
        changed_ = true;
    }
    return "OK";
}

// Inserts or removes the stop point "type,address,kind". Types 0 and 1, software and hardware
// breakpoints, are treated alike. For types 2 to 4, watchpoints, `kind` is the size in bytes.
std::string GdbSession::set_stop_point(std::string_view text, bool insert) {
    const auto type = take_number(text);
    const bool comma = take(text, ",");
    const auto range = take_range(text);
    if (!type || !comma || !range) return kNotPossible;
    if (*type <= 1) {
        const auto kind = *type == 0 ? Stop::Breakpoint::software : Stop::Breakpoint::hardware;
        insert ? stops_.insert(kind, range->first) : stops_.remove(kind, range->first);
        return "OK";
    }
    constexpr Stop::Watch kinds[] = {Stop::Watch::write, Stop::Watch::read, Stop::Watch::access};
    if (*type > 4) return "";
    if (range->size == 0) return kNotPossible;
    const Stop::Watch kind = kinds[*type - 2];
    if (!insert) {
        stops_.unwatch(kind, range->first, range->size);
        return "OK";
    }
    const auto physical = current().look_up(range->first);
    if (!physical) return kNoMemory;
    stops_.watch(kind, range->first, *physical, range->size);
    return "OK";
}

std::string GdbSession::query(std::string_view what) {
    if (take(what, "Supported")) {
        sends_swbreak_ = what.find("swbreak+") != std::string_view::npos;
        sends_hwbreak_ = what.find("hwbreak+") != std::string_view::npos;
        return fmt::format(
            "PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
            "vContSupported+;swbreak+;hwbreak+",
            kLongestPacket);
    }
    if (take(what, "Xfer:features:read:target.xml:"))
        return part_of(gdb_target_description(), what);
    if (take(what, "Xfer:threads:read::")) return part_of(threads_xml(), what);
    if (what == "C") return fmt::format("QC{:x}", current_ + 1);
    if (what == "fThreadInfo") return thread_list();
    if (what == "sThreadInfo") return "l";
    if (take(what, "ThreadExtraInfo,")) {
        const Processor* const processor = processor_of(what);
        return processor ? to_hex(state_of(processor->id())) : kNotPossible;
    }
    if (what == "Attached") return "1";  // so that GDB lets the run continue when GDB exits
    if (take(what, "Rcmd,")) return to_hex(monitor(from_hex(what).value_or("")));
    return "";
}

std::string GdbSession::monitor(std::string_view command) const {
    if (command == "time") return fmt::format("{:.4f} us\n", to_us(target_.now()));
    return "monitor time    the simulated time, in us\n";
}

std::string GdbSession::thread_list() const {
    std::string list;
    for (const Processor* processor : target_.processors)
        list += fmt::format("{}{:x}", list.empty() ? 'm' : ',', processor->id() + 1);
    return list;
}

std::string GdbSession::threads_xml() const {
    std::string xml = "<?xml version=\"1.0\"?>\n<threads>\n";
    for (const Processor* processor : target_.processors)
        xml += fmt::format("<thread id=\"{:x}\" core=\"{}\" name=\"processor {}{}\">{}</thread>\n",
                           processor->id() + 1, processor->id(), processor->id(),
                           as_xml(thread_on(processor->id())), state_of(processor->id()));
    return xml + "</threads>\n";
}

std::string GdbSession::thread_on(ProcessorId processor) const {
    const std::string thread = target_.thread_of ? target_.thread_of(processor) : "";
    return thread.empty() ? "" : ", " + thread;
}

std::string GdbSession::state_of(ProcessorId processor) const {
    const Context& context = target_.processors[processor]->context();
    return context.halted ? "halted" : std::string(name(context.activity));
}

// Hg selects the processor of the packets about registers and memory, Hc that of c and s. All (-1)
// leaves the choice to us, as any (0) does.
std::string GdbSession::select(std::string_view what) {
    const bool for_resume = take(what, "c");
    if (!for_resume && !take(what, "g")) return what.empty() ? kNotPossible : "";
    const bool none_in_particular = what == "-1" || what == "0";
    const Processor* const processor = none_in_particular ? &current() : processor_of(what);
    if (!processor) return kNotPossible;
    if (!for_resume)
        current_ = processor->id();
    else if (none_in_particular)
        continues_alone_.reset();
    else
        continues_alone_ = processor->id();
    return "OK";
}

bool GdbSession::is_thread(std::string_view thread) const {
    return thread != "0" && processor_of(thread);
}

Processor* GdbSession::processor_of(std::string_view thread) const {
    const auto number = take_number(thread);
    if (!number || !thread.empty() || *number > target_.processors.size()) return nullptr;
    return *number == 0 ? &current() : target_.processors[*number - 1];
}

}  // namespace symsim
