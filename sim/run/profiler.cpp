// SPDX-License-Identifier: MIT
#include "sim/run/profiler.h"

#include "sim/base/text.h"
#include "sim/debug/stack_walk.h"
#include "sim/observe/numbers.h"

namespace symsim {

namespace {

// A name as a part of a line of profile.folded, whatever bytes it has.
std::string as_frame(const std::string& name) {
    std::string frame = utf8(name);
    const auto separates = [](unsigned char c) { return c < ' ' || c == 0x7f || c == ';'; };
    std::replace_if(frame.begin(), frame.end(), separates, '?');
    return frame;
}

}  // namespace

Profiler::Profiler(Machine& machine, const Image& image, Time period, CallsOf calls_of)
    : machine_(machine), image_(image), calls_of_(std::move(calls_of)) {
    machine.call_back_at(period, [this, period](Time now) {
        for (ProcessorId p = 0; p < machine_.processors(); ++p) sample(p, now);
        return now + period;
    });
}

void Profiler::sample(ProcessorId id, Time now) {
    const Processor& processor = machine_.processor(id);
    std::string stack = function_at(linear_eip(processor));
    // A return address may be after the last instruction of its function; the call before it is
    // inside.
    for (const Address back : calls_of_(id, now)) stack.insert(0, function_at(back - 1) + ";");
    ++samples_[std::string(name(processor.context().activity)) + ";" + stack];
}

std::string Profiler::function_at(Address linear) const {
    const Symbol* const symbol = image_.symbols.around(linear);
    return symbol ? as_frame(symbol->shown()) : hex_text(linear);
}

std::optional<WrittenFile> Profiler::write(const std::filesystem::path& path) const {
    std::string text;
    for (const auto& [stack, count] : samples_) text += fmt::format("{} {}\n", stack, count);
    return write_file(path, text);
}

}  // namespace symsim
