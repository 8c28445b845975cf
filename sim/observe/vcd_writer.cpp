// SPDX-License-Identifier: MIT
#include "sim/observe/vcd_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

struct Variable {
    std::string_view type;
    int bits;
    char id;
    std::string_view name;
    std::string_view meaning;
};
constexpr int kProcessorBits = 32 - __builtin_clz(kMaxProcessors - 1);
// In the order of VcdWriter::Signal.
constexpr std::array<Variable, 9> kVariables = {
    {{"wire", 1, '!', "grant", "the bus is occupied"},
     {"wire", kProcessorBits, '"', "owner", "number of the processor that occupies the bus"},
     {"string", 1, '#', "kind", "of the transaction"},
     {"string", 1, '$', "activity", "activity of the processor at the time of the request"},
     {"wire", 32, '%', "address", "physical"},
     {"wire", 8, '&', "size_bytes", "transferred"},
     {"wire", 1, '\'', "reply", "this is the reply to a read"},
     {"wire", 1, '(', "locked", "the address is locked during this use of the bus"},
     {"wire", 64, ')', "wait_ps", "wait of this use until its grant"}}};

char* put(char* at, std::string_view text) {
    return std::copy(text.begin(), text.end(), at);
}
// Writes binary digits without leading zeros, four at a time.
char* put_binary(char* at, std::uint64_t value) {
    static constexpr char kDigits[] =
        "0000000100100011010001010110011110001001101010111100110111101111";
    int left = value == 0 ? 1 : 64 - __builtin_clzll(value);
    for (; left % 4 != 0; --left) *at++ = static_cast<char>('0' + (value >> (left - 1) & 1));
    for (; left > 0; left -= 4, at += 4)
        std::memcpy(at, kDigits + (value >> (left - 4) & 15) * 4, 4);
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

VcdWriter::VcdWriter(const TraceConfig& config)
    : TraceSink(config),
      max_bytes_(std::min(config.max_bytes, kMaxVcdBytes)),
      resources_(config.run.resources) {
    const unsigned resources = config.run.resources;
    const ResourceTable& table = config.run.table;
    // There is no $date, so that the trace does not depend on when it is written.
    file_.write("$version symsim $end\n$timescale 1 ps $end\n$scope module bus $end\n");
    for (unsigned r = 0; r < resources; ++r) {
        if (resources > 1) {
            resources_[r].id = std::to_string(r);
            const std::string scope =
                table.empty() ? fmt::format("resource{}", r) : table[r].word();
            file_.write(fmt::format("$scope module {} $end\n", scope));
        }
        for (const Variable& v : kVariables)
            file_.write(fmt::format("$var {} {} {}{} {} $end\n", v.type, v.bits, v.id,
                                    resources_[r].id, v.name));
        if (resources > 1) file_.write("$upscope $end\n");
    }
    file_.write("$upscope $end\n$enddefinitions $end\n");
}

void VcdWriter::begin(const Window& window) {
    TraceSink::begin(window);
    stamp(window.from);
    write();
    file_.write("$dumpvars\n");
    for (Resource& resource : resources_) {
        resource.shown.fill(kNothingYet);
        show_idle(resource);
    }
    file_.write("$end\n");
}

void VcdWriter::take(const TraceChunk& chunk) {
    for (const BusUse& use : chunk.uses) used(use);
}

void VcdWriter::used(const BusUse& use) {
    if (stopped_at_ || !window_.contains(use.start)) return;
    end_uses_before(use.start);
    if (file_.bytes() >= max_bytes_) {
        stopped_at_ = use.start;
        stamp(use.start);
        for (Resource& resource : resources_) show_idle(resource);
        file_.write("$comment size limit reached: nothing later was traced $end\n");
        return;
    }
    stamp(use.start);
    Resource& resource = resources_[use.resource];
    set(resource, grant, 1);
    set(resource, owner, use.processor);
    set(resource, kind, index(use.kind));
    set(resource, activity, index(use.activity));
    set(resource, address, use.address);
    set(resource, size, use.size);
    set(resource, reply, use.reply);
    set(resource, locked, use.locked);
    set(resource, wait, static_cast<std::uint64_t>(use.start - use.posted));
    write();
    resource.free_at = use.start + use.duration;
}

// A use that ends at `at` itself may be followed by another without a gap.
void VcdWriter::end_uses_before(Time at) {
    for (;;) {
        const auto first = std::min_element(
            resources_.begin(), resources_.end(),
            [](const Resource& a, const Resource& b) { return a.free_at < b.free_at; });
        if (first->free_at >= at) return;
        stamp(first->free_at);
        show_idle(*first);
    }
}

void VcdWriter::close(const RunEnd& end) {
    if (stopped_at_) return;
    // The window may begin after the end of the run.
    const Time last = std::max(window_.from, std::min(window_.to, end.time));
    end_uses_before(last + 1);
    stamp(last);
    write();
}

void VcdWriter::stamp(Time at) {
    if (at == stamped_) return;
    *end_++ = '#';
    end_ = put_count(end_, static_cast<std::uint64_t>(at));
    *end_++ = '\n';
    stamped_ = at;
}

void VcdWriter::change(Resource& resource, Signal signal, std::uint64_t value) {
    resource.shown[signal] = value;
    const Variable& variable = kVariables[signal];
    const bool none = value == kNone;
    char* end = end_;
    if (signal == kind || signal == activity) {
        end = put(put(end, "s"), none             ? "-"
                                 : signal == kind ? kTransactionKindNames[value]
                                                  : kActivityNames[value]);
        *end++ = ' ';
    } else if (variable.bits == 1) {
        *end++ = none ? 'z' : value != 0 ? '1' : '0';
    } else {
        *end++ = 'b';
        end = none ? put(end, "z") : put_binary(end, value);
        *end++ = ' ';
    }
    *end++ = variable.id;
    end = put(end, resource.id);
    *end++ = '\n';
    end_ = end;
}

void VcdWriter::write() {
    file_.write({text_.data(), static_cast<std::size_t>(end_ - text_.data())});
    end_ = text_.data();
}

void VcdWriter::show_idle(Resource& resource) {
    set(resource, grant, 0);
    for (std::size_t s = owner; s < kSignals; ++s) set(resource, static_cast<Signal>(s), kNone);
    write();
    resource.free_at = kNever;
}

}  // namespace symsim
