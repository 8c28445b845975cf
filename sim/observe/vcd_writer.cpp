// SPDX-License-Identifier: MIT
#include "sim/observe/vcd_writer.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/types.h"

namespace symsim {
namespace {

struct Variable {
    std::string_view type;
    int bits;
    char id;
    std::string_view name;
    std::string_view meaning;
};
// In the order of VcdWriter::Signal.
constexpr std::array<Variable, 9> kVariables = {
    {{"wire", 1, '!', "grant", "the bus is held"},
     {"wire", 6, '"', "owner", "number of the processor it is held for"},
     {"string", 1, '#', "kind", "of the transaction"},
     {"string", 1, '$', "activity", "what the processor was doing when it asked"},
     {"wire", 32, '%', "address", "physical"},
     {"wire", 8, '&', "size_bytes", "transferred"},
     {"wire", 1, '\'', "reply", "this is the reply to a read"},
     {"wire", 1, '(', "locked", "the address is locked while this goes over the bus"},
     {"wire", 64, ')', "wait_ps", "how long this use had waited when it was granted"}}};

char* put(char* at, std::string_view text) {
    return std::copy(text.begin(), text.end(), at);
}
char* put_binary(char* at, std::uint64_t value) {
    int bit = value == 0 ? 0 : 63 - __builtin_clzll(value);
    for (; bit >= 0; --bit) *at++ = static_cast<char>('0' + (value >> bit & 1));
    return at;
}

}  // namespace

Columns vcd_signals() {
    Columns signals;
    for (const Variable& v : kVariables) {
        const std::string type = v.type == "string" ? "text"
                                 : v.bits == 1      ? "1 bit"
                                                    : fmt::format("{} bits", v.bits);
        signals.push_back({std::string(v.name), type, std::string(v.meaning)});
    }
    return signals;
}

VcdWriter::VcdWriter(const std::filesystem::path& path, std::size_t max_bytes)
    : file_(path), max_bytes_(max_bytes) {
    // No $date: the trace is the same whenever it is written.
    file_.write("$version symsim $end\n$timescale 1 ps $end\n$scope module bus $end\n");
    for (const Variable& v : kVariables) {
        file_.write(fmt::format("$var {} {} {} {} $end\n", v.type, v.bits, v.id, v.name));
    }
    file_.write("$upscope $end\n$enddefinitions $end\n");
}

void VcdWriter::begin(const Window& window) {
    window_ = window;
    stamp(window.from);
    file_.write("$dumpvars\n");
    shown_.fill(kNothingYet);
    release();
    file_.write("$end\n");
}

void VcdWriter::take(const TraceChunk& chunk) {
    for (const BusUse& use : chunk.uses) used(use);
}

void VcdWriter::used(const BusUse& use) {
    if (stopped_at_ || !window_.holds(use.start)) return;
    if (free_at_ < use.start) {
        stamp(free_at_);
        release();
    }
    if (file_.bytes() >= max_bytes_) {
        stopped_at_ = use.start;
        stamp(use.start);
        release();
        file_.write("$comment size limit reached: nothing later was traced $end\n");
        return;
    }
    stamp(use.start);
    set(grant, 1);
    set(owner, use.processor);
    set(kind, index(use.kind));
    set(activity, index(use.activity));
    set(address, use.address);
    set(size, use.size);
    set(reply, use.reply);
    set(locked, use.locked);
    set(wait, static_cast<std::uint64_t>(use.start - use.posted));
    write_changes();
    free_at_ = use.start + use.duration;
}

void VcdWriter::close(Time end) {
    if (stopped_at_) return;
    // A window may begin behind the end of the run.
    const Time last = std::max(window_.from, std::min(window_.to, end));
    if (free_at_ <= last) {
        stamp(free_at_);
        release();
    }
    stamp(last);
}

void VcdWriter::stamp(Time at) {
    if (at == stamped_) return;
    std::array<char, 24> text;
    char* const end = fmt::format_to(text.data(), FMT_COMPILE("#{}\n"), at);
    file_.write({text.data(), static_cast<std::size_t>(end - text.data())});
    stamped_ = at;
}

void VcdWriter::set(Signal signal, std::optional<std::uint64_t> value) {
    if (shown_[signal] == value) return;
    shown_[signal] = value;
    const Variable& variable = kVariables[signal];
    std::array<char, 80> text;  // 64 bits and what stands around them
    char* end = text.data();
    if (signal == kind || signal == activity) {
        end = put(put(end, "s"), !value           ? "-"
                                 : signal == kind ? kKindNames[*value]
                                                  : kActivityNames[*value]);
        end = put(end, " ");
    } else if (variable.bits == 1) {
        *end++ = !value ? 'z' : *value != 0 ? '1' : '0';
    } else {
        end = put(end, "b");
        end = put(value ? put_binary(end, *value) : put(end, "z"), " ");
    }
    *end++ = variable.id;
    *end++ = '\n';
    changes_.append(text.data(), static_cast<std::size_t>(end - text.data()));
}

void VcdWriter::write_changes() {
    file_.write(changes_);
    changes_.clear();
}

void VcdWriter::release() {
    set(grant, 0);
    for (std::size_t s = owner; s < kSignals; ++s) set(static_cast<Signal>(s), std::nullopt);
    write_changes();
    free_at_ = kNever;
}

}  // namespace symsim
