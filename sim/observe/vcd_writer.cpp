// SPDX-License-Identifier: MIT
#include "sim/observe/vcd_writer.h"

#include <fmt/format.h>

#include <string_view>

#include "sim/base/types.h"

namespace symsim {
namespace {

struct Variable {
    std::string_view type;
    int bits;
    char id;
    std::string_view name;
};
// In the order of VcdWriter::Signal.
constexpr std::array<Variable, 9> kVariables = {{{"wire", 1, '!', "grant"},
                                                 {"wire", 6, '"', "owner"},
                                                 {"string", 1, '#', "kind"},
                                                 {"string", 1, '$', "activity"},
                                                 {"wire", 32, '%', "address"},
                                                 {"wire", 8, '&', "size_bytes"},
                                                 {"wire", 1, '\'', "reply"},
                                                 {"wire", 1, '(', "locked"},
                                                 {"wire", 64, ')', "wait_ps"}}};

std::string scalar(bool value) {
    return value ? "1" : "0";
}
std::string vector(std::uint64_t value) {
    return fmt::format("b{:b} ", value);
}
std::string text(std::string_view value) {
    return fmt::format("s{} ", value);
}
std::string idle(const Variable& variable) {
    if (variable.type == "string") return text("-");
    return variable.bits == 1 ? "z" : "bz ";
}

}  // namespace

VcdWriter::VcdWriter(const std::filesystem::path& path, std::size_t max_bytes)
    : file_(path), max_bytes_(max_bytes) {
    // No $date: the trace is the same whenever it is written.
    file_.write("$version symsim $end\n$timescale 1 ps $end\n$scope module bus $end\n");
    for (const Variable& v : kVariables) {
        file_.write(fmt::format("$var {} {} {} {} $end\n", v.type, v.bits, v.id, v.name));
    }
    file_.write("$upscope $end\n$enddefinitions $end\n");
    stamp(0);
    file_.write("$dumpvars\n");
    release();
    file_.write("$end\n");
}

void VcdWriter::used(const BusUse& use) {
    if (stopped_at_) return;
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
    set(grant, scalar(true));
    set(owner, vector(use.processor));
    set(kind, text(name(use.kind)));
    set(activity, text(name(use.activity)));
    set(address, vector(use.address));
    set(size, vector(use.size));
    set(reply, scalar(use.reply));
    set(locked, scalar(use.locked));
    set(wait, vector(static_cast<std::uint64_t>(use.start - use.posted)));
    free_at_ = use.start + use.duration;
}

void VcdWriter::close(Time end) {
    if (stopped_at_) return;
    if (free_at_ <= end) {
        stamp(free_at_);
        release();
    }
    stamp(end);
}

void VcdWriter::stamp(Time at) {
    if (at == stamped_) return;
    file_.write(fmt::format("#{}\n", at));
    stamped_ = at;
}

void VcdWriter::set(Signal signal, const std::string& value) {
    if (shown_[signal] == value) return;
    shown_[signal] = value;
    file_.write(fmt::format("{}{}\n", value, kVariables[signal].id));
}

void VcdWriter::release() {
    set(grant, scalar(false));
    for (std::size_t s = owner; s < kSignals; ++s) {
        set(static_cast<Signal>(s), idle(kVariables[s]));
    }
    free_at_ = kNever;
}

}  // namespace symsim
